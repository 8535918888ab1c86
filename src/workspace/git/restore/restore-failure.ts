// A restore that the system refused, and the file concerned.
import { basename, dirname } from "node:path"
import { errno } from "../../../model/failure/errno.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { isStaged } from "../disk/stage-name.ts"

/**
 * Contract: once all files are back, what kept the move from being recorded is the failure. Otherwise it names the file that the
 * system refused, or the folder in which nothing can be staged; else `path`.
 */
export function failureOf(error: unknown, path: string, rolledBack: boolean): RetconError {
  if (error instanceof RetconError && (rolledBack || error.code === "unsafe-path")) return error
  const problem = error instanceof Error ? (errno(error) ?? error.message) : String(error)
  return new RetconError(
    { code: "restore-failed", problem, path: refusedPath(error) ?? path, rolledBack },
    { cause: error },
  )
}

/** A rename has two names, one of which is ours. */
function refusedPath(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { path, dest } = error as NodeJS.ErrnoException & { dest?: unknown }
  const named = [path, dest].filter((each) => typeof each === "string")
  const staged = named.find((each) => isStaged(basename(each)))
  return named.find((each) => !isStaged(basename(each))) ?? (staged === undefined ? undefined : dirname(staged))
}
