#!/usr/bin/env node
// The program's entry. It is small, so that what needs nothing else is answered at once.
import { writeSync } from "node:fs"
import about from "../../package.json" with { type: "json" }

const STDOUT = 1
const words = process.argv.slice(2)
if (!printsVersion(words)) {
  const { runInProcess } = await import("./process-run.ts")
  process.exitCode = await runInProcess(words, about.version)
}

/** A write that fails is left to the whole program, which says what is wrong. */
function printsVersion([first, ...more]: readonly string[]): boolean {
  if ((first !== "--version" && first !== "-V") || more.length > 0) return false
  try {
    writeSync(STDOUT, `${about.version}\n`)
    return true
  } catch {
    return false
  }
}
