// What lists know of the sessions of one agent, in our cache: by path, with the size and the time of the file it was read from.
// Derived and deletable.
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { AgentName, Glance } from "../formats/port.ts"
import { parseSessionId } from "../model/id.ts"
import { isObject, type JsonObject, parseJson } from "../model/json.ts"
import { orNothing } from "../store/file/disk/problems.ts"

/** Raise it when a glance tells something else. */
const VERSION = 2

/** Null: it is no session. */
export interface Known {
  bytes: number
  mtime: number
  glance: Glance | null
}

export class Catalogue {
  readonly #file: string
  #known: JsonObject | undefined
  #changed = false
  /** What was asked for: the rest is gone. */
  readonly #used = new Map<string, Known>()

  constructor(home: string, agent: AgentName, name: "sessions" | "kept") {
    this.#file = join(home, "cache", agent, `${name}.json`)
  }

  /** What is known of a session, unless its file has changed. */
  get(key: string, bytes: number, mtime: number): Known | undefined {
    this.#known ??= readKnown(this.#file)
    const known = Object.hasOwn(this.#known, key) ? this.#known[key] : undefined
    if (!isKnown(known) || known.bytes !== bytes || known.mtime !== mtime) return undefined
    this.#used.set(key, known)
    return known
  }

  set(key: string, known: Known): void {
    this.#used.set(key, known)
    this.#changed = true
  }

  /** Never fails: it is never needed. */
  save(): void {
    if (!this.#changed && this.#used.size === Object.keys(this.#known ?? {}).length) return
    const temporary = `${this.#file}.${process.pid}.tmp`
    const saved = orNothing(() => {
      mkdirSync(dirname(this.#file), { recursive: true, mode: 0o700 })
      const sessions = Object.fromEntries(this.#used)
      writeFileSync(temporary, JSON.stringify({ version: VERSION, sessions }), { mode: 0o600 })
      renameSync(temporary, this.#file)
      return true
    })
    if (saved !== true) orNothing(() => rmSync(temporary, { force: true }))
  }
}

/** By key. What stands there may be anything. */
function readKnown(file: string): JsonObject {
  const text = orNothing(() => readFileSync(file, "utf8"))
  const json = text === undefined ? undefined : parseJson(text)
  if (json?.ok !== true || !isObject(json.value) || json.value.version !== VERSION) return {}
  const { sessions } = json.value
  return isObject(sessions) ? sessions : {}
}

function isKnown(value: unknown): value is Known {
  if (!isObject(value) || typeof value.bytes !== "number" || typeof value.mtime !== "number") return false
  const { glance } = value
  return (
    glance === null || (isObject(glance) && typeof glance.name === "string" && parseSessionId(glance.id) !== undefined)
  )
}
