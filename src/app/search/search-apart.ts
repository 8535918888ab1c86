// Searches in a process of its own: whoever waits for it goes on with other work meanwhile, and ends it at any moment.
import { fork } from "node:child_process"
import { on } from "node:events"
import { fileURLToPath } from "node:url"
import type { AgentHomes } from "../../formats/port.ts"
import type { Failure } from "../../model/failure/failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"
import type { FindOptions, Found } from "./find-each.ts"
import type { SearchedSession } from "./find-in-session.ts"

/** These sessions, or those of a folder, or all on this machine. */
export type Searched<Session> = { sessions: readonly Session[] } | { cwd?: string }

/** What the process gets. */
export interface SearchJob {
  home: string
  person: AgentHomes
  searched: Searched<SearchedSession>
  options: Omit<FindOptions, "tick" | "skipped">
}

/** What it answers; `done` comes last. */
export type SearchNews<Session extends SearchedSession = SearchedSession> =
  | { type: "found"; found: Found<Session> }
  | { type: "skipped"; session: SearchedSession; problem: string }
  | { type: "failed"; failure: Failure }
  /** `trace`: of an error that retcon did not expect. */
  | { type: "broken"; trace: string }
  | { type: "done" }

/** Its program is built as a separate file, beside the bundle. When run from source, this is the last one built. */
const PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "../../../dist/search-program.cjs" : "./search-program.cjs",
  import.meta.url,
)

/** Contract: as `findEach`; ends early, and with it the process, when the signal aborts or the caller takes no more. */
export async function* searchApart<Session extends SearchedSession = SessionSummary>(
  { home, store }: Pick<AppDeps, "home" | "store">,
  searched: Searched<Session>,
  { skipped, ...options }: Omit<FindOptions, "tick">,
  signal: AbortSignal,
): AsyncGenerator<Found<Session>> {
  if (signal.aborted) return
  const child = fork(fileURLToPath(PROGRAM), [], {
    env: {},
    execArgv: [],
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  })
  const end = () => child.kill("SIGKILL")
  signal.addEventListener("abort", end)
  try {
    const news = on(child, "message", { close: ["disconnect"] }) as AsyncIterable<[SearchNews<Session>]>
    const job: SearchJob = { home, person: store.foreign.homes, searched, options }
    child.send(job)
    for await (const [told] of news) {
      if (signal.aborted || told.type === "done") return
      if (told.type === "failed") throw new RetconError(told.failure)
      if (told.type === "broken") throw new Error(told.trace)
      if (told.type === "skipped") skipped?.(told.session, told.problem)
      else yield told.found
    }
    if (!signal.aborted) throw new Error("The process that searches has ended before its work.")
  } finally {
    signal.removeEventListener("abort", end)
    end()
  }
}
