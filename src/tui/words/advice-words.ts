// Advice as it is followed in the terminal: by slash commands and keys, and by lines of `--plain`. For what only the
// shell can do, the words say so.
import { agentTitle } from "../../model/agent-title.ts"
import { type Advice, type AdviceStep, adviceText } from "../../model/failure/advice.ts"
import { shortId } from "../../model/id.ts"
import { shellCommand, shellWord } from "../../model/text/shell-word.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { HostSession } from "../../protocol/host.ts"

export function terminalAdvice(advice: Advice): string {
  return adviceText(advice, terminalStep)
}

export function plainAdvice(advice: Advice): string {
  return adviceText(advice, plainStep)
}

const RESOLVED_BY = { ours: "Keep mine", theirs: "Put the old back", "write-conflicts": "Write both" }
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
      return step.session === undefined ? "/split" : inShell(`split -s ${shellWord(step.session)}`)
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
    case "restore-session":
      return inShell(`rm --restore ${step.id}`)
    case "restore-kept":
      return inShell(`keep --restore ${step.id}`)
    case "import":
      return inShell(`import ${shellWord(step.file)}`)
    case "moved":
      return inShell(`moved ${shellWord(step.folder)}`)
    case "gc":
      return inShell("gc")
    case "max-steps":
      return inShell("--max-steps NUMBER")
    case "config":
      return inShell(["config", step.key, step.value].filter((part) => part !== undefined).join(" "))
    default:
      return unreachable(step)
  }
}

/** A line has no pages to choose on: it has the shell's options. */
function plainStep(step: AdviceStep): string {
  if (step.do === "goto" && step.files !== undefined) return `/goto ${step.entry} --files ${step.files}`
  if (step.do === "files") return `--files ${step.choice}`
  if (step.do === "resolve") return `--${step.choice}`
  if (step.do === "even-if-running") return "--even-if-running"
  if (step.do === "resume") return `/resume ${step.session}`
  return step.do === "ops" ? inShell("ops") : terminalStep(step)
}

/** For somebody who leaves the terminal: they will be in a shell. */
export function continueWords(session: ContinuedSession, how: "screen" | "plain", current: string): string {
  const { agent, resume, cwd: needed } = session
  if (agent !== undefined && resume !== undefined)
    return `Continue in ${agentTitle(agent)} with: ${shellCommand(resume, { needed, current })}`
  return `Continue with: retcon ${how === "plain" ? "--plain " : ""}-r ${shortId(session.id)}`
}

type ContinuedSession = Pick<HostSession, "id" | "agent" | "resume" | "cwd">

function inShell(command: string): string {
  return `retcon ${command} (in a shell)`
}
