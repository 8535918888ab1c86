// How Claude Code is started, and what is said when that fails.
import type { ChildEnd } from "../child.ts"
import type { OpenAgent } from "../port.ts"

export interface ClaudeProgramOptions {
  /** The program's path. */
  program: string
  env: Readonly<Record<string, string | undefined>>
  /** Contract: a UUID. */
  newId: () => string
  /** How long it may take until it answers for the first time. */
  patienceMs?: number
}

/** What every way of starting it has in common. `session`: for a new one. */
export function claudeArguments({ session, allow }: OpenAgent, newSession: string): string[] {
  const settings = allow.length === 0 ? [] : ["--settings", JSON.stringify({ permissions: { allow } })]
  const stream = ["--output-format", "stream-json", "--include-partial-messages", "--verbose"]
  return ["-p", ...(session?.resume ?? ["--session-id", newSession]), ...stream, ...settings]
}

/** `said`: what the program says about a failure. */
export function failureWords(said: string): string {
  if (/not logged in|please run \/login|invalid api key|oauth token|authentication/i.test(said))
    return `Claude Code is not logged in (${said}). Run claude in a terminal and log in there with /login; then send this again.`
  return `Claude Code failed: ${said}`
}

export function endWords({ problem, said, code }: ChildEnd): string {
  if (problem !== undefined) return `Claude Code failed: ${problem}`
  return said.trim() === "" ? `Claude Code ended with exit code ${code ?? "unknown"}.` : failureWords(said.trim())
}
