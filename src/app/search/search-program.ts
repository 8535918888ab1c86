// The program of the process that searches, built as a separate file. It ends when its work is done, or its parent has gone.
import { everyAgentsStore } from "../../foreign/agents-store.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { findEach } from "./find-each.ts"
import type { SearchedSession } from "./find-in-session.ts"
import type { SearchJob, SearchNews } from "./search-apart.ts"

process.once("disconnect", () => process.exit())
process.once("message", (job: SearchJob) => void work(job))

async function work({ home, person, searched, options }: SearchJob): Promise<void> {
  try {
    const store = everyAgentsStore({ home, person })
    const sessions = "sessions" in searched ? searched.sessions : await store.list({ agents: "all", ...searched })
    const skipped = (session: SearchedSession, problem: string) => void tell({ type: "skipped", session, problem })
    for await (const found of findEach(store, sessions, { ...options, tick, skipped }))
      await tell({ type: "found", found })
  } catch (error) {
    if (error instanceof RetconError) await tell({ type: "failed", failure: error.failure })
    else await tell({ type: "broken", trace: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
  await tell({ type: "done" })
  process.disconnect()
}

/** Lets the news that the parent has gone come in. */
function tick(): Promise<void> {
  return new Promise((settle) => setImmediate(settle))
}

function tell(news: SearchNews): Promise<void> {
  return new Promise((settle) => process.send?.(news, undefined, undefined, () => settle()))
}
