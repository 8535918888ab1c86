// Programs from npm, in a folder of their own in the cache. Their install scripts are not run.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Program } from "./programs/program.ts"

/** Answers the folder with its `node_modules`. Installs again when the versions are others. */
export function install(program: Program, cache: string): string {
  const folder = join(cache, program.name)
  const wanted = JSON.stringify({ private: true, dependencies: program.packages })
  const stamp = join(folder, "package.json")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return folder
  const made = `${folder}.new`
  for (const each of [folder, made]) rmSync(each, { recursive: true, force: true })
  mkdirSync(made, { recursive: true })
  writeFileSync(join(made, "package.json"), wanted)
  const flags = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--force", "--loglevel=error"]
  const { status, stderr, error } = spawnSync("npm", ["install", ...flags], { cwd: made, encoding: "utf8" })
  if (status !== 0) throw new Error(`npm could not install ${program.name}: ${error?.message ?? stderr.trim()}`)
  renameSync(made, folder)
  return folder
}
