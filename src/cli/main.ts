#!/usr/bin/env node
// The program's entry. It is small, so that what needs nothing else is answered at once.
import { existsSync, writeSync } from "node:fs"
import * as nodeModule from "node:module"
import { homedir } from "node:os"
import { join } from "node:path"
import about from "../../package.json" with { type: "json" }
import { homeFolder } from "./process/home.ts"

const STDOUT = 1
const words = process.argv.slice(2)
if (!printsVersion(words)) {
  keepCompiled()
  const { runInProcess } = await import("./run-in-process.ts")
  process.exitCode = await runInProcess(words, about.version)
}

/** A failing write is left to the rest of the program, which says what is wrong. */
function printsVersion([first, ...more]: readonly string[]): boolean {
  if ((first !== "--version" && first !== "-V") || more.length > 0) return false
  try {
    writeSync(STDOUT, `${about.version}\n`)
    return true
  } catch {
    return false
  }
}

/**
 * Node 22.1 and newer can keep what it has compiled. It is kept in retcon's own folder: in the temporary folder, which is the
 * default, others could leave code there. A person who has not used retcon yet gets no folder from asking for help.
 */
function keepCompiled(): void {
  const home = homeFolder(process.env, process.platform, homedir())
  const { enableCompileCache } = nodeModule as { enableCompileCache?: (folder: string) => unknown }
  if (existsSync(home)) enableCompileCache?.(join(home, "compiled"))
}
