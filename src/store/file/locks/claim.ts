// A claim: a file beside the log that says which process holds something. It appears complete, or not at all.
import {
  closeSync,
  constants,
  fstatSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmdirSync,
  rmSync,
  type Stats,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { type Holder, isAlive, myself, NOBODY, same } from "../../../holder/holder.ts"
import { isObject, parseJson } from "../../../model/json.ts"
import { errno, orNothing } from "../disk/problems.ts"

/** What file systems without links report. */
const NO_LINKS: ReadonlySet<string> = new Set(["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EINVAL"])
const TAKEN: ReadonlySet<string> = new Set(["EEXIST", "ENOTEMPTY", "ENOTDIR", "EISDIR"])
const GONE: ReadonlySet<string> = new Set(["ENOENT", "ENOTDIR"])

/**
 * `link`: a symbolic link whose target names the holder, made with one call. `file`: JSON, for others to read.
 * `folder`: for file systems without links.
 */
export type ClaimKind = "link" | "file" | "folder"

/** Returns false if it already exists. */
export function claim(file: string, kind: ClaimKind): boolean {
  if (kind === "folder") return claimFolder(file)
  try {
    if (kind === "link") symlinkSync(inWords(myself()), file)
    else linkNew(file)
    return true
  } catch (error) {
    const code = errno(error) ?? ""
    if (code === "EEXIST") return false
    if (NO_LINKS.has(code)) return claimFolder(file)
    throw error
  }
}

function linkNew(file: string): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, JSON.stringify(myself()), { mode: 0o600 })
    linkSync(temporary, file)
  } finally {
    // Whether it can be removed says nothing about the claim; gc removes it otherwise.
    orNothing(() => rmSync(temporary, { force: true }))
  }
}

/** A folder with the holder in it, renamed into place: that fails if a non-empty folder is already there. */
function claimFolder(file: string): boolean {
  const temporary = `${file}.${process.pid}.claim`
  rmSync(temporary, { recursive: true, force: true })
  try {
    mkdirSync(temporary, { mode: 0o700 })
    writeFileSync(join(temporary, nameIn(myself())), JSON.stringify(myself()), { mode: 0o600 })
    renameSync(temporary, file)
    return true
  } catch (error) {
    if (TAKEN.has(errno(error) ?? "")) return false
    throw error
  } finally {
    orNothing(() => rmSync(temporary, { recursive: true, force: true }))
  }
}

/** Who holds it; undefined if nobody claims it. Never blocks, whatever is in its place, and follows no link. */
export function holderOf(file: string, stat = lstatSync(file, { throwIfNoEntry: false })): Holder | undefined {
  try {
    return readIfThere(file, stat)
  } catch (error) {
    const code = errno(error) ?? ""
    // It belongs to another user: only the file's time shows whether its holder lives.
    if (code === "EACCES" || code === "EPERM") return { ...NOBODY, space: "unknown" }
    throw error
  }
}

function readIfThere(file: string, stat: Stats | undefined): Holder | undefined {
  if (stat === undefined) return undefined
  try {
    return read(file, stat)
  } catch (error) {
    if (GONE.has(errno(error) ?? "")) return undefined
    throw error
  }
}

function read(file: string, stat: Stats): Holder {
  if (stat.isSymbolicLink()) return fromWords(readlinkSync(file))
  if (stat.isFile()) return fromJson(readText(file))
  if (!stat.isDirectory()) return NOBODY
  const [name] = readdirSync(file)
  return name === undefined ? NOBODY : fromJson(readText(join(file, name)))
}

function readText(file: string): string {
  const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
  try {
    return fstatSync(fd).isFile() ? readFileSync(fd, "utf8") : ""
  } finally {
    closeSync(fd)
  }
}

function fromJson(text: string): Holder {
  const json = parseJson(text)
  if (!json.ok || !isObject(json.value)) return NOBODY
  const { pid, host, started, space } = json.value
  if (typeof host !== "string" || typeof started !== "string" || !Number.isInteger(pid)) return NOBODY
  return { pid: Number(pid), host, started, ...(typeof space === "string" && { space }) }
}

function inWords({ pid, started, host, space = "" }: Holder): string {
  return `${pid} ${started} ${host} ${space}`
}

function fromWords(words: string): Holder {
  const [pid, started = "", host = "", space = ""] = words.split(" ")
  if (!Number.isInteger(Number(pid))) return NOBODY
  return { pid: Number(pid), started, host, ...(space !== "" && { space }) }
}

/** The name of the file in a claim's folder, unique to the holder. */
function nameIn({ pid, started }: Holder): string {
  return `${pid}-${started}`
}

/** Releases our claim, but nobody else's. Throws if it cannot tell: ours can be read. */
export function letGo(file: string): void {
  const stat = lstatSync(file, { throwIfNoEntry: false })
  const holder = readIfThere(file, stat)
  if (holder === undefined || !same(holder, myself())) return
  try {
    if (stat?.isDirectory() !== true) unlinkSync(file)
    else {
      unlinkSync(join(file, nameIn(myself())))
      rmdirSync(file)
    }
  } catch (error) {
    const code = errno(error) ?? ""
    if (!GONE.has(code) && !TAKEN.has(code)) throw error
  }
}

/**
 * Removes the claim of a dead holder. Only while holding a second claim: otherwise another process could remove the
 * dead claim and take its place after we looked, and we would remove the claim of a living holder.
 */
export function removeDead(file: string, kind: ClaimKind, now: number): void {
  const guard = `${file}.takeover`
  if (claim(guard, kind)) {
    const holder = holderOf(file)
    if (holder !== undefined && !isAlive(holder, file, now)) rmSync(file, { recursive: true, force: true })
    letGo(guard)
    return
  }
  const other = holderOf(guard)
  if (other !== undefined && !same(other, myself()) && !isAlive(other, guard, now)) {
    rmSync(guard, { recursive: true, force: true })
  }
}
