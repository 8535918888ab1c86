// Who works on a session of Codex: the process that has its file open for writing. Whoever only reads it does not.
import { lstatSync, readdirSync, readlinkSync, realpathSync } from "node:fs"
import { quietly } from "../shared/quietly.ts"

/** Undefined: nobody, as far as this user may see. */
export function writerOf(path: string): { pid: number } | undefined {
  const file = quietly(() => realpathSync(path))
  if (file === undefined) return undefined
  for (const name of quietly(() => readdirSync("/proc")) ?? []) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    const handles = quietly(() => readdirSync(`/proc/${name}/fd`)) ?? []
    if (handles.some((fd) => writes(`/proc/${name}/fd/${fd}`, file))) return { pid: Number(name) }
  }
  return undefined
}

/** The permissions of a handle's link say what it was opened for. */
const FOR_WRITING = 0o200

function writes(handle: string, file: string): boolean {
  if (quietly(() => readlinkSync(handle)) !== file) return false
  return ((quietly(() => lstatSync(handle).mode) ?? 0) & FOR_WRITING) !== 0
}
