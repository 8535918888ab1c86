// retcon's own home: its settings, its sessions, and what a person has allowed. No tool may write there, in any mode.
import { relative } from "node:path"
import { isWithin } from "../../model/within.ts"
import { type RealWorkRoot, type WorkRoot } from "../port/tool.ts"
import { isCommandDenied } from "./deny-command.ts"

/** With links resolved. `scratch` is inside it, and may be read. */
export interface OwnHome {
  folder: string
  scratch: string
  /** The workspace, if it is a copy that retcon keeps there: whoever works in it may write to it. */
  copy?: string
  /** The ways in which people and programs write it. */
  names: readonly string[]
}

export function ownHome(root: WorkRoot, real: RealWorkRoot): OwnHome | undefined {
  if (root.own === undefined || real.own === undefined) return undefined
  const inside = (folder: string | undefined, path: string) =>
    folder !== undefined && folder !== path && isWithin(folder, path) ? [relative(folder, path)] : []
  const names = [
    root.own,
    real.own,
    ...inside(root.home, root.own),
    ...inside(root.folder, root.own),
    ...inside(real.folder, real.own),
  ]
  const copy = root.origin === undefined ? {} : { copy: real.folder }
  return { folder: real.own, scratch: real.scratch, ...copy, names: [...new Set(names)] }
}

export function isOwn(path: string, own: OwnHome | undefined): boolean {
  return own !== undefined && isWithin(own.folder, path) && (own.copy === undefined || !isWithin(own.copy, path))
}

/** Like `isOwn`, except for the output of commands that the model was told to read there. */
export function isSecretOwn(path: string, own: OwnHome | undefined): boolean {
  return isOwn(path, own) && own !== undefined && !isWithin(own.scratch, path)
}

/**
 * Whether the line names retcon's home, or runs retcon, which could widen permissions. No rule sees through a shell.
 */
export function touchesOwn(line: string, own: OwnHome | undefined): boolean {
  if (own === undefined) return false
  const bare = line.replace(/["'\\]/g, "").replaceAll(own.scratch, "")
  return (
    own.names.some((name) => isNamed(bare, name)) || bare.includes("RETCON_HOME") || isCommandDenied(line, "retcon")
  )
}

/** As a path, or at the end of one: not as part of a longer name. */
function isNamed(line: string, name: string): boolean {
  for (let at = line.indexOf(name); at !== -1; at = line.indexOf(name, at + 1)) {
    const [before, after] = [line[at - 1] ?? " ", line[at + name.length] ?? " "]
    if (/[\s/=:;&|(<>`]/.test(before) && /[\s/;&|)<>`*]/.test(after)) return true
  }
  return false
}
