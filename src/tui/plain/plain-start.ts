// The session that is open at the start, and what to say about one that nobody chose.
import { NONE } from "../../history/tree/tree.ts"
import type { Host, HostSession } from "../../protocol/host.ts"
import { canGoOn } from "../../protocol/listing.ts"
import type { Start } from "../app/deps.ts"
import { plainAdvice } from "../words/advice-words.ts"

export async function openFirst({ host, cwd, start }: { host: Host; cwd: string; start: Start }): Promise<HostSession> {
  if (start.kind === "resume" && start.id !== undefined) return host.open(start.id)
  if (start.kind === "new") return host.create({ cwd })
  const sessions = await host.list({ cwd })
  const last = sessions.find(canGoOn)
  return last === undefined ? host.create({ cwd }) : host.open(last.id)
}

/** Nobody chose it: which session it is, and how to get another. */
export function foundWords(session: HostSession): string {
  if (session.head === NONE) return "There is no session here yet: this is a new one."
  return `Continuing the last session here, ${session.id}. For another: ${plainAdvice([{ do: "sessions" }])}`
}
