// Which sandbox works on this machine. Containers forbid what their kernel could do, so each is tried with a real command.
import { execFile } from "node:child_process"
import { findProgram } from "../process/programs.ts"
import { bubblewrapWords } from "./bubblewrap.ts"
import { type LayoutParts, layout } from "./layout.ts"

export type Found =
  | { by: string; words: readonly string[] }
  /** There is none, and why. */
  | { by: undefined; because: string }

export interface ProbeParts {
  places: LayoutParts
  network: boolean
  /** As a PATH. */
  search: string
}

const LONGEST = 5000

/** Contract: the answer's words have started a command on this machine just now. */
export async function findSandbox(parts: ProbeParts): Promise<Found> {
  const problems: string[] = []
  for (const { by, words } of candidates(parts)) {
    const problem = await attempt(words)
    if (problem === undefined) return { by, words }
    problems.push(problem)
  }
  return { by: undefined, because: problems[0] ?? "bubblewrap is not installed" }
}

function candidates({ places, network, search }: ProbeParts): { by: string; words: string[] }[] {
  const lookup = { path: search, workspace: places.root }
  const root = process.getuid?.() === 0
  const common = { mounts: layout(places), cwd: places.root, network, root }
  const bwrap = findProgram("bwrap", lookup)
  if (bwrap === undefined) return []
  return [false, ...(root ? [true] : [])].map((userNamespace) => ({
    by: "bubblewrap",
    words: bubblewrapWords({ ...common, program: bwrap, userNamespace }),
  }))
}

/** What went wrong, in the program's own words. */
function attempt([program = "", ...words]: readonly string[]): Promise<string | undefined> {
  return new Promise((settle) => {
    execFile(program, [...words, "/bin/sh", "-c", "echo ok"], { timeout: LONGEST, env: {} }, (error, out, err) => {
      if (error === null && out === "ok\n") return settle(undefined)
      settle(err.trim().split("\n", 1)[0] || error?.message || "it does nothing")
    })
  })
}
