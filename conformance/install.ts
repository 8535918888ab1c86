// Programs from npm, each in a separate folder of the cache. Their install scripts are not run.
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { Program } from "./programs/program.ts"

/** Returns the folder with its `node_modules`. Installs again if the versions have changed. */
export function install(program: Pick<Program, "name" | "packages" | "bundled">, cache: string): string {
  const folder = join(cache, program.name)
  const wanted = JSON.stringify({ private: true, dependencies: program.packages, bundled: program.bundled })
  const stamp = join(folder, "package.json")
  if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) return folder
  const made = `${folder}.new`
  for (const each of [folder, made]) rmSync(each, { recursive: true, force: true })
  mkdirSync(made, { recursive: true })
  writeFileSync(join(made, "package.json"), wanted)
  run(made, "npm", ["install", ...FLAGS])
  if (program.bundled !== undefined) unpack(made, program.bundled)
  renameSync(made, folder)
  return folder
}

const FLAGS = ["--ignore-scripts", "--no-audit", "--no-fund", "--no-package-lock", "--force", "--loglevel=error"]

/** The package without its dependencies, as `package`. */
function unpack(folder: string, name: string): void {
  const file = run(folder, "npm", ["pack", "--silent", name]).trim()
  run(folder, "tar", ["xf", file])
  rmSync(join(folder, file))
}

function run(cwd: string, command: string, args: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(command, args, { cwd, encoding: "utf8" })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")}: ${error?.message ?? stderr.trim()}`)
  return stdout
}
