// Advice as requests to this API; as shell commands for what has no endpoint.
import { type Advice, type AdviceStep, adviceText } from "../../model/failure/failure.ts"
import { unreachable } from "../../model/unreachable.ts"
import { inShell } from "../../protocol/shell-advice.ts"

/** `ID` stands for the session's id. */
const SESSION = "/api/sessions/ID"

const ATTEMPTS = { resume: "finish", clean: "clean" }

/** For a session in which nothing has been said or done yet. */
export const SAY_SOMETHING: Advice = `Send a message first: ${post("converse", { text: "…" })}`

export function apiAdvice(advice: Advice): string {
  return adviceText(advice, apiStep)
}

function apiStep(step: AdviceStep): string {
  switch (step.do) {
    case "back":
    case "undo":
      return post(step.do)
    case "goto":
      return post("goto", { entry: step.entry, files: step.files })
    case "omit":
      return post("omit", { entry: step.entry })
    // The copy that this endpoint makes is always for retcon, and the session is the one that the request is about.
    case "split":
      return post("split", { entry: step.entry })
    case "model":
      return post("model", { model: step.name ?? "NAME" })
    case "think":
      return post("thinking", { level: step.level })
    case "files":
      return field({ files: step.choice })
    case "resolve":
      return field({ onConflict: step.choice })
    case "even-if-running":
      return field({ evenIfRunning: true })
    case "log":
      return `GET ${SESSION}/tree`
    case "show":
      return `GET ${SESSION}/context`
    case "ops":
      return `GET ${SESSION}/operations`
    case "attempts":
      return step.way === "list" ? `GET ${SESSION}/attempts` : post(`attempts/${ATTEMPTS[step.way]}`)
    case "diff":
      return `GET ${SESSION}/diff?from=${encodeURIComponent(step.entry)}`
    case "doctor":
      return `GET ${SESSION}/doctor`
    case "sessions":
      return "GET /api/sessions"
    case "resume":
      return `POST /api/sessions/${step.session}/converse`
    case "choose-session":
      return SESSION
    // Only this command has the option.
    case "max-steps":
      return "retcon run --max-steps NUMBER (in a shell)"
    case "open-file":
    case "restore-session":
    case "restore-kept":
    case "import":
    case "moved":
    case "install-hooks":
    case "config":
    case "notes":
    case "gc":
      return inShell(step)
    default:
      return unreachable(step)
  }
}

function post(name: string, body: Record<string, unknown> = {}): string {
  const text = JSON.stringify(body)
  return text === "{}" ? `POST ${SESSION}/${name}` : `POST ${SESSION}/${name} ${text}`
}

/** What to add to the body of the same request. */
function field(body: Record<string, unknown>): string {
  return JSON.stringify(body).slice(1, -1)
}
