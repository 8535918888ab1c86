// Programs that some tests run for real. They are installed if that is possible without asking (as root, with apt-get);
// otherwise their tests are skipped, and the missing ones are reported.
import { spawnSync } from "node:child_process"
import { accessSync, constants } from "node:fs"
import { delimiter, join } from "node:path"

/** Each program, and the Debian package that provides it. */
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
