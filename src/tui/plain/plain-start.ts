// The session that is open at the start, and what to say about one that nobody chose.
import { NONE } from "../../history/tree/tree.ts"
import { canContinue, isOffered } from "../../protocol/can-continue.ts"
import type { Host, HostSession, SessionContents } from "../../protocol/host.ts"
import type { SessionListing } from "../../protocol/shapes.ts"
import type { Start } from "../app/deps.ts"
import { plainAdvice } from "../words/advice-words.ts"
import { lookingLines, sessionLines } from "./plain-sessions.ts"

export interface First {
  session: HostSession
  /** What the person should know because they did not ask for exactly this. */
  words: readonly string[]
}

interface PlainStart {
  host: Host
  cwd: string
  start: Start
  now: () => number
}

export async function openFirst({ host, cwd, start, now }: PlainStart): Promise<First> {
  if (start.kind === "resume" && start.id !== undefined) {
    const session = await host.open(start.id)
    return { session, words: lookingLines(session, cwd) }
  }
  if (start.kind === "new") return { session: await host.create({ cwd }), words: [] }
  const last = (await host.list({ cwd })).sessions.find(canContinue)
  if (last !== undefined) {
    const session = await host.open(last.id)
    return { session, words: start.kind === "resume" ? [foundWords(session)] : [] }
  }
  const others = (await host.list({ cwd, agents: "all" })).sessions.filter(isOffered)
  const none = start.kind === "resume" && others.length === 0 ? [foundWords(undefined)] : []
  const session = await host.create({ cwd })
  return { session, words: others.length === 0 ? none : otherAgents(others, cwd, now()) }
}

/** Nobody chose it: says which session it is, and how to get another. */
function foundWords(session: SessionContents | undefined): string {
  if (session === undefined || session.head === NONE) return "There is no session here yet: this is a new one."
  return `Continuing the last session here, ${session.id}. For another: ${plainAdvice([{ do: "sessions" }])}`
}

function otherAgents(sessions: readonly SessionListing[], cwd: string, now: number): string[] {
  const first = "There is no retcon session here yet: this is a new one. Other agents have sessions here:"
  return [first, ...sessionLines(sessions, cwd, now), "Look at one, or continue it here in a copy, with: /resume ID"]
}
