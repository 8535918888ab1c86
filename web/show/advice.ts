// Advice in the page's own terms: its buttons and keys. What needs a shell is marked as such.
import type { AdviceStep } from "../../src/model/failure/failure.ts"
import { unreachable } from "../../src/model/unreachable.ts"
import { inShell } from "../../src/protocol/shell-advice.ts"

export const RESOLVED_BY = { ours: "Keep mine", theirs: "Put old lines back", "write-conflicts": "Write both" }
const MOVED_BY = { keep: "Conversation", restore: "Conversation and files" }

/** `session`: the one on the screen, for what needs a shell. */
export function pageStep(step: AdviceStep, session?: string): string {
  switch (step.do) {
    case "back":
      return "Back (Alt+←)"
    case "undo":
      return "Undo (Alt+Z)"
    case "goto":
      return `"Rewind here" at ${step.entry}`
    case "files":
      return `"${MOVED_BY[step.choice]}" in the rewind`
    case "resolve":
      return `"${RESOLVED_BY[step.choice]}"`
    case "even-if-running":
      return '"It is closed there"'
    case "split":
      return step.session === undefined ? '"Branch from here"' : inShell(step)
    case "log":
    case "show":
    case "ops":
      return "the tree (Alt+T)"
    case "doctor":
      return "Doctor, in the menu of the session"
    case "sessions":
    case "resume":
    case "choose-session":
      return "the list of sessions"
    case "model":
      return inShell({ ...step, name: step.name ?? "NAME" })
    case "omit":
    case "diff":
    case "open-file":
    case "restore-session":
    case "restore-kept":
    case "install-hooks":
    case "import":
    case "moved":
    case "think":
    case "max-steps":
    case "config":
    case "attempts":
    case "notes":
    case "gc":
      return inShell(step, session)
    default:
      return unreachable(step)
  }
}
