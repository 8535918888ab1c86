// A copy of the project for making changes. The working tree is never touched.
import { execFileSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { root } from "../prepare.mjs"

/** Contract: what git would commit, plus `dist`. Removed when the process ends. */
export function copyTree() {
  const copy = mkdtempSync(join(tmpdir(), "retcon-mutate-"))
  process.on("exit", () => rmSync(copy, { recursive: true, force: true }))
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(1))
  const list = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], { cwd: root })
  for (const name of list.toString().split("\0").filter(Boolean)) {
    if (!existsSync(join(root, name))) continue
    mkdirSync(dirname(join(copy, name)), { recursive: true })
    cpSync(join(root, name), join(copy, name))
  }
  cpSync(join(root, "dist"), join(copy, "dist"), { recursive: true })
  symlinkSync(join(root, "node_modules"), join(copy, "node_modules"))
  return copy
}
