// A cache of what lists show about one agent's sessions, by path, with the size and time of the file it came from. Derived and
// deletable. One row per session, in ASCII, because with thousands of sessions most of a listing's time goes into reading this.
import { mkdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { AgentName, Glance } from "../../formats/port.ts"
import { parseSessionId } from "../../model/id.ts"
import { isObject, type Json, parseJson } from "../../model/json.ts"
import { orNothing, replaceIfPossible } from "../../store/file/disk/problems.ts"

/** Increment it when a format's `glance` returns something different for the same bytes. */
const VERSION = 4

/** `glance` is null if the file is not a session. */
export interface Known {
  bytes: number
  mtime: number
  glance: Glance | null
  /** Whether a title in the middle of the file was looked for. */
  within?: boolean
}

export class ListingCache {
  readonly #file: string
  readonly #known: Map<string, Json[]>
  #changed = false
  /** Rows asked for in this run. The others belong to sessions that are gone, so they are not saved. */
  readonly #used = new Map<string, Json[]>()

  constructor(home: string, agent: AgentName, name: "sessions" | "kept") {
    this.#file = join(home, "cache", agent, `${name}.json`)
    this.#known = readRows(this.#file)
  }

  /** What is known about a session. The caller checks whether the file has changed since. */
  get(key: string): Known | undefined {
    const row = this.#known.get(key)
    const known = row === undefined ? undefined : fromRow(row)
    if (row !== undefined && known !== undefined) this.#used.set(key, row)
    return known
  }

  set(key: string, known: Known): void {
    this.#used.set(key, toRow(key, known))
    this.#changed = true
  }

  /** Never fails: this is only a cache. */
  save(): void {
    if (!this.#changed && this.#used.size === this.#known.size) return
    orNothing(() => mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 }))
    replaceIfPossible(this.#file, ascii(JSON.stringify({ version: VERSION, sessions: [...this.#used.values()] })))
  }
}

function toRow(key: string, { bytes, mtime, glance, within }: Known): Json[] {
  if (glance === null) return [key, bytes, mtime]
  const { name, id, cwd, title, updated, from } = glance
  const row = [key, bytes, mtime, name, id, cwd ?? null, title ?? null, updated ?? null]
  if (within === true) return [...row, from?.name ?? null, from?.as ?? null, true]
  return from === undefined ? row : [...row, from.name, from.as]
}

/** Undefined if it is not a valid row: the file may contain anything. */
function fromRow(row: Json[]): Known | undefined {
  // By index: destructuring a list goes through an iterator, and there may be thousands.
  const [bytes, mtime, name] = [row[1], row[2], row[3]]
  if (typeof bytes !== "number" || typeof mtime !== "number") return undefined
  if (name === undefined) return { bytes, mtime, glance: null }
  const session = parseSessionId(row[4])
  if (typeof name !== "string" || session === undefined) return undefined
  const glance: Glance = { name, id: session, cwd: textOr(row[5]), title: textOr(row[6]) }
  const [updated, from, as] = [row[7], row[8], row[9]]
  if (typeof updated === "string") glance.updated = updated
  if (typeof from === "string" && (as === "task" || as === "split")) glance.from = { name: from, as }
  return row[10] === true ? { bytes, mtime, glance, within: true } : { bytes, mtime, glance }
}

function textOr(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined
}

/** The same JSON with every non-ASCII character escaped. */
function ascii(json: string): string {
  return json.replaceAll(/[\u0080-\uffff]/g, (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, "0")}`)
}

/** By key. */
function readRows(file: string): Map<string, Json[]> {
  const text = orNothing(() => readFileSync(file, "latin1"))
  const json = text === undefined ? undefined : parseJson(text)
  if (json?.ok !== true || !isObject(json.value) || json.value.version !== VERSION) return new Map()
  const rows = new Map<string, Json[]>()
  const { sessions } = json.value
  for (const row of Array.isArray(sessions) ? sessions : []) {
    if (Array.isArray(row) && typeof row[0] === "string") rows.set(row[0], row)
  }
  return rows
}
