// Lists sessions without reading them: a catalogue per directory, checked by size and time; then the index; then the log.
import { readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs"
import { join, sep } from "node:path"
import { RetconError } from "../../model/failure.ts"
import { parseSessionId } from "../../model/id.ts"
import { isObject, parseJson } from "../../model/json.ts"
import type { SessionSummary } from "../port.ts"
import { checkHeader, openLogFile } from "./header.ts"
import { readListed } from "./index-file.ts"
import { indexFile, LEASE_SUFFIX, LOG_SUFFIX, leaseFile } from "./layout.ts"
import { fileLease } from "./lease.ts"
import { attempt, errno } from "./problems.ts"
import { LogView } from "./view.ts"

const NAME = "catalogue.json"
/** Raise it when a field is added to what is listed. */
const VERSION = 2

/** What the catalogue keeps of a session: all but where it is. `bytes` and `mtime` tell whether it still fits. */
type Listed = Omit<SessionSummary, "file" | "busy"> & { mtime: number }

/** The sessions of one folder. Contract: reads no whole log that has an index; failing to keep the catalogue is fine. */
export function listFolder(folder: string, now: () => number): SessionSummary[] {
  const all = readNames(folder)
  const names = all.filter(isLogName)
  const leases = new Set(all.filter((name) => name.endsWith(LEASE_SUFFIX)))
  const kept = readCatalogue(join(folder, NAME))
  const listed: { [name: string]: Listed } = {}
  const summaries: SessionSummary[] = []
  let changed = kept.size !== names.length
  for (const name of names) {
    const file = folder + sep + name
    const stat = statOf(file)
    if (stat === undefined) continue
    const known = kept.get(name)
    const fits = known !== undefined && known.bytes === stat.size && known.mtime === stat.mtimeMs
    const entry = fits ? known : (indexed(file, stat) ?? opened(file, stat))
    if (!fits) changed = true
    if (entry === undefined) continue
    listed[name] = entry
    const summary = summaryOf(entry, file)
    if (leases.has(entry.id + LEASE_SUFFIX) && isBusy(file, now)) summary.busy = true
    summaries.push(summary)
  }
  // The list is answered first; what makes the next one quicker comes after.
  if (changed && summaries.length > 0) setImmediate(writeCatalogue, join(folder, NAME), listed)
  return summaries
}

/** Field by field: a spread takes longer than all the rest. */
function summaryOf(entry: Listed, file: string): SessionSummary {
  const { id, cwd, title, prompts, branches, updated, archived, bytes, from } = entry
  return { id, file, cwd, title, prompts, branches, updated, archived, bytes, from }
}

/** Not with a turn of our own. */
function isBusy(file: string, now: () => number): boolean {
  const holder = fileLease(leaseFile(file), now).holder()
  return holder !== undefined && holder.pid !== process.pid
}

/** Undefined for what is gone, and for what cannot be reached. */
function statOf(file: string): Stats | undefined {
  try {
    return statSync(file, { throwIfNoEntry: false })
  } catch (error) {
    if (errno(error) === undefined) throw error
    return undefined
  }
}

function readNames(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (errno(error) === undefined) throw error
    return []
  }
}

function isLogName(name: string): boolean {
  return name.endsWith(LOG_SUFFIX) && parseSessionId(name.slice(0, -LOG_SUFFIX.length)) !== undefined
}

/** From the index alone, when the log is as long as that says and was not written since. */
function indexed(file: string, stat: Stats): Listed | undefined {
  const header = readListed(indexFile(file))
  if (header === undefined || header.covered !== stat.size || !isObject(header.said.listing)) return undefined
  const { id, cwd, from, modified } = header.said.listing
  if (modified !== stat.mtimeMs) return undefined
  const { title, prompts, branches, updated, archived } = header.said
  const listed = { id, cwd, title, prompts, branches, updated, archived, bytes: stat.size, mtime: modified, from }
  return isListed(listed) ? (listed as unknown as Listed) : undefined
}

/** Undefined for what cannot be opened: a list must not fail for one bad file. `doctor` says what is wrong with it. */
function opened(file: string, stat: Stats): Listed | undefined {
  try {
    return attempt(file, () => readLog(file, stat))
  } catch (error) {
    if (error instanceof RetconError) return undefined
    throw error
  }
}

function readLog(file: string, { size, mtimeMs }: Stats): Listed {
  const view = new LogView(file, openLogFile(file).fd)
  try {
    view.load()
    const { id, cwd, from } = checkHeader(file, view.history).header
    view.flush()
    return { ...view.summary, id, cwd, bytes: size, mtime: mtimeMs, from }
  } finally {
    view.close()
  }
}

/** Catalogues as this process last read or wrote them: to parse one takes as long as to look at all its sessions. */
const parsed = new Map<string, { size: number; mtime: number; ino: number; kept: Map<string, Listed> }>()

function readCatalogue(file: string): Map<string, Listed> {
  const stat = statOf(file)
  if (stat === undefined) return new Map()
  const known = parsed.get(file)
  if (known?.size === stat.size && known.mtime === stat.mtimeMs && known.ino === stat.ino) return known.kept
  const kept = parseCatalogue(file)
  parsed.set(file, { size: stat.size, mtime: stat.mtimeMs, ino: stat.ino, kept })
  return kept
}

function parseCatalogue(file: string): Map<string, Listed> {
  const kept = new Map<string, Listed>()
  const json = parseJson(readText(file))
  if (!json.ok || !isObject(json.value) || json.value.version !== VERSION || !isObject(json.value.sessions)) return kept
  for (const name in json.value.sessions) {
    const value = json.value.sessions[name]
    if (isObject(value) && isListed(value)) kept.set(name, value as unknown as Listed)
  }
  return kept
}

/** Empty when there is none. */
function readText(file: string): string {
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if (errno(error) === undefined) throw error
    return ""
  }
}

function isListed(value: { readonly [field in keyof Listed]?: unknown }): boolean {
  return (
    parseSessionId(value.id) !== undefined &&
    typeof value.mtime === "number" &&
    typeof value.bytes === "number" &&
    typeof value.cwd === "string" &&
    typeof value.title === "string" &&
    typeof value.updated === "string" &&
    typeof value.prompts === "number" &&
    typeof value.branches === "number" &&
    typeof value.archived === "boolean"
  )
}

function writeCatalogue(file: string, listed: { [name: string]: Listed }): void {
  const temporary = `${file}.${process.pid}.tmp`
  const text = JSON.stringify({ version: VERSION, sessions: listed })
  try {
    writeFileSync(temporary, text, { mode: 0o600 })
    renameSync(temporary, file)
  } catch (error) {
    if (errno(error) === undefined) throw error
    rmSync(temporary, { force: true })
  }
}
