// Work in a process of its own: whoever waits for it goes on with other work meanwhile, and ends it at any moment.
import { fork } from "node:child_process"
import { on } from "node:events"
import { fileURLToPath } from "node:url"
import type { AgentHomes } from "../../formats/port.ts"
import type { Failure } from "../../model/failure/failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { AppDeps } from "./app-deps.ts"

/** What the process gets. */
export interface ApartJob<Task> extends Pick<AppDeps, "home" | "cwd" | "settings" | "made"> {
  person: AgentHomes
  task: Task
}

/** What it answers; `done` comes last. */
export type ApartNews<News> =
  | { type: "news"; news: News }
  | { type: "warned"; text: string }
  | { type: "failed"; failure: Failure }
  /** `trace`: of an error that retcon did not expect. */
  | { type: "broken"; trace: string }
  | { type: "done" }

/** Its program is built as a separate file, beside the bundle. When run from source, this is the last one built. */
const PROGRAM = new URL(
  import.meta.url.endsWith(".ts") ? "../../../dist/apart-program.cjs" : "./apart-program.cjs",
  import.meta.url,
)

export type ApartDeps = Pick<AppDeps, "home" | "cwd" | "settings" | "made" | "store" | "warn">

/** Contract: the task's news, in order; ends early, and with it the process, when the signal aborts or the caller takes no more. */
export async function* workApart<News>(
  { home, cwd, settings, made, store, warn }: ApartDeps,
  task: object,
  signal: AbortSignal,
): AsyncGenerator<News> {
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
    const told = on(child, "message", { close: ["disconnect"] }) as AsyncIterable<[ApartNews<News>]>
    const job: ApartJob<object> = { home, cwd, settings, made, person: store.foreign.homes, task }
    child.send(job)
    for await (const [each] of told) {
      if (signal.aborted || each.type === "done") return
      if (each.type === "failed") throw new RetconError(each.failure)
      if (each.type === "broken") throw new Error(each.trace)
      if (each.type === "warned") warn(each.text)
      else yield each.news
    }
    if (!signal.aborted) throw new Error("A process of retcon's own has ended before its work.")
  } finally {
    signal.removeEventListener("abort", end)
    end()
  }
}
