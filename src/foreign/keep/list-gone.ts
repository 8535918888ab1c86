// Sessions that we have a copy of but whose own file is missing, empty or unreadable, each with the time when that was first
// noticed.
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import type { AgentHomes, Format } from "../../formats/port.ts"
import { isObject, parseJson } from "../../model/json.ts"
import { orNothing, replaceIfPossible } from "../../store/file/disk/problems.ts"
import { whyGone } from "../disk/why-gone.ts"
import { type ListedSession, listAgent } from "../list/list-agent.ts"
import { keptFolder, keptHomes, originalOf } from "./kept-paths.ts"

export interface GoneOptions {
  home: string
  homes: AgentHomes
  now: () => number
}

/** `present`: the sessions that the agent still has. */
export async function listGone(
  format: Format,
  present: readonly ListedSession[],
  { home, homes, now }: GoneOptions,
): Promise<ListedSession[]> {
  const folder = keptFolder(home, format.agent)
  if (!existsSync(folder)) return []
  const copies = [...format.find(keptHomes(folder, format.settled?.(homes) ?? homes))]
  if (copies.length === 0) return []
  const there = new Set(present.map(({ place }) => place.main))
  const places = copies.filter(({ main }) => {
    const original = originalOf(folder, main)
    return !there.has(original) && whyGone(original) !== undefined
  })
  const since = new MissingSince(join(folder, "gone.json"))
  if (places.length === 0 && since.isEmpty) return []
  // The agent may have moved it elsewhere.
  const ids = new Set(present.map(({ summary }) => summary.id))
  const kept = await listAgent(format, { places, name: "kept", home, now })
  const gone = kept.filter(({ summary }) => !ids.has(summary.id))
  const listed = gone.map(({ place, summary, mtime }) => {
    // The agent has nothing left to resume.
    delete summary.resume
    const original = originalOf(folder, place.main)
    const as = whyGone(original)
    const goneAs = as === undefined || as === "removed" ? {} : { goneAs: as }
    return { format, place, mtime, summary: { ...summary, gone: since.of(original, now), ...goneAs } }
  })
  since.save()
  return listed
}

/** When each file was first found missing. */
class MissingSince {
  readonly #file: string
  readonly #known: Map<string, string>
  /** Files asked about in this run. The others have come back, so they are forgotten. */
  readonly #missed = new Map<string, string>()

  constructor(file: string) {
    this.#file = file
    const json = parseJson(orNothing(() => readFileSync(file, "utf8")) ?? "{}")
    const entries = json.ok && isObject(json.value) ? Object.entries(json.value) : []
    this.#known = new Map(
      entries.flatMap(([path, at]) => (typeof at === "string" && !Number.isNaN(Date.parse(at)) ? [[path, at]] : [])),
    )
  }

  get isEmpty(): boolean {
    return this.#known.size === 0
  }

  of(path: string, now: () => number): string {
    const at = this.#known.get(path) ?? new Date(now()).toISOString()
    this.#missed.set(path, at)
    return at
  }

  save(): void {
    const same =
      this.#missed.size === this.#known.size && [...this.#missed.keys()].every((path) => this.#known.has(path))
    if (!same) replaceIfPossible(this.#file, JSON.stringify(Object.fromEntries(this.#missed)))
  }
}
