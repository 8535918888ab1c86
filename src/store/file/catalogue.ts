// Lists sessions without reading them: a catalogue per directory, checked by size and time; then the index; then the log.
import { readdirSync, readFileSync, renameSync, rmSync, type Stats, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { RetconError } from "../../model/failure.ts"
import { parseSessionId } from "../../model/id.ts"
import { isObject, parseJson } from "../../model/json.ts"
import type { SessionSummary } from "../port.ts"
import { checkHeader, openLogFile } from "./header.ts"
import { idInName, LOG_SUFFIX } from "./layout.ts"
import { attempt, errno } from "./problems.ts"
import { LogView } from "./view.ts"

const NAME = "catalogue.json"
/** Raise it when a field is added to what is listed. */
const VERSION = 1

interface Listed {
  size: number
  mtime: number
  summary: SessionSummary
}

/** The sessions of one folder. Contract: reads no whole log that has an index; failing to keep the catalogue is fine. */
export function listFolder(folder: string): SessionSummary[] {
  const names = readNames(folder)
  const kept = readCatalogue(join(folder, NAME))
  const listed = new Map<string, Listed>()
  let changed = kept.size !== names.length
  for (const name of names) {
    const file = join(folder, name)
    const stat = statOf(file)
    if (stat === undefined) continue
    const known = kept.get(name)
    if (known !== undefined && known.size === stat.size && known.mtime === stat.mtimeMs) {
      listed.set(name, { ...known, summary: { ...known.summary, file } })
      continue
    }
    changed = true
    const summary = summaryOf(file, stat.size)
    if (summary !== undefined) listed.set(name, { size: stat.size, mtime: stat.mtimeMs, summary })
  }
  if (changed && listed.size > 0) writeCatalogue(join(folder, NAME), listed)
  return [...listed.values()].map((entry) => entry.summary)
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
    return readdirSync(folder).filter((name) => name.endsWith(LOG_SUFFIX) && idInName(name) !== undefined)
  } catch (error) {
    if (errno(error) === undefined) throw error
    return []
  }
}

/** Undefined for what cannot be opened: a list must not fail for one bad file. `doctor` says what is wrong with it. */
function summaryOf(file: string, size: number): SessionSummary | undefined {
  try {
    return attempt(file, () => readSummaryOf(file, size))
  } catch (error) {
    if (error instanceof RetconError) return undefined
    throw error
  }
}

function readSummaryOf(file: string, size: number): SessionSummary {
  const view = new LogView(file, openLogFile(file).fd)
  try {
    view.load()
    const { id, cwd, from } = checkHeader(file, view.history).header
    view.flush()
    return { ...view.summary, id, file, cwd, bytes: size, from }
  } finally {
    view.close()
  }
}

function readCatalogue(file: string): Map<string, Listed> {
  let text: string
  try {
    text = readFileSync(file, "utf8")
  } catch (error) {
    if (errno(error) === undefined) throw error
    return new Map()
  }
  const json = parseJson(text)
  if (!json.ok || !isObject(json.value) || json.value.version !== VERSION || !isObject(json.value.sessions)) {
    return new Map()
  }
  return new Map(Object.entries(json.value.sessions).filter((pair): pair is [string, never] => isListed(pair[1])))
}

function isListed(value: unknown): boolean {
  if (!isObject(value) || typeof value.size !== "number" || typeof value.mtime !== "number") return false
  const summary = value.summary
  if (!isObject(summary) || parseSessionId(summary.id) === undefined) return false
  return Object.entries(FIELDS).every(([field, type]) => typeof summary[field] === type)
}

const FIELDS = {
  title: "string",
  cwd: "string",
  updated: "string",
  prompts: "number",
  branches: "number",
  bytes: "number",
  archived: "boolean",
}

function writeCatalogue(file: string, listed: Map<string, Listed>): void {
  const temporary = `${file}.${process.pid}.tmp`
  const text = JSON.stringify({ version: VERSION, sessions: Object.fromEntries(listed) })
  try {
    writeFileSync(temporary, text, { mode: 0o600 })
    renameSync(temporary, file)
  } catch (error) {
    if (errno(error) === undefined) throw error
    rmSync(temporary, { force: true })
  }
}
