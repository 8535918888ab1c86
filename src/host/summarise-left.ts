// "Go there with a summary of what is left": the model tells in a paragraph what the abandoned part found.
import { callModel } from "../agent/model-call.ts"
import { contextAt } from "../history/context.ts"
import { RetconError } from "../model/failure.ts"
import type { Model } from "../provider/port.ts"
import { summaryText } from "../runner/summary.ts"
import type { Session } from "../session/session.ts"

const REQUEST = `The user goes back to an earlier point of this conversation and takes another way. Write, in a paragraph or
a short list, what was done and learned since that point and is worth knowing: findings, what failed and why, decisions,
names of files. No greeting, no tools, only the summary. The last thing that stays is this message:`

/** Contract: throws RetconError `invalid` when the model gives no summary; nothing was moved then. */
export async function summariseLeft(
  session: Session,
  model: Model,
  target: string,
  signal: AbortSignal,
): Promise<string> {
  const messages = contextAt(session.history, session.headRow)
  const request = { role: "user" as const, content: [{ type: "text" as const, text: `${REQUEST}\n\n${target}` }] }
  const answered = await callModel(model, { messages: [...messages, request], tools: [], signal }, () => undefined)
  const text = answered.outcome === "answered" ? summaryText(answered.content) : ""
  if (text !== "") return text
  const problem = answered.outcome === "failed" ? answered.problem.message : "The model answered with an empty summary."
  throw new RetconError({ code: "invalid", problem, hint: "Go there without a summary, or try again." })
}
