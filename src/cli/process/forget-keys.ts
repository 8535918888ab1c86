// Removes keys from this process's environment once they have been read, so that no child inherits them, or finds them
// by looking at its parent under /proc.
import { closeSync, openSync, readFileSync, writeSync } from "node:fs"

/** Contract: never throws. The caller has already copied what it still needs. */
export function forgetKeys(names: readonly string[]): void {
  const present = names.filter((name) => process.env[name] !== undefined)
  if (present.length === 0) return
  if (process.platform === "linux") isBlankedOut(present)
  for (const name of present) delete process.env[name]
}

/** Not every kernel lets a process write to itself this way: then it stays as it was. */
function isBlankedOut(names: readonly string[]): boolean {
  try {
    blankOut(names)
    return true
  } catch {
    return false
  }
}

/** Positions of the fields of /proc/self/stat after the name, which may itself contain spaces and brackets. */
const ENVIRONMENT_START = 47

/** Deleting a variable leaves the text with which the process was started, which /proc shows, so it is overwritten. */
function blankOut(names: readonly string[]): void {
  const stat = readFileSync("/proc/self/stat", "latin1")
  const start = Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[ENVIRONMENT_START])
  const block = readFileSync("/proc/self/environ")
  const memory = openSync("/proc/self/mem", "r+")
  try {
    for (const { at, length } of variables(block, names)) writeSync(memory, Buffer.alloc(length), 0, length, start + at)
  } finally {
    closeSync(memory)
  }
}

function variables(block: Buffer, names: readonly string[]): { at: number; length: number }[] {
  const found: { at: number; length: number }[] = []
  for (let at = 0; at < block.length; ) {
    const end = block.indexOf(0, at) < 0 ? block.length : block.indexOf(0, at)
    const name = block.toString("latin1", at, end).split("=", 1)[0] ?? ""
    if (names.includes(name)) found.push({ at, length: end - at })
    at = end + 1
  }
  return found
}
