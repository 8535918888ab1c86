// The folder of one run: on the project's disk, because a folder in memory has no fdatasync worth measuring.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from "node:fs"
import { join } from "node:path"

const PREFIX = "bench-"

/** Contract: removed when the process ends, even by Ctrl-C. Also removes what a killed run left. */
export function temporaryFolder(inside: string): string {
  mkdirSync(inside, { recursive: true })
  for (const name of readdirSync(inside)) if (isLeftOver(name)) remove(join(inside, name))
  const folder = mkdtempSync(join(inside, `${PREFIX}${process.pid}-`))
  process.on("exit", () => remove(folder))
  for (const [signal, code] of [["SIGINT", 130] as const, ["SIGTERM", 143] as const, ["SIGHUP", 129] as const]) {
    process.on(signal, () => process.exit(code))
  }
  return folder
}

function isLeftOver(name: string): boolean {
  const pid = name.startsWith(PREFIX) ? Number.parseInt(name.slice(PREFIX.length), 10) : Number.NaN
  return !Number.isNaN(pid) && !existsSync(`/proc/${pid}`) && existsSync("/proc/self")
}

function remove(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 })
}
