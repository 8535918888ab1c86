// The machine's folders in a sandbox's layout: determined once, so that no command can change what the next may do.
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, statSync } from "node:fs"
import { basename, dirname, join, resolve } from "node:path"
import { isWithin } from "../../model/within.ts"
import type { SandboxFolders } from "./mounts.ts"
import type { CopyInPlace } from "./port.ts"

/** Caches of package managers and compilers: if one exists, commands may write to it. */
export const CACHES = [
  "~/.cache/pip",
  "~/.cache/uv",
  "~/.cache/pypoetry",
  "~/.cache/go-build",
  "~/.cache/yarn",
  "~/.cache/pnpm",
  "~/.cache/node-gyp",
  "~/.cache/deno",
  "~/.cache/ccache",
  "~/.cache/sccache",
  "~/.npm/_cacache",
  "~/.yarn/berry",
  "~/.local/share/pnpm/store",
  "~/.bun/install/cache",
  "~/.cargo/registry",
  "~/.cargo/git",
  "~/go/pkg",
  "~/.gradle/caches",
  "~/.m2/repository",
  "~/.nuget/packages",
] as const

/**
 * Folders that contain caches, and files that shells and package managers run. Commands see what is in them and write
 * only to the caches; anything else that they create there is in a folder of their own. `hidden`: programs write there
 * too, so commands have their own.
 */
const MIXED: readonly { path: string; hidden: readonly string[] }[] = [
  { path: "~/.cache", hidden: [] },
  { path: "~/.npm", hidden: ["_npx", "_logs"] },
  { path: "~/.yarn", hidden: [] },
  { path: "~/.gradle", hidden: ["daemon", "native", "notifications", "workers", "wrapper", ".tmp"] },
]

/** Programs that run as the person, or as root, listen there. Only what every command needs stays visible. */
const RUNNING = ["/run", "/var/run"]
const NEEDED = [
  "/run/systemd/resolve",
  "/run/resolvconf",
  "/run/NetworkManager",
  "/run/netconfig",
  "/run/connman",
  "/run/current-system",
  "/run/booted-system",
  "/run/wrappers",
  "/run/opengl-driver",
  "/run/host",
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
  copy?: CopyInPlace
}

/** Leaves out paths that do not exist. */
export function sandboxFolders(options: MachineFolders): SandboxFolders {
  for (const folder of [options.home, ...options.readable]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const [root, home, temporary] = [options.root, options.home, options.temporary].map((path) => realpathSync(path)) as [
    string,
    string,
    string,
  ]
  const inHome = (path: string) => path.replace(/^~(?=\/|$)/, options.personHome ?? "~")
  const [personHome] = options.personHome === undefined ? [] : realIfThere(options.personHome)
  // Commits in a copy stay in the copy.
  const repository = options.copy === undefined ? repositoryOf(root) : undefined
  const write = [...options.write.map(inHome), ...(repository === undefined ? [] : [repository])].flatMap(realIfThere)
  const caches = new Set(options.write.some(isCache) ? CACHES.map(inHome).flatMap(realIfThere) : [])
  const mixed = options.write.some(isCache) ? MIXED.map((each) => ({ ...each, path: inHome(each.path) })) : []
  return {
    root,
    ...(options.copy !== undefined && { copy: options.copy }),
    home,
    temporary,
    readable: options.readable.flatMap(realIfThere),
    write: write.filter((path) => !isWithin(home, path)),
    mixed: mixed.flatMap(({ path, hidden }, i) =>
      realIfThere(path).map((real) => ({
        path: real,
        from: emptyFolder(temporary, i),
        shown: contentsOf(real, hidden),
      })),
    ),
    running: [...new Set(RUNNING.flatMap(realIfThere))],
    needed: NEEDED.flatMap(realIfThere),
    ownSockets: [root, ...write.filter((path) => !caches.has(path))],
    ...(personHome === undefined ? {} : { personHome }),
  }
}

function isCache(path: string): boolean {
  return (CACHES as readonly string[]).includes(path)
}

function contentsOf(folder: string, hidden: readonly string[]): string[] {
  return readdirSync(folder)
    .filter((name) => !hidden.includes(name))
    .map((name) => join(folder, name))
    .filter((path) => statSync(path, { throwIfNoEntry: false }) !== undefined)
}

function emptyFolder(temporary: string, i: number): string {
  const folder = join(temporary, ".retcon-caches", String(i))
  mkdirSync(folder, { recursive: true })
  return folder
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
