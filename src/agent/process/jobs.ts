// Commands that continue in the background, by job name. Processes are not data, so the runner owns them.
import { keepOutput } from "./kept-output.ts"
import { type CommandOptions, type Ended, runCommand } from "./run-command.ts"

export interface BackgroundJob {
  /** `job-1`, `job-2`… */
  id: string
  command: string
  /** The tool call that started it. */
  call: string
  /** Where all of its output is, if it is long. */
  file: string
  ended: Ended | undefined
}

export interface Jobs {
  start(
    options: Omit<CommandOptions, "onOutput"> & { call: string; file: (id: string) => string; limit: number },
  ): BackgroundJob
  /** What it has printed since the last call; waits until something happens, at most `wait` milliseconds. */
  read(id: string, wait: number, signal: AbortSignal): Promise<{ job: BackgroundJob; fresh: string } | undefined>
  /** Resolves when it has ended. False: there is no such job. */
  kill(id: string): Promise<boolean>
  /** Resolves at once if there is no such job. */
  whenEnded(id: string): Promise<void>
  list(): readonly BackgroundJob[]
  /** Ends them all, at the end of a session. */
  close(): Promise<void>
}

interface Entry {
  job: BackgroundJob
  output: ReturnType<typeof keepOutput>
  done: Promise<void>
  kill: () => void
  /** Settles at the next output or at the end. */
  stirred: Promise<void>
}

/** `first`: the number of the first job, so that no name is used twice in one session. */
export function createJobs(first = 1): Jobs {
  const entries = new Map<string, Entry>()

  const kill = async (id: string): Promise<boolean> => {
    const entry = entries.get(id)
    entry?.kill()
    await entry?.done
    return entry !== undefined
  }

  return {
    start(options) {
      const id = `job-${entries.size + first}`
      const job: BackgroundJob = {
        id,
        command: options.command,
        call: options.call,
        file: options.file(id),
        ended: undefined,
      }
      const output = keepOutput({ file: job.file, limit: options.limit })
      let stir = () => {}
      const entry: Entry = { job, output, done: Promise.resolve(), kill: () => {}, stirred: Promise.resolve() }
      const rest = () => {
        entry.stirred = new Promise((settle) => {
          stir = settle
        })
      }
      rest()
      const running = runCommand({
        ...options,
        onOutput(bytes) {
          output.add(bytes)
          stir()
          rest()
        },
      })
      entry.kill = running.kill
      entry.done = running.ended.then((ended) => {
        job.ended = ended
        output.close()
        stir()
      })
      entries.set(id, entry)
      return job
    },
    async read(id, wait, signal) {
      const entry = entries.get(id)
      if (entry === undefined) return undefined
      const news = entry.output.fresh()
      if (news !== "" || entry.job.ended !== undefined) return { job: entry.job, fresh: news }
      await firstOf(entry.stirred, wait, signal)
      return { job: entry.job, fresh: entry.output.fresh() }
    },
    kill,
    whenEnded: async (id) => entries.get(id)?.done,
    list: () => [...entries.values()].map(({ job }) => job),
    async close() {
      await Promise.all([...entries.keys()].map(kill))
    },
  }
}

async function firstOf(stirred: Promise<void>, wait: number, signal: AbortSignal): Promise<void> {
  if (wait <= 0 || signal.aborted) return
  let stop = () => {}
  const limit = new Promise<void>((settle) => {
    const timer = setTimeout(settle, wait)
    stop = () => {
      clearTimeout(timer)
      settle()
    }
    signal.addEventListener("abort", stop, { once: true })
  })
  await Promise.race([stirred, limit])
  signal.removeEventListener("abort", stop)
  stop()
}
