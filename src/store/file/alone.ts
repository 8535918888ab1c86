// One mover at a time: a claim that is held for a moment. It is a symbolic link whose target names the holder, because
// that is made, with its content, by one call.
import { lstatSync, readlinkSync, rmSync, symlinkSync, unlinkSync } from "node:fs"
import { setTimeout } from "node:timers/promises"
import { RetconError } from "../../model/failure.ts"
import type { SessionId } from "../../model/id.ts"
import { type Holder, isAlive, myself, NOBODY } from "./holder.ts"
import { attempt, errno } from "./problems.ts"

const WAIT_MS = 4
/** A move with very many files may take a while; one that takes longer is said, with its process. */
const ATTEMPTS = 2_500

export interface AloneParts {
  /** Where the claim is. */
  file: string
  session: SessionId
  now: () => number
}

export async function alone<Value>(parts: AloneParts, work: () => Promise<Value>): Promise<Value> {
  const { file, session } = parts
  for (let attempts = 1; !claim(file); attempts++) {
    const holder = holderOf(file)
    if (holder !== undefined && !isAlive(holder, file, parts.now())) removeDead(parts)
    else if (attempts === ATTEMPTS) throw new RetconError({ code: "session-busy", session, pid: holder?.pid ?? 0 })
    else await setTimeout(WAIT_MS)
  }
  try {
    return await work()
  } finally {
    release(file)
  }
}

/** A claim that is gone was taken for a dead one's: nothing is left to do. */
function release(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (errno(error) !== "ENOENT") throw error
  }
}

function claim(file: string): boolean {
  const { pid, started, host } = myself()
  return attempt(file, () => {
    try {
      symlinkSync(`${pid} ${started} ${host}`, file)
      return true
    } catch (error) {
      if (errno(error) === "EEXIST") return false
      throw error
    }
  })
}

function holderOf(file: string): Holder | undefined {
  try {
    const [pid, started = "", host = ""] = readlinkSync(file).split(" ")
    return Number.isInteger(Number(pid)) ? { pid: Number(pid), started, host } : NOBODY
  } catch (error) {
    if (errno(error) === "ENOENT") return undefined
    if (errno(error) === "EINVAL") return NOBODY
    throw error
  }
}

/** Under a claim of its own: between seeing it dead and removing it, another may have done both. */
function removeDead({ file, now }: AloneParts): void {
  const guard = `${file}.takeover`
  if (!claim(guard)) {
    const other = holderOf(guard)
    if (other !== undefined && !isAlive(other, guard, now())) rmSync(guard, { force: true })
    return
  }
  const holder = holderOf(file)
  const dead = holder !== undefined && !isAlive(holder, file, now())
  if (dead && lstatSync(file, { throwIfNoEntry: false }) !== undefined) rmSync(file, { recursive: true, force: true })
  rmSync(guard, { force: true })
}
