// The work tree to measure: small source files, 25 per folder, committed to git.
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"

const PER_FOLDER = 25

export function makeTree(root: string, files: number): void {
  for (let folder = 0; folder < files / PER_FOLDER; folder++) {
    const path = `${root}/src/m${folder % 20}/d${folder}`
    mkdirSync(path, { recursive: true })
    for (let file = 0; file < PER_FOLDER; file++) {
      const line = `export const value${folder}_${file} = ${folder * file}\n`
      writeFileSync(`${path}/f${file}.ts`, line.repeat(20 + file))
    }
  }
  git(root, "init", "-q")
  // Otherwise the commit starts a garbage collection that would still run during the measurement.
  git(root, "config", "gc.auto", "0")
  git(root, "config", "maintenance.auto", "false")
  git(root, "add", "-A")
  git(root, "-c", "user.name=b", "-c", "user.email=b@example.com", "commit", "-qm", "first")
}

/** The path of one file of the tree, a different one for each number below a fifth of the files. */
export function pathOf(i: number): string {
  return `src/m${i % 20}/d${i}/f3.ts`
}

/** Without anyone's configuration. */
export function git(root: string, ...args: string[]): void {
  const env = { PATH: process.env.PATH, GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" }
  const result = spawnSync("git", args, { cwd: root, encoding: "utf8", env })
  if (result.status !== 0) throw new Error(result.stderr)
}
