// Advice in the terminal's own terms: slash commands and keys, or lines of `--plain`. What needs a shell says so.
import { agentTitle } from "../../model/agent-title.ts"
import { type Advice, type AdviceStep, adviceText } from "../../model/failure/failure.ts"
import { shortId } from "../../model/id.ts"
import { shellCommand } from "../../model/text/sanitise.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { SessionContents } from "../../protocol/host.ts"
import { inShell } from "../../protocol/shell-advice.ts"

export function terminalAdvice(advice: Advice): string {
  return adviceText(advice, terminalStep)
}

/** `session`: the one that it is about, for what needs a shell. */
export function plainAdvice(advice: Advice, session?: string): string {
  return adviceText(advice, (step) => plainStep(step, session && shortId(session)))
}

const RESOLVED_BY = { ours: "Keep mine", theirs: "Put old lines back", "write-conflicts": "Write both" }
const MOVED_BY = { keep: "Conversation only", restore: "Conversation and files" }

function terminalStep(step: AdviceStep): string {
  switch (step.do) {
    case "back":
    case "undo":
    case "doctor":
      return `/${step.do}`
    case "goto":
      return step.files === undefined ? `/goto ${step.entry}` : `"${MOVED_BY[step.files]}" in /rewind`
    case "diff":
    case "omit":
      return `/${step.do} ${step.entry}`
    case "split":
      return step.session === undefined ? "/split" : inShell(step)
    case "files":
      return `"${MOVED_BY[step.choice]}" in /rewind`
    case "resolve":
      return `"${RESOLVED_BY[step.choice]}"`
    case "even-if-running":
      return '"It is closed there"'
    case "log":
    case "show":
      return "/tree"
    case "ops":
      return "/tree, then o"
    case "sessions":
    case "resume":
    case "choose-session":
      return "/resume"
    case "model":
      return step.name === undefined ? "/model" : `/model ${step.name}`
    case "think":
      return `/think ${step.level}`
    case "open-file":
    case "restore-session":
    case "restore-kept":
    case "install-hooks":
    case "import":
    case "moved":
    case "attempts":
    case "notes":
    case "gc":
    case "max-steps":
    case "config":
      return inShell(step)
    default:
      return unreachable(step)
  }
}

/** A line has no pages to choose on: it has the shell's options. */
function plainStep(step: AdviceStep, session?: string): string {
  if (step.do === "goto" && step.files !== undefined) return `/goto ${step.entry} --files ${step.files}`
  if (step.do === "files") return `--files ${step.choice}`
  if (step.do === "resolve") return `--${step.choice}`
  if (step.do === "even-if-running") return "--even-if-running"
  if (step.do === "resume") return `/resume ${step.session}`
  return step.do === "ops" ? inShell(step, session) : terminalStep(step)
}

/** For someone who is leaving the terminal, and will be in a shell. */
export function continueWords(session: ContinuedSession, how: "screen" | "plain", current: string): string {
  const { agent, resume, cwd: needed } = session
  if (agent !== undefined && resume !== undefined)
    return `Continue in ${agentTitle(agent)} with: ${shellCommand(resume, { needed, current })}`
  return `Continue with: retcon ${how === "plain" ? "--plain " : ""}-r ${shortId(session.id)}`
}

type ContinuedSession = Pick<SessionContents, "id" | "agent" | "resume" | "cwd">
