// One call of a tool, from what the agent sent to what it gets. Whatever goes wrong becomes an answer in words.
import { wordsFor } from "../../model/failure/failure-words.ts"
import { failureOf } from "../../model/failure/system-failure.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip } from "../../model/text/width.ts"
import { shellAdvice } from "../../protocol/shell-advice.ts"
import { UsageError } from "../port/errors.ts"
import type { AnswerPages } from "./answer-pages.ts"
import { checkedArguments } from "./arguments.ts"
import { type McpContext, ToolProblem } from "./port.ts"
import { TOOLS } from "./tools.ts"

export type CallAnswer = { content: { type: "text"; text: string }[]; isError?: true }

export interface CalledTool {
  name: string
  given: unknown
  signal: AbortSignal
}

/** Contract: never throws; at most MOST_BYTES of text. */
export async function callTool(
  at: McpContext,
  pages: AnswerPages,
  { name, given, signal }: CalledTool,
): Promise<CallAnswer> {
  try {
    return { content: [{ type: "text", text: await answer(at, pages, { name, given, signal }) }] }
  } catch (error) {
    return { content: [{ type: "text", text: pages.first({ text: problemWords(error) }) }], isError: true }
  }
}

async function answer(at: McpContext, pages: AnswerPages, { name, given, signal }: CalledTool): Promise<string> {
  const tool = TOOLS.find((each) => each.name === name)
  const all = TOOLS.map((each) => each.name).join(", ")
  // It waited for others, and the agent has given up meanwhile: nothing must happen any more.
  if (signal.aborted) throw new ToolProblem("The call was cancelled.", "Nothing was done.")
  if (tool === undefined) throw new ToolProblem(`There is no tool "${clip(sanitiseLine(name), 60)}".`, `Use: ${all}.`)
  const cursor = cursorIn(given)
  if (cursor !== undefined && Object.hasOwn(tool.properties, "cursor")) {
    const page = pages.next(cursor)
    if (page !== undefined) return page
    throw new ToolProblem("That cursor is unknown or has expired.", "Call the tool again without it.")
  }
  return pages.first(await tool.run(at, checkedArguments(tool, given) as never, signal))
}

/** With a cursor the other arguments do not matter, not even required ones. */
function cursorIn(given: unknown): string | undefined {
  const { cursor } = (given ?? {}) as { cursor?: unknown }
  return typeof cursor === "string" && cursor !== "" ? cursor : undefined
}

function problemWords(error: unknown): string {
  const failure = failureOf(error)
  if (failure !== undefined) {
    const { message, advice } = wordsFor(failure)
    return `${message} ${shellAdvice(advice)}`.trim()
  }
  if (error instanceof UsageError) return `${error.message} ${error.hint}`
  if (error instanceof ToolProblem) return error.message
  return `This is a bug in retcon: ${sanitiseLine(String(error))} The other tools still work.`
}
