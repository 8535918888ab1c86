// Our log of another agent's session, as a hook uses it: it reads the end and appends.
import type { AgentName } from "../../formats/port.ts"
import { isNarrower } from "../../history/files/unended.ts"
import { directoryOf, snapshotStoreOf } from "../../history/tree/directory.ts"
import { chain } from "../../history/tree/tree.ts"
import { type HookNames, KIND, type SessionRecord, type SnapshotRecord } from "../../model/record/record.ts"
import { moveFile } from "../../store/file/disk/layout.ts"
import { withMoveLock } from "../../store/file/locks/move-lock.ts"
import { FileLog } from "../../store/file/log/log.ts"
import { createOurLog } from "./our-log.ts"
import { ourLogFile } from "./our-paths.ts"

export type HookedSnapshot = SnapshotRecord & { hook: HookNames }

export type UnclosedCall = HookedSnapshot & {
  /** The next prompt found that it had been cut off. Where two programs work in one session, it may end after all. */
  cutOff: boolean
}

export interface HookLogOptions {
  home: string
  agent: AgentName
  /** The header to write if there is no log yet. */
  header: () => SessionRecord
  id: string
  now: () => number
}

/** For how many rounds a sub-agent's call is expected to end. */
const LONGEST_OPEN = 10

export class HookLog {
  readonly #log: FileLog

  private constructor(log: FileLog) {
    this.#log = log
  }

  /** Runs `work` while no other hook and no move runs in this session. */
  static async use({ home, agent, id, header, now }: HookLogOptions, work: (log: HookLog) => Promise<void>) {
    const file = ourLogFile(home, agent, id)
    createOurLog(file, header)
    const log = new FileLog(file, now)
    try {
      await withMoveLock({ file: moveFile(file), session: log.id, now }, async () => {
        log.refresh()
        await work(new HookLog(log))
      })
    } finally {
      await log.close()
    }
  }

  /** The session's folder, and the store with its snapshots if it is not the folder's own. */
  get place(): { root: string; store: string | undefined } {
    return { root: directoryOf(this.#log), store: snapshotStoreOf(this.#log.history) }
  }

  /** Whether there is already a full snapshot to build on. */
  get begun(): boolean {
    for (const snapshot of this.#newestFirst()) if (snapshot.paths === undefined) return true
    return false
  }

  /** The prompt of the latest round, as its hook named it. */
  get round(): string | undefined {
    for (const { when, hook } of this.#newestFirst())
      if (when === "before" && hook.call === undefined && hook.prompt !== undefined) return hook.prompt
    return undefined
  }

  /** Calls that began and have not ended, newest first: in the last two rounds, or a sub-agent's, which may outlive several. */
  open(): UnclosedCall[] {
    const ends = new Map<string, HookedSnapshot>()
    const found: UnclosedCall[] = []
    let rounds = 0
    for (const snapshot of this.#newestFirst()) {
      const { call, agent } = snapshot.hook
      if (call === undefined) {
        if (snapshot.when === "before" && ++rounds >= LONGEST_OPEN) break
      } else if (snapshot.when === "after") ends.set(call, ends.get(call) ?? snapshot)
      else if (rounds < 2 || agent !== undefined) {
        const end = ends.get(call)
        if (end === undefined || isNarrower(end, snapshot)) found.push({ ...snapshot, cutOff: end !== undefined })
      }
    }
    return found
  }

  async append(record: HookedSnapshot): Promise<void> {
    await this.#log.append([record], { durability: "fast" })
  }

  *#newestFirst(): Generator<HookedSnapshot> {
    const { history } = this.#log
    for (const row of chain(history, KIND.snapshot)) {
      const record = history.record(row)
      if (record?.type === "snapshot" && record.hook !== undefined) yield { ...record, hook: record.hook }
    }
  }
}
