// One call of a tool, from what the agent sent to what it gets. Whatever goes wrong becomes an answer in words.
import { wordsFor } from "../../model/failure/failure-words.ts"
import { failureOf } from "../../model/failure/system-failure.ts"
import { isObject } from "../../model/json.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import { shellAdvice } from "../../protocol/shell-advice.ts"
import { UsageError } from "../port/errors.ts"
import type { AnswerPages } from "./answer-pages.ts"
import { type McpContext, type Property, type ServerTool, ToolProblem } from "./port.ts"
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

/**
 * Checks the arguments of a call: a model may send anything. Contract: throws a ToolProblem; the result fits the tool's
 * properties, without the omitted ones.
 */
function checkedArguments(tool: ServerTool, given: unknown): Record<string, unknown> {
  const known = Object.keys(tool.properties)
  const takes = `${tool.name} takes: ${known.join(", ")}.`
  if (given === undefined || given === null) return checkedArguments(tool, {})
  if (!isObject(given)) throw new ToolProblem("The arguments are not an object.", takes)
  const found: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(given)) {
    const property = Object.hasOwn(tool.properties, name) ? tool.properties[name] : undefined
    if (property === undefined) throw new ToolProblem(`There is no argument "${shown(name)}".`, takes)
    if (value === null || value === undefined) continue
    if (!fits(property, value)) throw new ToolProblem(`"${name}" must be ${WORDS[property.type]}.`, takes)
    found[name] = value
  }
  for (const name of tool.required ?? []) {
    const value = found[name]
    if (value === undefined || (typeof value === "string" && value.trim() === ""))
      throw new ToolProblem(`"${name}" is missing.`, takes)
  }
  return found
}

const WORDS = { string: "a text", boolean: "true or false", array: "a list of strings" }

function fits({ type }: Property, value: unknown): boolean {
  if (type !== "array") return typeof value === type
  return Array.isArray(value) && value.every((each) => typeof each === "string")
}

function shown(name: string): string {
  return clip(sanitiseLine(name), 60)
}
