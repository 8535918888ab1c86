// The door in this process; loading it replaces Node's file functions.
import type fs from "node:fs"
import { createRequire } from "node:module"
import { join } from "node:path"

export type Fault = "EMFILE" | "ENOSPC" | "EIO" | "EACCES" | "short" | "dead" | "SIGKILL"

export interface Door {
  call: string
  arm(fault: Fault, at: number, lasting?: boolean): void
  disarm(): { calls: number; fired: number }
  isDead(): boolean
  pause(): void
  resume(): void
  cover(folder: string): void
  real: typeof fs
}

export const DOOR = join(import.meta.dirname, "door.cjs")

export const door = createRequire(import.meta.url)(DOOR) as Door
