// A file system that does not tell upper from lower case, imitated: there is none on most machines that run the tests.
import fs from "node:fs"
import { basename, dirname } from "node:path"
import { vi } from "vitest"
import { errno } from "../../src/model/failure/retcon-error.ts"
import { type Edit, edit } from "./edits.ts"

/** The real calls, for what a test does itself. */
export const real = { ...fs }

/** Each name below `root` as its folder spells it; one that is not there as it was asked for. */
function speltBelow(root: string, path: unknown): unknown {
  const text = String(path)
  const inHandle = /^\/proc\/self\/fd\/\d+/.exec(text)?.[0]
  const base = inHandle ?? (text.startsWith(root) ? root : undefined)
  if (base === undefined) return path
  let found = base
  for (const name of text.slice(base.length).split("/").filter(Boolean)) {
    const folder = found
    const names = namesIn(folder)
    const same = names.find((each) => each === name) ?? names.find((each) => each.toLowerCase() === name.toLowerCase())
    found = `${folder}/${same ?? name}`
  }
  return found
}

function namesIn(folder: string): string[] {
  try {
    return real.readdirSync(folder)
  } catch (error) {
    if (["ENOENT", "ENOTDIR", "ELOOP"].includes(errno(error) ?? "")) return []
    throw error
  }
}

const ONE_PATH = ["lstatSync", "statSync", "openSync", "unlinkSync", "rmdirSync", "mkdirSync", "readdirSync"] as const
const MORE = ["readlinkSync", "existsSync", "readFileSync", "lchownSync"] as const

/** Contract: below `root` case is not told apart, until `vi.restoreAllMocks()`. */
export function ignoreCase(root: string): void {
  const spelt = (path: unknown) => speltBelow(root, path)
  for (const name of [...ONE_PATH, ...MORE]) {
    const call = real[name] as (...args: unknown[]) => unknown
    vi.spyOn(fs, name).mockImplementation((path: unknown, ...rest: unknown[]) => call(spelt(path), ...rest) as never)
  }
  for (const name of ["renameSync", "linkSync"] as const) {
    vi.spyOn(fs, name).mockImplementation((from: unknown, to: unknown) => {
      const [source, target] = [spelt(from), spelt(to)]
      real[name](String(source), source === target ? String(to) : String(target))
    })
  }
}

/** An edit as such a file system carries it out: a name that is there in another spelling is that file. */
export function editIgnoringCase(root: string, change: Edit, mark: string): void {
  const there = (path: string) => String(speltBelow(root, `${root}/${path}`)).slice(root.length + 1)
  const path = there(change.path)
  if (change.do !== "rename") edit(root, { ...change, path }, mark)
  else if (there(change.to) !== path) edit(root, { ...change, path, to: there(change.to) }, mark)
  else if (real.existsSync(`${root}/${path}`))
    real.renameSync(`${root}/${path}`, `${root}/${dirname(path)}/${basename(change.to)}`)
}
