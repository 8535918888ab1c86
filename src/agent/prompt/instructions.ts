// What people tell agents in files: the person's own for every project, then AGENTS.md and CLAUDE.md from the repository's root down to
// the workspace, with what they import. As data. A project's file brings in nothing from outside the project, trusted or not.
import { createHash } from "node:crypto"
import { existsSync } from "node:fs"
import { type FileHandle, open, stat } from "node:fs/promises"
import { dirname, join, relative, resolve } from "node:path"
import { errno } from "../../model/failure/retcon-error.ts"
import { isWithin } from "../../model/within.ts"
import { isMissing, realPath } from "../port/tool.ts"
import { importedPaths } from "./imports.ts"

export interface Instructions {
  path: string
  text: string
  /** This is only the beginning of the file. */
  cut: boolean
  /** `person`: for every project. */
  whose: "person" | "project"
  /** The file that imports it. */
  from?: string
}

/** What was found and not used, and why: completes "not used: …". */
export interface Withheld {
  path: string
  because: string
}

export interface FoundInstructions {
  instructions: Instructions[]
  withheld: Withheld[]
}

export interface InstructionLimits {
  /** Bytes of one file, and of all together. */
  file: number
  total: number
}

export interface InstructionSources {
  limits?: InstructionLimits
  /** The person's home directory, and retcon's own. Without them there is nothing of theirs. */
  person?: { home: string; own: string }
  /** Whether a rule forbids reading this path, links resolved. */
  hidden?: (path: string) => boolean
}

/** Of one folder, in the order in which they are read: what comes later wins. */
const NAMES = ["AGENTS.md", "CLAUDE.md", join(".claude", "CLAUDE.md"), "CLAUDE.local.md"]
/** As in Codex: it is read instead of the file beside it. */
const OVERRIDE = "AGENTS.override.md"
const LIMITS: InstructionLimits = { file: 32_000, total: 64_000 }
/** As in Claude Code. */
const MOST_HOPS = 5

/** Of the person's, only the first that says something is read: whoever has several keeps the same in them. */
function personFiles({ home, own }: NonNullable<InstructionSources["person"]>): string[] {
  return [
    join(own, "AGENTS.md"),
    join(home, ".retcon", "AGENTS.md"),
    join(home, ".agents", "AGENTS.md"),
    join(home, ".claude", "CLAUDE.md"),
    join(home, ".codex", OVERRIDE),
    join(home, ".codex", "AGENTS.md"),
  ]
}

/**
 * Contract: the person's first, then outermost first, so that the nearest is read last; what a file imports follows it. Without a
 * repository, only the workspace itself is searched. A file that occurs twice, as a link or a copy, is included once; a link that leads
 * outside is not followed.
 */
export async function findInstructions(
  workspace: string,
  { limits = LIMITS, person, hidden = () => false }: InstructionSources = {},
): Promise<FoundInstructions> {
  const root = repositoryRoot(workspace)
  const [rootAt, homeAt] = [await realPath(root), await realPath(person?.home ?? root)]
  // Where the person's home is itself a repository, everything they have is in it: then only the workspace is the project.
  const real = person !== undefined && isWithin(rootAt, homeAt) ? await realPath(workspace) : rootAt
  const withheld: Withheld[] = []
  const seen = new Set<string>()
  let left = limits.total

  /** The file, then what it imports. */
  async function read(path: string, of: Pick<Instructions, "whose" | "from">, hops = 0): Promise<Instructions[]> {
    const target = await realPath(path)
    const isItself =
      of.from === undefined && target === join(await realPath(rootOf(path)), relative(rootOf(path), path))
    const leaves = of.whose === "project" && !isItself && !isWithin(real, target)
    if (leaves || hidden(path) || hidden(target)) {
      const because = leaves ? "it is outside the project" : "a rule forbids reading it"
      if (await exists(path)) withheld.push({ path, because })
      return []
    }
    const text = left <= 0 ? undefined : await beginning(path, Math.min(limits.file, left))
    if (left <= 0 && (await exists(path))) withheld.push({ path, because: `all of them together are too long` })
    if (text === undefined || text.text.trim() === "") return []
    const hash = createHash("sha256").update(text.text).digest("hex")
    if (seen.has(hash)) return []
    seen.add(hash)
    left -= Buffer.byteLength(text.text)
    const found: Instructions[] = [{ path, ...text, ...of }]
    for (const name of importedPaths(text.text)) {
      const imported = absoluteFrom(path, name, person?.home)
      if (imported === undefined || !(await isFile(imported))) continue
      if (hops >= MOST_HOPS)
        withheld.push({ path: imported, because: `it is imported over more than ${MOST_HOPS} files` })
      else found.push(...(await read(imported, { whose: of.whose, from: path }, hops + 1)))
    }
    return found
  }

  const found: Instructions[][] = []
  // The nearest are the most specific: if there is no room for all, the outermost are cut.
  for (const folder of foldersBetween(root, workspace).reverse()) {
    const [agents = "", ...others] = NAMES.map((name) => join(folder, name))
    for (const path of others.toReversed()) found.push(await read(path, { whose: "project" }))
    const instead = await read(join(folder, OVERRIDE), { whose: "project" })
    found.push(instead.length > 0 ? instead : await read(agents, { whose: "project" }))
  }
  for (const path of person === undefined ? [] : personFiles(person)) {
    const own = await read(path, { whose: "person" })
    if (own.length === 0) continue
    found.push(own)
    break
  }
  return { instructions: found.reverse().flat(), withheld }
}

/** The most bytes of a file for one folder, which comes with the result of a tool. */
const LONGEST_NESTED = 8000

/**
 * The instructions of the folders below the workspace that a file is in, outermost first: a model gets them when it reads the file.
 * Their imports are not read: the model can read them itself.
 */
export async function nestedInstructions(
  workspace: string,
  file: string,
  hidden: (path: string) => boolean,
): Promise<Instructions[]> {
  const [real, target] = [await realPath(workspace), await realPath(dirname(file))]
  if (target === real || !isWithin(real, target)) return []
  const found: Instructions[] = []
  for (const folder of foldersBetween(real, target).slice(1)) {
    for (const name of NAMES.slice(0, 2)) {
      const path = join(folder, name)
      const at = await realPath(path)
      if (at === (await realPath(file)) || !isWithin(real, at) || hidden(at)) continue
      const read = await beginning(path, LONGEST_NESTED)
      if (read === undefined || read.text.trim() === "") continue
      if (found.some(({ text }) => text === read.text)) continue
      found.push({ path: relative(real, path), ...read, whose: "project" })
    }
  }
  return found
}

/** The folder that a file of instructions is for. */
function rootOf(path: string): string {
  const folder = dirname(path)
  return path.endsWith(join(".claude", "CLAUDE.md")) ? dirname(folder) : folder
}

function absoluteFrom(file: string, name: string, home: string | undefined): string | undefined {
  if (!/^~(?:\/|$)/.test(name)) return resolve(dirname(file), name)
  return home === undefined ? undefined : join(home, name.slice(1))
}

export function repositoryRoot(workspace: string): string {
  for (let folder = workspace; ; folder = dirname(folder)) {
    if (existsSync(join(folder, ".git"))) return folder
    if (folder === dirname(folder)) return workspace
  }
}

function foldersBetween(root: string, workspace: string): string[] {
  return root === workspace ? [root] : [...foldersBetween(root, dirname(workspace)), workspace]
}

async function exists(path: string): Promise<boolean> {
  return (await statIfAllowed(path)) !== undefined
}

async function isFile(path: string): Promise<boolean> {
  return (await statIfAllowed(path))?.isFile() === true
}

async function statIfAllowed(path: string) {
  try {
    return await stat(path)
  } catch (error) {
    if (isMissing(error) || errno(error) === "EACCES" || errno(error) === "ELOOP" || errno(error) === "ENAMETOOLONG")
      return undefined
    throw error
  }
}

async function beginning(path: string, limit: number): Promise<{ text: string; cut: boolean } | undefined> {
  let file: FileHandle | undefined
  try {
    if (!(await isFile(path))) return undefined
    file = await open(path)
    const bytes = new Uint8Array(limit + 1)
    const { bytesRead } = await file.read(bytes, 0, limit + 1, 0)
    const cut = bytesRead > limit
    // stream: omits a character that the limit cuts in two.
    const text = new TextDecoder().decode(bytes.subarray(0, Math.min(bytesRead, limit)), { stream: cut })
    // Not a text.
    return text.includes("\0") ? undefined : { text, cut }
  } catch (error) {
    if (isMissing(error) || errno(error) === "EACCES" || errno(error) === "ELOOP") return undefined
    throw error
  } finally {
    await file?.close()
  }
}
