// "Go there with a summary": the model summarises in a paragraph what the abandoned branch found.
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { AskDeps } from "../../runner/compaction/ask.ts"

const REQUEST = `The user is going back to an earlier point of this conversation, to try another way. Write, in a paragraph or
a short list, what was done and learned since that point that is worth knowing: findings, what failed and why, decisions,
names of files. No greeting, no tools, only the summary. The last thing that stays is this message:`

/** Contract: throws RetconError `invalid` if the model gives no summary; then nothing was moved. */
export async function summariseLeft(deps: AskDeps, target: string, signal: AbortSignal): Promise<string> {
  const { askAbout } = await import("../../runner/compaction/ask.ts")
  const asked = await askAbout(deps, `${REQUEST}\n\n${target}`, signal)
  if (asked.ok) return asked.text
  throw new RetconError({
    code: "invalid",
    problem: asked.problem,
    advice: "Go there without a summary, or try again.",
  })
}
