// The machine's folders in a sandbox's layout: determined once, so that no command can change what the next may do.
import { existsSync, mkdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { isWithin } from "../port/work-root.ts"
import type { SandboxFolders } from "./mounts.ts"

/** Caches of package managers and compilers: if one exists, commands may write to it. */
export const CACHES = [
  "~/.cache",
  "~/.npm",
  "~/.yarn",
  "~/.local/share/pnpm",
  "~/.bun/install/cache",
  "~/.cargo/registry",
  "~/.cargo/git",
  "~/go/pkg",
  "~/.gradle",
  "~/.m2/repository",
  "~/.nuget/packages",
] as const

/** Each would start programs outside the sandbox for anyone who asks. */
const DOORS = [
  "/run/user",
  "/run/docker.sock",
  "/run/podman",
  "/run/containerd",
  "/run/dbus/system_bus_socket",
  "/run/systemd/private",
  "/run/snapd.socket",
]

export interface MachineFolders {
  root: string
  /** retcon's own home. Created if it does not exist: what does not exist cannot be hidden. */
  home: string
  readable: readonly string[]
  write: readonly string[]
  temporary: string
  /** For `~/`. */
  personHome?: string
}

/** Leaves out paths that do not exist. */
export function sandboxFolders(options: MachineFolders): SandboxFolders {
  for (const folder of [options.home, ...options.readable]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const root = realpathSync(options.root)
  const home = realpathSync(options.home)
  const named = options.write.map((path) => path.replace(/^~(?=\/|$)/, options.personHome ?? "~"))
  const repository = repositoryOf(root)
  const write = [...named, ...(repository === undefined ? [] : [repository])].flatMap((path) => realIfThere(path))
  return {
    root,
    home,
    temporary: realpathSync(options.temporary),
    readable: options.readable.flatMap(realIfThere),
    write: write.filter((path) => !isWithin(home, path)),
    doors: DOORS.flatMap(realIfThere).map((path) => ({
      path,
      is: statSync(path).isDirectory() ? "folder" : "file",
    })),
  }
}

function realIfThere(path: string): string[] {
  return existsSync(path) ? [realpathSync(path)] : []
}

/**
 * The repository that the workspace is part of, if it is outside it: commits are made there. A `.git` that is a file
 * may name any folder, so it is believed only if that folder names the workspace in return.
 */
function repositoryOf(root: string): string | undefined {
  for (let folder = root; ; folder = dirname(folder)) {
    const git = join(folder, ".git")
    const found = statSync(git, { throwIfNoEntry: false })
    if (found?.isDirectory() === true) return folder === root ? undefined : git
    if (found?.isFile() === true) return linkedRepository(git)
    if (dirname(folder) === folder) return undefined
  }
}

function linkedRepository(git: string): string | undefined {
  try {
    const named = /^gitdir: (.+)$/m.exec(readFileSync(git, "utf8"))?.[1]
    if (named === undefined) return undefined
    const own = realpathSync(resolve(dirname(git), named))
    const back = resolve(own, readFileSync(join(own, "gitdir"), "utf8").trim())
    const worktrees = dirname(own)
    return realpathSync(back) === realpathSync(git) && basename(worktrees) === "worktrees"
      ? dirname(worktrees)
      : undefined
  } catch {
    return undefined
  }
}
