// Who changed files while commands run in the background: these, until they end, from round to round.
import type { Job, Jobs } from "../agent/process/jobs.ts"
import type { SessionFiles } from "../session/files/session-files.ts"
import type { OpenWindow } from "../session/files/window.ts"

export interface Background {
  /** The command's window stays open until it ends. */
  keep(job: Job, window: OpenWindow): void
  /**
   * Records what they did so far as theirs. Around a round, and around a move: a window that files are moved in
   * tells nothing.
   */
  mark(): Promise<void>
  /** Resolves when what has ended is recorded. */
  settled(): Promise<void>
}

/** `problem`: a snapshot failed; what the command did is nobody's then, and is kept. */
export function makeBackground(
  files: Pick<SessionFiles, "openWindow" | "closeWindow">,
  jobs: Pick<Jobs, "whenEnded">,
  problem: (error: unknown) => void,
): Background {
  const open = new Map<Job, OpenWindow>()
  let queue: Promise<void> = Promise.resolve()

  /** One after the other, so that no window is closed twice. */
  const inOrder = (work: () => Promise<void>): Promise<void> => {
    queue = queue.then(work).catch(problem)
    return queue
  }

  async function close(job: Job): Promise<void> {
    const window = open.get(job)
    open.delete(job)
    if (window !== undefined) await files.closeWindow(window)
  }

  async function markOne(job: Job, { entry, call }: OpenWindow): Promise<void> {
    await close(job)
    if (job.ended !== undefined) return
    const next = await files.openWindow({ entry, call })
    if (next !== undefined) open.set(job, next)
  }

  return {
    keep(job, window) {
      open.set(job, window)
      void jobs.whenEnded(job.id).then(() => inOrder(() => close(job)))
    },
    mark: () =>
      inOrder(async () => {
        const before = Array.from(open)
        for (const [job, window] of before) await markOne(job, window)
      }),
    settled: () => inOrder(async () => undefined),
  }
}
