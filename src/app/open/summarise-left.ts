// "Go there with a summary": the model summarises in a paragraph what the abandoned branch found.
import { type ContextOptions, contextAt } from "../../history/context/context.ts"
import { commonAncestor } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { plainText } from "../../model/record/record.ts"
import type { AskDeps } from "../../runner/compaction/ask.ts"
import type { Session } from "../../session/session.ts"

const REQUEST = `The user is going back to an earlier point of this conversation, to try another way. Write, in a paragraph or
a short list, what was done and learned since that point that is worth knowing: findings, what failed and why, decisions,
names of files. No greeting, no tools, only the summary. The last thing that stays is this message:`

/** Contract: throws RetconError `invalid` if the model gives no summary; then nothing was moved. */
export function summariseLeft(deps: AskDeps, target: string, signal: AbortSignal): Promise<string> {
  return summary(deps, `${REQUEST}\n\n${target}`, "Go there without a summary, or try again.", signal)
}

const FINDINGS = `What was found in this conversation is needed on another branch of it, which parted at the message below. Write, in a
paragraph or a short list, what was done and learned since that message that is worth knowing there: findings, what failed and why,
decisions, names of files. No greeting, no tools, only the summary. The message:`

/** The same of a branch that is brought, as its own conversation tells it. */
export async function summariseBranch(
  deps: AskDeps,
  session: Session,
  branch: string,
  signal: AbortSignal,
): Promise<string> {
  const { history } = session
  const tip = history.rowOf(session.resolve(branch))
  const record = history.record(commonAncestor(history, session.headRow, tip))
  const parted = record?.type === "message" ? plainText(record.content) : "(the beginning)"
  const there = {
    headRow: { value: tip },
    head: { value: history.id(tip) },
    context: { value: (options?: ContextOptions) => contextAt(history, tip, options) },
  }
  const standing = { ...deps, session: Object.create(session, there) as Session }
  return summary(standing, `${FINDINGS}\n\n${parted}`, "Bring it without a summary, or try again.", signal)
}

async function summary(deps: AskDeps, request: string, advice: string, signal: AbortSignal): Promise<string> {
  const { askAbout } = await import("../../runner/compaction/ask.ts")
  const asked = await askAbout(deps, request, signal)
  if (asked.ok) return asked.text
  throw new RetconError({ code: "invalid", problem: asked.problem, advice })
}
