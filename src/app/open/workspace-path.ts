// Turns paths that a person types into paths of the workspace: "./a.txt", "folder/" and absolute ones work as expected.
import { existsSync, realpathSync } from "node:fs"
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path"
import { directoryOf } from "../../history/tree/directory.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Session } from "../../session/session.ts"
import type { SessionLog } from "../../store/port.ts"
import type { AppDeps } from "../port/app-deps.ts"

/** Contract: relative to the session's folder, "" for that folder itself. Refuses, by name, what is not in it. */
export function workspacePath({ cwd }: Pick<AppDeps, "cwd">, log: SessionLog, typed: string): string {
  const root = directoryOf(log)
  const from = inside(root, cwd) === undefined ? root : cwd
  const full = resolve(from, typed)
  const path = inside(root, full) ?? inside(root, linkedPath(full))
  if (path !== undefined) return path
  const problem = `${typed} is outside the folder of this session, ${root}.`
  throw new RetconError({ code: "invalid", problem, advice: "Name a file or a folder in it. Nothing was changed." })
}

/** The requested paths; undefined for all of them: none was named, or the whole folder was. */
export function workspacePaths(
  deps: Pick<AppDeps, "cwd">,
  { log }: Session,
  typed: readonly string[],
): string[] | undefined {
  const paths = typed.map((path) => workspacePath(deps, log, path))
  return paths.length === 0 || paths.includes("") ? undefined : paths
}

/** A folder as a person names it, even one that is gone: links in the remaining part of its path are resolved. */
export function realPath(from: string, typed: string): string {
  const full = resolve(from, typed)
  return existsSync(full) ? realpathSync(full) : linkedPath(full)
}

/** The folder may have been named through a link. What is named in it is not followed: it may be a link itself. */
export function linkedPath(path: string): string {
  const folder = dirname(path)
  if (folder === path) return path
  return join(existsSync(folder) ? realpathSync(folder) : linkedPath(folder), basename(path))
}

function inside(root: string, path: string): string | undefined {
  const way = relative(root, path)
  return way === ".." || way.startsWith(`..${sep}`) || isAbsolute(way) ? undefined : way
}
