// Programs that some tests run for real. Where it can be done without a question (as root, with apt-get) they are installed;
// elsewhere their tests are skipped, and which ones are missing is said.
import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

/** Each program, and Debian's package that has it. */
const PROGRAMS = { tmux: "tmux", rg: "ripgrep", zsh: "zsh", fish: "fish", bwrap: "bubblewrap" }

export function prepareTestPrograms() {
  const missing = Object.keys(PROGRAMS).filter((name) => !isHere(name))
  if (missing.length === 0) return
  if (process.getuid?.() === 0 && isHere("apt-get")) {
    process.stderr.write(`Installing ${missing.join(", ")} for the tests (once)…\n`)
    install(missing.map((name) => PROGRAMS[name]))
  }
  const absent = missing.filter((name) => !isHere(name))
  if (absent.length > 0) process.stderr.write(`Tests that need ${absent.join(", ")} are skipped: not installed here.\n`)
}

/** A machine that never installed anything has no lists of packages yet. */
function install(packages) {
  if (apt("install", "--yes", "--no-install-recommends", ...packages)) return
  if (apt("update")) apt("install", "--yes", "--no-install-recommends", ...packages)
}

function apt(...args) {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  return spawnSync("apt-get", ["--quiet", ...args], { stdio: "ignore", env, timeout: 180_000 }).status === 0
}

function isHere(name) {
  return (process.env.PATH ?? "").split(delimiter).some((folder) => isExecutable(join(folder, name)))
}

function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK)
    return true
  } catch {
    return false
  }
}
