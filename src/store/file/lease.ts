// The lease of a running turn: a small file beside the log that says which process has it.
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { setImmediate } from "node:timers/promises"
import { isObject, parseJson } from "../../model/json.ts"
import type { Lease } from "../port.ts"
import { type Holder, isAlive, myself, NOBODY, same } from "./holder.ts"
import { attempt, errno } from "./problems.ts"

const HEARTBEAT_MS = 10_000
/** Contract: `now` is the clock that heartbeats are measured with. */
export function fileLease(file: string, now: () => number): Lease {
  /** Worked out when first needed: most sessions that are opened never take a lease. */
  const me = myself
  let beat: NodeJS.Timeout | undefined
  let mine = false

  function other(): Holder | undefined {
    const holder = readHolder(file)
    if (holder === undefined || (mine && same(holder, me()))) return undefined
    return isAlive(holder, file, now()) ? holder : undefined
  }

  function start(): { ok: true } {
    mine = true
    beat = setInterval(() => touch(file, now()), HEARTBEAT_MS)
    beat.unref()
    return { ok: true }
  }

  /**
   * Removes a dead lease. Only under the guard: between seeing it dead and removing it, another may have done both
   * and taken the lease, and that one must not be removed.
   */
  function removeDead(): void {
    const guard = `${file}.takeover`
    if (writeNew(guard, me())) {
      // A lease that is gone by now may be somebody's new one in a moment: only one that is seen dead is removed.
      const holder = readHolder(file)
      if (holder !== undefined && !isAlive(holder, file, now())) rmSync(file, { recursive: true, force: true })
      rmSync(guard, { force: true })
      return
    }
    const holder = readHolder(guard)
    if (holder !== undefined && !same(holder, me()) && !isAlive(holder, guard, now())) rmSync(guard, { force: true })
  }

  return {
    holder: other,
    async take() {
      if (mine) return { ok: true }
      for (;;) {
        if (writeNew(file, me())) return start()
        const holder = other()
        if (holder !== undefined) return { ok: false, pid: holder.pid }
        attempt(file, removeDead)
        await setImmediate()
      }
    },
    async release() {
      if (!mine) return
      mine = false
      clearInterval(beat)
      const holder = readHolder(file)
      if (holder !== undefined && same(holder, me())) attempt(file, () => rmSync(file, { force: true }))
    },
  }
}

/** False when it exists already. Contract: nobody ever sees it without its content. */
function writeNew(file: string, holder: Holder): boolean {
  const temporary = `${file}.${process.pid}.tmp`
  return attempt(file, () => {
    try {
      writeFileSync(temporary, JSON.stringify(holder), { mode: 0o600 })
      linkSync(temporary, file)
      return true
    } catch (error) {
      if (errno(error) === "EEXIST") return false
      throw error
    } finally {
      rmSync(temporary, { force: true })
    }
  })
}

function readHolder(file: string): Holder | undefined {
  // Mostly there is none, and a failed read costs ten times as much as this.
  if (statSync(file, { throwIfNoEntry: false }) === undefined) return undefined
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch (error) {
    if (errno(error) === undefined) throw error
    return errno(error) === "ENOENT" ? undefined : NOBODY
  }
  const json = parseJson(text)
  if (!json.ok || !isObject(json.value)) return NOBODY
  const { pid, host, started } = json.value
  if (typeof host !== "string" || typeof started !== "string" || !Number.isInteger(pid)) return NOBODY
  return { pid: Number(pid), host, started }
}

function touch(file: string, now: number): void {
  try {
    utimesSync(file, now / 1000, now / 1000)
  } catch (error) {
    if (errno(error) === undefined) throw error
  }
}
