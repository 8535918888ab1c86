// Which file a program's name refers to. The workspace must not decide that: only absolute PATH folders outside the
// workspace count, with links resolved.
import { accessSync, constants, realpathSync, statSync } from "node:fs"
import { delimiter, isAbsolute, join } from "node:path"
import { isWithin } from "../model/within.ts"

export interface Lookup {
  /** The person's PATH. */
  path: string | undefined
  /** The folder whose programs we must not start. */
  workspace: string
}

const found = new Map<string, string | undefined>()

/** Contract: absolute, or undefined if there is none. Looked up once for each name, PATH and workspace. */
export function findProgram(name: string, lookup: Lookup): string | undefined {
  const key = [name, lookup.path, lookup.workspace].join("\0")
  if (!found.has(key)) found.set(key, search(name, lookup))
  return found.get(key)
}

/** The PATH for a program of ours that itself starts others. */
export function trustedPath({ path = "", workspace }: Lookup): string {
  return folders(path, workspace).join(delimiter)
}

/** Whether a program of this name exists at all, even one that must not be started. */
export function isInstalled(name: string, path: string | undefined): boolean {
  return (path ?? "").split(delimiter).some((folder) => isAbsolute(folder) && isProgram(join(folder, name)))
}

function search(name: string, { path = "", workspace }: Lookup): string | undefined {
  const own = realOf(workspace) ?? workspace
  return folders(path, workspace)
    .map((folder) => join(folder, name))
    .find((file) => isProgram(file) && !isWithin(own, realOf(file) ?? own))
}

function folders(path: string, workspace: string): string[] {
  const own = realOf(workspace) ?? workspace
  return path.split(delimiter).filter((folder) => {
    const real = isAbsolute(folder) ? realOf(folder) : undefined
    return real !== undefined && !isWithin(own, real)
  })
}

function realOf(path: string): string | undefined {
  try {
    return realpathSync(path)
  } catch {
    return undefined
  }
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK)
    return statSync(file).isFile()
  } catch {
    return false
  }
}
