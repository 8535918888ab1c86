// The lease of a running turn: a small file beside the log that says which process has it.
import { linkSync, readFileSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs"
import { hostname } from "node:os"
import { setImmediate } from "node:timers/promises"
import { isObject, parseJson } from "../../model/json.ts"
import type { Lease } from "../port.ts"
import { attempt, errno } from "./problems.ts"

interface Holder {
  pid: number
  host: string
  /** When the process started, as far as the system tells: a number may be given to a later process again. */
  started: string
}

const HEARTBEAT_MS = 10_000
/** A holder on another machine is known to live only by its heartbeat. */
const DEAD_AFTER_MS = 60_000

/** Contract: `now` is the clock that heartbeats are measured with. */
export function fileLease(file: string, now: () => number): Lease {
  const me: Holder = { pid: process.pid, host: hostname(), started: startOf(process.pid) }
  let beat: NodeJS.Timeout | undefined
  let mine = false

  function other(): Holder | undefined {
    const holder = readHolder(file)
    if (holder === undefined || (mine && same(holder, me))) return undefined
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
    if (writeNew(guard, me)) {
      if (other() === undefined) rmSync(file, { recursive: true, force: true })
      rmSync(guard, { force: true })
      return
    }
    const holder = readHolder(guard)
    if (holder !== undefined && !same(holder, me) && !isAlive(holder, guard, now())) rmSync(guard, { force: true })
  }

  return {
    holder: other,
    async take() {
      if (mine) return { ok: true }
      for (;;) {
        if (writeNew(file, me)) return start()
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
      if (holder !== undefined && same(holder, me)) attempt(file, () => rmSync(file, { force: true }))
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

/** Nobody: what a lease says that cannot be read. */
const NOBODY: Holder = { pid: 0, host: hostname(), started: "" }

function readHolder(file: string): Holder | undefined {
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch (error) {
    if (errno(error) === undefined) throw error
    return undefined
  }
  const json = parseJson(text)
  if (!json.ok || !isObject(json.value)) return NOBODY
  const { pid, host, started } = json.value
  if (typeof host !== "string" || typeof started !== "string" || !Number.isInteger(pid)) return NOBODY
  return { pid: Number(pid), host, started }
}

function same(a: Holder, b: Holder): boolean {
  return a.pid === b.pid && a.host === b.host && a.started === b.started
}

function isAlive(holder: Holder, file: string, now: number): boolean {
  if (holder.host !== hostname()) {
    const beat = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    return now - beat < DEAD_AFTER_MS
  }
  if (holder.pid <= 0) return false
  try {
    process.kill(holder.pid, 0)
  } catch (error) {
    if (errno(error) !== "EPERM") return false
  }
  return holder.started === "" || startOf(holder.pid) === holder.started
}

/** The start of a process in clock ticks since boot, where /proc tells it; else nothing. */
function startOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  } catch (error) {
    if (errno(error) === undefined) throw error
    return ""
  }
}

function touch(file: string, now: number): void {
  try {
    utimesSync(file, now / 1000, now / 1000)
  } catch (error) {
    if (errno(error) === undefined) throw error
  }
}
