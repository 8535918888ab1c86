// Which sandbox works here. Containers forbid what their kernel could do, so each is tried with a real command.
import { execFile } from "node:child_process"
import { realpathSync } from "node:fs"
import { findProgram, isInstalled } from "../process/programs.ts"
import { bubblewrapWords } from "./bubblewrap.ts"
import { layout, type SandboxFolders } from "./mounts.ts"
import { namespaceWords } from "./namespaces.ts"
import { foreignSockets } from "./sockets.ts"

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
