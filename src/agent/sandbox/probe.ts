// Which sandbox works here. Containers forbid what their kernel could do, so each is tried with a real command.
import { execFile } from "node:child_process"
import { existsSync, readFileSync, realpathSync, statSync } from "node:fs"
import { isWithin } from "../../model/within.ts"
import { findProgram, isInstalled } from "../../programs/find-program.ts"
import { layout, type Mount, type SandboxFolders, TEMPORARY } from "./mounts.ts"
import { namespaceWords } from "./namespaces.ts"

export type FoundSandbox =
  /** `words` start a command; some mounts depend on what is open when it starts. */
  | { by: string; words: () => readonly string[] }
  /** There is none: why, and what would help. */
  | { by: undefined; because: string; advice: string }

export interface ProbeOptions {
  folders: SandboxFolders
  network: boolean
  /** In the form of a PATH. */
  search: string
  /** An empty folder in which to build a root. */
  staging: string
}

const LONGEST = 5000
const INSTALL = "Install bubblewrap (apt, dnf or pacman install bubblewrap)"

/** Contract: what it returns has just started a command on this machine. */
export async function findSandbox(options: ProbeOptions): Promise<FoundSandbox> {
  const problems: string[] = []
  for (const { by, words } of candidates(options)) {
    const problem = await attempt(words())
    if (problem === undefined) return { by, words }
    problems.push(problem)
  }
  const [problem] = problems
  return { by: undefined, ...(problem === undefined ? noCandidate(options) : { because: problem, advice: INSTALL }) }
}

function noCandidate({ search }: ProbeOptions): { because: string; advice: string } {
  if (process.platform !== "linux") return { because: "sandboxes need Linux", advice: "Run retcon on Linux" }
  if (["bwrap", "unshare"].some((name) => isInstalled(name, search))) {
    const because = "the program that makes one is inside the workspace, and retcon trusts no program there"
    return { because, advice: "Work in a smaller folder" }
  }
  return { because: "neither bubblewrap nor unshare is installed", advice: INSTALL }
}

interface Candidate {
  by: string
  words: () => string[]
}

function candidates({ folders: places, network, search, staging }: ProbeOptions): Candidate[] {
  const [uid, gid] = [process.getuid?.(), process.getgid?.()]
  // Namespaces exist only on Linux.
  if (process.platform !== "linux" || uid === undefined || gid === undefined) return []
  const lookup = { path: search, workspace: places.root }
  const common = () => ({ mounts: layout(places, foreignSockets(places)), cwd: places.root, network })
  const [bwrap, unshare] = [findProgram("bwrap", lookup), findProgram("unshare", lookup)]
  const root = uid === 0
  const found: Candidate[] = []
  for (const userNamespace of bwrap === undefined ? [] : root ? [false, true] : [false]) {
    const program = bwrap as string
    found.push({ by: "bubblewrap", words: () => bubblewrapWords({ ...common(), root, userNamespace, program }) })
  }
  if (unshare !== undefined) {
    // It is started inside too, where a link to it may not be visible.
    const program = realpathSync(unshare)
    found.push({ by: "namespaces", words: () => namespaceWords({ ...common(), uid, gid, staging, program }) })
  }
  return found
}

/** Returns what went wrong, in the program's own words. */
function attempt([program = "", ...words]: readonly string[]): Promise<string | undefined> {
  return new Promise((settle) => {
    execFile(program, [...words, "/bin/sh", "-c", "echo ok"], { timeout: LONGEST, env: {} }, (error, out, err) => {
      if (error === null && out === "ok\n") return settle(undefined)
      settle(err.trim().split("\n", 1)[0] || error?.message || "it does nothing")
    })
  })
}

/**
 * Sockets of other programs: each is a door out of the sandbox, because whoever listens does what it is asked. The
 * files of all sockets that programs on this machine have open now and that a command could otherwise reach. Those of
 * the workspace, and of folders that the person lets commands write to, stay open, except in hidden folders of the
 * person's home.
 */
function foreignSockets(folders: SandboxFolders): string[] {
  const { ownSockets, running, needed, personHome } = folders
  const isHidden = (path: string) =>
    isWithin(TEMPORARY, path) ||
    (running.some((each) => isWithin(each, path)) && !needed.some((each) => isWithin(each, path)))
  const isOwn = (path: string) =>
    ownSockets.some((each) => isWithin(each, path) && !isDotted(each, path, personHome)) || isWithin(folders.home, path)
  return [...new Set(openSockets())].filter((path) => !isHidden(path) && !isOwn(path))
}

/** In `~/.docker` and the like, where the workspace is the home itself. */
function isDotted(folder: string, path: string, personHome: string | undefined): boolean {
  return personHome !== undefined && isWithin(folder, personHome) && path.startsWith(`${personHome}/.`)
}

/** Abstract sockets have no file: only the network's own namespace closes them. */
function openSockets(): string[] {
  return table().flatMap((line) => {
    const path = /^(?:\S+ +){6}\S+ (\/.+)$/.exec(line)?.[1]
    try {
      return path !== undefined && existsSync(path) && statSync(path).isSocket() ? [realpathSync(path)] : []
    } catch {
      return []
    }
  })
}

function table(): string[] {
  try {
    return readFileSync("/proc/net/unix", "utf8").split("\n")
  } catch {
    return []
  }
}

interface BubblewrapOptions {
  program: string
  mounts: readonly Mount[]
  cwd: string
  network: boolean
  /** Root keeps only what it needs to work with other users' files, and nothing that leads outside. */
  root: boolean
  /** Root in a container may need a user namespace to be allowed the others. */
  userNamespace: boolean
}

const SETTINGS = ["sys", "sysrq-trigger"]
const ROOT_KEEPS = ["CAP_DAC_OVERRIDE", "CAP_FOWNER", "CAP_CHOWN"]

/**
 * The sandbox with bubblewrap (`bwrap`), which most desktops have and every distribution packages. Contract: what is
 * appended to this runs in the sandbox, and all of it ends with its first process, or with ours.
 */
function bubblewrapWords(options: BubblewrapOptions): string[] {
  return [
    options.program,
    "--die-with-parent",
    "--unshare-pid",
    "--unshare-ipc",
    ...(options.network ? [] : ["--unshare-net"]),
    ...(options.userNamespace ? ["--unshare-user"] : []),
    ...(options.root ? ["--cap-drop", "ALL", ...ROOT_KEEPS.flatMap((name) => ["--cap-add", name])] : []),
    ...options.mounts.flatMap(words),
    // Only at the end: everything inside them is mounted by now.
    ...options.mounts.flatMap(({ kind, path }) => (kind === "empty-folder" ? ["--remount-ro", path] : [])),
    "--chdir",
    options.cwd,
    "--",
  ]
}

function words(mount: Mount): string[] {
  const { path } = mount
  switch (mount.kind) {
    // What has been removed since is left out, rather than that no command starts any more.
    case "read":
      return [path === "/" ? "--ro-bind" : "--ro-bind-try", mount.from ?? path, path]
    case "write":
      return ["--bind-try", path, path]
    case "private":
      return ["--bind", mount.from, path]
    case "empty-folder":
      return ["--tmpfs", path]
    case "empty-file":
      return ["--ro-bind", "/dev/null", path]
    case "devices":
      return ["--dev", path]
    case "processes":
      // Only the sandbox's own processes. The machine's settings are read-only: root could change them.
      return ["--proc", path, ...SETTINGS.flatMap((name) => ["--ro-bind-try", `${path}/${name}`, `${path}/${name}`])]
  }
}
