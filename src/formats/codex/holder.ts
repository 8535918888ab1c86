// Who works on a session of Codex: the process that has its file open.
import { readdirSync, readlinkSync, realpathSync } from "node:fs"
import { quietly } from "../shared/quietly.ts"

/** Undefined: nobody, as far as this user may see. */
export function processWith(path: string): { pid: number } | undefined {
  const file = quietly(() => realpathSync(path))
  if (file === undefined) return undefined
  for (const name of quietly(() => readdirSync("/proc")) ?? []) {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) continue
    const handles = quietly(() => readdirSync(`/proc/${name}/fd`)) ?? []
    if (handles.some((fd) => quietly(() => readlinkSync(`/proc/${name}/fd/${fd}`)) === file))
      return { pid: Number(name) }
  }
  return undefined
}
