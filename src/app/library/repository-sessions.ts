// The folders that share one repository: its worktrees, and the folders inside them.
import { realpathSync } from "node:fs"
import { basename, dirname, join, sep } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isWithin } from "../../model/within.ts"
import { namesOf } from "../../store/file/folder/stat-if-there.ts"
import type { SessionSummary } from "../../store/port.ts"
import { projectAround, readIfThere } from "../../workspace/git/project/project.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { isFolder } from "./moved-folder.ts"

/**
 * The sessions of all worktrees of the repository around this folder, including worktrees that are gone, as long as the
 * repository remembers them. A clone is a separate repository.
 */
export function ofRepository(deps: AppDeps, all: readonly SessionSummary[]): SessionSummary[] {
  const common = commonFolder(deps.cwd)
  if (common === undefined) {
    const advice = ["Go to a folder in one, or see all sessions with: ", { do: "sessions" }] as const
    throw new RetconError({ code: "invalid", problem: `${deps.cwd} is not in a git repository.`, advice })
  }
  const tops = worktrees(common)
  const known = new Map<string, boolean>()
  const isIn = (cwd: string): boolean => {
    if (isFolder(cwd)) return commonFolder(cwd) === common
    return tops.some((top) => cwd === top || cwd.startsWith(top + sep))
  }
  return all.filter(({ cwd }) => {
    const answer = known.get(cwd) ?? isIn(cwd)
    known.set(cwd, answer)
    return answer
  })
}

function commonFolder(folder: string): string | undefined {
  const common = projectAround(folder)?.commonFolder
  return common !== undefined && isFolder(common) ? realpathSync(common) : undefined
}

/** As the repository itself remembers them. */
function worktrees(common: string): string[] {
  const linked = namesOf(join(common, "worktrees")).flatMap((name) => {
    const file = readIfThere(join(common, "worktrees", name, "gitdir"))
      ?.toString()
      .trim()
    return file?.startsWith("/") ? [dirname(file)] : []
  })
  return basename(common) === ".git" ? [dirname(common), ...linked] : linked
}

/**
 * The folders whose sessions a command may mean, in groups: a later group counts only if nothing is in those before. First
 * this folder, with those above it up to the top of its repository: they are one project. Then each folder above, except the
 * person's home: what was said there is not about a project in it.
 */
export function foldersHere(cwd: string, home: string): string[][] {
  const top = projectAround(cwd)?.top
  const above: string[] = []
  for (let at = dirname(cwd); at !== dirname(at); at = dirname(at)) if (at !== home) above.push(at)
  const inProject = top === undefined || top === home ? [] : above.filter((folder) => isWithin(top, folder))
  return [[cwd, ...inProject], ...above.slice(inProject.length).map((folder) => [folder])]
}
