// Lists sessions without reading them: a catalogue per directory, checked by size and time; then the index; then the log.
import { readdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { RetconError } from "../../model/failure.ts"
import { isObject, parseJson } from "../../model/json.ts"
import type { SessionSummary } from "../port.ts"
import { idInName, LOG_SUFFIX } from "./layout.ts"
import { FileLog } from "./log.ts"
import { errno } from "./problems.ts"
import { summarise } from "../summary.ts"

const NAME = "catalogue.json"
/** Raise it when a field is added to what is listed. */
const VERSION = 1

interface Listed {
  size: number
  mtime: number
  summary: SessionSummary
}

/** The sessions of one folder. Contract: reads no whole log that has an index; failing to keep the catalogue is fine. */
export function listFolder(folder: string, now: () => number): SessionSummary[] {
  const names = readNames(folder)
  const kept = readCatalogue(join(folder, NAME))
  const listed = new Map<string, Listed>()
  let changed = kept.size !== names.length
  for (const name of names) {
    const file = join(folder, name)
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat === undefined) continue
    const known = kept.get(name)
    if (known !== undefined && known.size === stat.size && known.mtime === stat.mtimeMs) {
      listed.set(name, known)
      continue
    }
    changed = true
    const summary = summaryOf(file, stat.size, now)
    if (summary !== undefined) listed.set(name, { size: stat.size, mtime: stat.mtimeMs, summary })
  }
  if (changed && listed.size > 0) writeCatalogue(join(folder, NAME), listed)
  return [...listed.values()].map((entry) => entry.summary)
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
function summaryOf(file: string, size: number, now: () => number): SessionSummary | undefined {
  let log: FileLog
  try {
    log = new FileLog(file, now)
  } catch (error) {
    if (error instanceof RetconError) return undefined
    throw error
  }
  try {
    log.flush()
    const { title, prompts, branches, updated, archived } = log.summary ?? summarise(log.history)
    const { id, cwd, from } = log.header
    return { id, file, cwd, title, prompts, branches, updated, bytes: size, archived, from }
  } finally {
    void log.close()
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
  return isObject(summary) && typeof summary.id === "string" && typeof summary.title === "string"
}

function writeCatalogue(file: string, listed: Map<string, Listed>): void {
  const temporary = `${file}.${process.pid}.tmp`
  try {
    writeFileSync(temporary, JSON.stringify({ version: VERSION, sessions: Object.fromEntries(listed) }), {
      mode: 0o600,
    })
    renameSync(temporary, file)
  } catch (error) {
    if (errno(error) === undefined) throw error
  }
}
