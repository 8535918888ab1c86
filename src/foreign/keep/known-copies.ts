// A cache of which files have a complete copy, so that checking an unchanged file costs one stat of the file and none of its
// copy. Derived and deletable.
import { readdirSync, readFileSync, type Stats } from "node:fs"
import { dirname, join, sep } from "node:path"
import type { AgentName } from "../../formats/port.ts"
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import { ensureFolder, orNothing, replaceIfPossible } from "../../store/file/disk/problems.ts"

const VERSION = 1

export class KnownCopies {
  readonly #file: string
  readonly #folder: string
  readonly #known: Map<string, Json>
  readonly #names = new Map<string, ReadonlySet<string>>()
  #changed = false

  /** `folder`: where the copies of this agent's files are. */
  constructor(home: string, agent: AgentName, folder: string) {
    this.#file = join(home, "cache", agent, "kept-files.json")
    this.#folder = folder
    const json = parseJson(orNothing(() => readFileSync(this.#file, "utf8")) ?? "null")
    const stored = json.ok && isObject(json.value) && json.value.version === VERSION ? json.value.files : undefined
    this.#known = new Map(Object.entries(isObject(stored ?? null) ? (stored as JsonObject) : {}))
  }

  has(file: string, { size, mtimeMs }: Stats): boolean {
    const known = this.#known.get(file)
    return Array.isArray(known) && known[0] === size && known[1] === mtimeMs && this.#isThere(file)
  }

  #isThere(file: string): boolean {
    const end = file.lastIndexOf(sep)
    const folder = file.slice(0, end)
    const names = this.#names.get(folder) ?? new Set(orNothing(() => readdirSync(this.#folder + folder)) ?? [])
    this.#names.set(folder, names)
    return names.has(file.slice(end + 1))
  }

  add(file: string, { size, mtimeMs }: Stats): void {
    this.#known.set(file, [size, mtimeMs])
    this.#changed = true
  }

  /** Never fails: this is only a cache. */
  save(): void {
    if (!this.#changed) return
    orNothing(() => ensureFolder(dirname(this.#file)))
    replaceIfPossible(this.#file, JSON.stringify({ version: VERSION, files: Object.fromEntries(this.#known) }))
  }
}
