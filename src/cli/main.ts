#!/usr/bin/env node
// The program's entry point. It is small, so that whatever needs nothing else is answered at once.
import { writeSync } from "node:fs"
import about from "../../package.json" with { type: "json" }

const STDOUT = 1
const words = process.argv.slice(2)
if (!printsVersion(words)) void run()

async function run(): Promise<void> {
  const { keepCompiled } = await import("./process/compile-cache.ts")
  keepCompiled(commandOf(words))
  const { runInProcess } = await import("./run-in-process.ts")
  process.exitCode = await runInProcess(words, about.version)
}

/** Leaves a failing write to the rest of the program, which reports what is wrong. */
function printsVersion([first, ...more]: readonly string[]): boolean {
  if ((first !== "--version" && first !== "-V") || more.length > 0) return false
  try {
    writeSync(STDOUT, `${about.version}\n`)
    return true
  } catch {
    return false
  }
}

/** The command's name, if the first word can be one. */
function commandOf([first = ""]: readonly string[]): string {
  return /^[a-z]{2,12}$/.test(first) ? first : "tui"
}
