// Lists sessions without reading them: a catalogue per directory, checked by size and time; then the index; then the log.
import { readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs"
import { join, sep } from "node:path"
import { RetconError } from "../../model/failure.ts"
import { parseSessionId } from "../../model/id.ts"
import { isObject, type JsonObject, parseJson } from "../../model/json.ts"
import type { SessionSummary } from "../port.ts"
import { checkHeader, openLogFile } from "./header.ts"
import { readSummary } from "./index-file.ts"
import { indexFile, LOG_SUFFIX } from "./layout.ts"
import { attempt, errno } from "./problems.ts"
import { LogView } from "./view.ts"

const NAME = "catalogue.json"
/** Raise it when a field is added to what is listed. */
const VERSION = 2

/** What the catalogue keeps of a session: all but where it is. `bytes` and `mtime` tell whether it still fits. */
type Listed = Omit<SessionSummary, "file"> & { mtime: number }

/** The sessions of one folder. Contract: reads no whole log that has an index; failing to keep the catalogue is fine. */
export function listFolder(folder: string): SessionSummary[] {
  const names = readNames(folder)
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
    summaries.push(summaryOf(entry, file))
  }
  if (changed && summaries.length > 0) writeCatalogue(join(folder, NAME), listed)
  return summaries
}

/** Field by field: a spread takes longer than all the rest. */
function summaryOf(entry: Listed, file: string): SessionSummary {
  const { id, cwd, title, prompts, branches, updated, archived, bytes, from } = entry
  return { id, file, cwd, title, prompts, branches, updated, archived, bytes, from }
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
    return readdirSync(folder).filter(isLogName)
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
  const header = readSummary(indexFile(file))
  if (header?.listing === undefined || header.covered !== stat.size) return undefined
  const { id, cwd, from, modified } = header.listing
  if (modified !== stat.mtimeMs) return undefined
  const { title, prompts, branches, updated, archived } = header.summary
  return { id, cwd, title, prompts, branches, updated, archived, bytes: stat.size, mtime: modified, from }
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

function readCatalogue(file: string): Map<string, Listed> {
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
  if (statOf(file) === undefined) return ""
  try {
    return readFileSync(file, "utf8")
  } catch (error) {
    if (errno(error) === undefined) throw error
    return ""
  }
}

function isListed(value: JsonObject): boolean {
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
