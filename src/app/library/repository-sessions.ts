// The folders that share one repository: its worktrees, and the folders inside them.
import { realpathSync } from "node:fs"
import { basename, dirname, join, sep } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
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
