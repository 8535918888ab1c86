// How a message to the agent ended, as the response reports it.
import { z } from "zod"
import { entryId, NONE } from "../../history/tree/tree.ts"
import { type Advice, adviceList } from "../../model/failure/failure.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { failureOf } from "../../model/failure/system-failure.ts"
import { plainText } from "../../model/record/record.ts"
import type { HostEvent } from "../../protocol/event.ts"
import type { SendAnswer, SessionContents } from "../../protocol/host.ts"
import { open } from "../api/schemas.ts"

export const BEGUN = z.object({
  turn: z.int().describe("The number of the turn in its events."),
  entry: z.string().nullable().describe("The prompt; null while another agent's program has not recorded it."),
  steers: z.boolean().describe("A turn was already running, and the message steers it."),
})

export const ENDED = open({
  turn: z.int().describe("The number of the turn that the message started or steered."),
  outcome: z.enum(["done", "steered", "stopped", "withdrawn", "failed"]),
  entry: z.string().nullable().describe("The prompt, or the command as the model will see it."),
  head: z.string().nullable().describe("The head now. A later message can pass it as `from`."),
  text: z
    .string()
    .exactOptional()
    .describe("The last text of the model. For a command: its output, and its exit code if that is not 0."),
  error: z.boolean().exactOptional().describe("For a command: whether it failed."),
  turnOutcome: z
    .enum(["done", "stopped", "withdrawn", "failed"])
    .exactOptional()
    .describe("If it steered a turn: how that ended. If it failed, `message` and `advice` say why."),
})

export type MessageBegun = z.infer<typeof BEGUN>
export type MessageEnd = z.infer<typeof ENDED>
export type TurnEnd = Extract<HostEvent, { type: "turn-end" }>

/** `text`: the last words of the model, or the output of a command. */
export function endedAs(
  session: SessionContents,
  answer: SendAnswer,
  { turn, text }: { turn: number; text: string },
): MessageEnd {
  const head = entryId(session.history, session.head)
  switch (answer.outcome) {
    case "failed":
      return { turn, outcome: "failed", entry: null, head, message: answer.message, advice: adviceList(answer.advice) }
    case "withdrawn":
      return { turn, outcome: "withdrawn", entry: null, head, input: answer.input }
    case "done":
    case "steered":
    case "stopped":
      return { turn, outcome: answer.outcome, entry: answer.entry, head, text }
  }
}

/** What the response to a message that steered a turn says about that turn. */
export function steeredTurn({ outcome, message, advice }: TurnEnd): Partial<MessageEnd> {
  return {
    turnOutcome: outcome,
    ...(message !== undefined && { message }),
    ...(advice !== undefined && { advice: adviceList(advice) }),
  }
}

/** A failure after a stream began: too late for a problem response. */
export function failedAs(session: SessionContents, error: unknown, turn: number): MessageEnd {
  const failure = failureOf(error)
  const { message, advice }: { message: string; advice: Advice } =
    failure !== undefined
      ? wordsFor(failure)
      : { message: error instanceof Error ? error.message : String(error), advice: "" }
  return endedAs(session, { outcome: "failed", message, advice }, { turn, text: "" })
}

/** From the round at the head; empty if the model has said nothing in it. */
export function lastWords({ history, head }: SessionContents): string {
  for (let row = head; row !== NONE && !history.isPrompt(row); row = history.parent(row)) {
    const record = history.record(row)
    const said = record?.type === "message" && record.role === "assistant" ? plainText(record.content) : ""
    if (said !== "") return said
  }
  return ""
}
