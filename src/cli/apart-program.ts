// The program of a process that works for another one, built as a separate file. It ends when its work is done, or its parent has gone.
import { makeLibrary } from "../app/library/library.ts"
import type { LibraryNews, LibraryTask } from "../app/library/library-apart.ts"
import type { ApartJob, ApartNews } from "../app/port/apart.ts"
import type { AppDeps } from "../app/port/app-deps.ts"
import { machineSessions } from "../app/setup/machine-sessions.ts"
import { failureOf } from "../model/failure/system-failure.ts"
import type { SessionId } from "../model/id.ts"
import { processDeps } from "./machine.ts"

type Job = ApartJob<LibraryTask>

process.once("disconnect", () => process.exit())
process.once("message", (job: Job) => void answer(job))

async function answer(job: Job): Promise<void> {
  try {
    await work(job)
  } catch (error) {
    const failure = failureOf(error)
    if (failure !== undefined) await tell({ type: "failed", failure })
    else await tell({ type: "broken", trace: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  }
  await tell({ type: "done" })
  process.disconnect()
}

async function work({ task, ...job }: Job): Promise<void> {
  const deps = depsOf(job)
  const run = makeLibrary(deps)[task.name] as (request: object, job: object) => Promise<unknown>
  const ticked = (share: number) => (task.ticks ? news({ share }).then(tick) : tick())
  const found = task.founds && ((session: SessionId) => void news({ found: session }))
  await news({ answer: await run(task.request, { tick: ticked, ...(found !== false && { found }) }) })
}

function depsOf({ home, cwd, settings, made, person }: Omit<Job, "task">): AppDeps {
  const warn = (text: string) => void tell({ type: "warned", text })
  return {
    ...processDeps({ write: () => undefined }),
    home,
    cwd,
    settings,
    made,
    ...machineSessions({ home, person, durability: settings.durability, via: "api" }),
    now: () => Date.now(),
    env: person.env,
    warn,
  }
}

/** Lets the news that the parent has gone come in. */
function tick(): Promise<void> {
  return new Promise((settle) => setImmediate(settle))
}

function news(each: LibraryNews): Promise<void> {
  return tell({ type: "news", news: each })
}

function tell(each: ApartNews<LibraryNews>): Promise<void> {
  return new Promise((settle) => process.send?.(each, undefined, undefined, () => settle()))
}
