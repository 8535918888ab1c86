// Credits changes to files to the background commands that were running meanwhile, until they end, across rounds.
import type { BackgroundJob, Jobs } from "../../agent/process/jobs.ts"
import { serial } from "../../model/serial.ts"
import type { OpenSpan } from "../../session/files/known/call-snapshots.ts"
import type { SessionFiles } from "../../session/files/session-files.ts"

export interface Background {
  /** Keeps the command's span open until it ends. */
  keep(job: BackgroundJob, span: OpenSpan): void
  /**
   * Records what they have done so far as theirs. Call it before and after a round and a move: a span during which
   * files are moved shows nothing.
   */
  mark(): Promise<void>
  /**
   * Runs the person's own command. What it changes is theirs, even while the agent's calls run. With `beside`, a call
   * may be running now; otherwise this counts from the next `mark` on.
   */
  own<Value>(call: string, beside: boolean, run: () => Promise<Value>): Promise<Value>
  /** Resolves when everything that has ended is recorded. */
  settled(): Promise<void>
}

/** `problem`: called if a snapshot failed; what the command did is then nobody's, and is kept. */
export function makeBackground(
  files: Pick<SessionFiles, "openSpan" | "closeSpan">,
  jobs: Pick<Jobs, "whenEnded">,
  problem: (error: unknown) => void,
): Background {
  const open = new Map<BackgroundJob, OpenSpan>()
  const own = new Map<string, OpenSpan | undefined>()
  const queue = serial()

  /** One after the other, so that no span is closed twice. */
  const inOrder = (work: () => Promise<void>): Promise<void> => queue.run(work).catch(problem)

  async function close(job: BackgroundJob): Promise<void> {
    const span = open.get(job)
    open.delete(job)
    if (span !== undefined) await files.closeSpan(span)
  }

  async function markOne(job: BackgroundJob, { entry, call }: OpenSpan): Promise<void> {
    await close(job)
    if (job.ended !== undefined) return
    const next = await files.openSpan({ entry, call })
    if (next !== undefined) open.set(job, next)
  }

  async function closeOwn(call: string): Promise<void> {
    const span = own.get(call)
    own.set(call, undefined)
    if (span !== undefined) await files.closeSpan(span)
  }

  async function openOwn(call: string): Promise<void> {
    own.set(call, await files.openSpan({ entry: null, call }))
  }

  return {
    async own(call, beside, run) {
      own.set(call, undefined)
      if (beside || open.size > 0) await inOrder(() => openOwn(call))
      try {
        return await run()
      } finally {
        await inOrder(() => closeOwn(call).finally(() => own.delete(call)))
      }
    },
    keep(job, span) {
      open.set(job, span)
      void jobs.whenEnded(job.id).then(() => inOrder(() => close(job)))
    },
    mark: () =>
      inOrder(async () => {
        const before = Array.from(open)
        for (const [job, span] of before) await markOne(job, span)
        for (const call of Array.from(own.keys())) {
          await closeOwn(call)
          await openOwn(call)
        }
      }),
    settled: () => inOrder(async () => undefined),
  }
}
