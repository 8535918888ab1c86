// A process that holds something, and whether it is still alive.
import { createHash } from "node:crypto"
import { lstatSync, readFileSync, readlinkSync } from "node:fs"
import { hostname } from "node:os"
import { errno } from "../model/failure/retcon-error.ts"
import { isRunning, startOf } from "./process.ts"

export interface Holder {
  pid: number
  host: string
  /** When the process started, if the system says so: a later process may get the same number. */
  started: string
  /**
   * Where its number is valid, if the system says so: one boot of the machine, and one namespace of process numbers.
   */
  space?: string
}

/** Where a holder's number means nothing to us, only its heartbeat shows that it is alive. */
const DEAD_AFTER_MS = 60_000

/** The holder of a claim that cannot be read. */
export const NOBODY: Holder = { pid: 0, host: hostname(), started: "" }

let known: Holder | undefined

export function myself(): Holder {
  if (known !== undefined) return known
  const space = mySpace()
  known = { pid: process.pid, host: hostname(), started: startOf(process.pid) ?? "", ...(space !== "" && { space }) }
  return known
}

export function same(a: Holder, b: Holder): boolean {
  return a.pid === b.pid && a.host === b.host && a.started === b.started && a.space === b.space
}

/** `file`: its modification time is the holder's heartbeat. */
export function isAlive(holder: Holder, file: string, now: number): boolean {
  if (!isNear(holder)) {
    const beat = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    return now - beat < DEAD_AFTER_MS
  }
  return isRunning(holder.pid, holder.started)
}

/** Whether its number is one of ours: containers and sandboxes share a host's name, but each counts from 1. */
function isNear(holder: Holder): boolean {
  return holder.host === hostname() && (holder.space === undefined || holder.space === myself().space)
}

/** Short, because creating a link is much quicker when its target has fewer than 60 bytes. */
function mySpace(): string {
  const boot = told(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim())
  const space = `${boot} ${told(() => readlinkSync("/proc/self/ns/pid"))}`.trim()
  return space === "" ? "" : createHash("sha256").update(space).digest("hex").slice(0, 12)
}

function told(ask: () => string): string {
  try {
    return ask()
  } catch (error) {
    if (errno(error) === undefined) throw error
    return ""
  }
}
