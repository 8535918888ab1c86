// Copies whatever is new in other agents' sessions into retcon's home. Never removes anything there, and never writes anywhere
// else.
import { lstatSync, readdirSync, readFileSync, type Stats } from "node:fs"
import { dirname, isAbsolute, join, sep } from "node:path"
import type { AgentHomes, AgentName, Format, SessionPlace } from "../../formats/port.ts"
import { lookInto } from "../../formats/shared/folder-contents.ts"
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import { ensureFolder, orNothing, replaceIfPossible, syncFolder } from "../../store/file/disk/problems.ts"
import { takeClaim } from "../../store/file/locks/held-claim.ts"
import { exportSize, keepExport, planExport } from "./keep-exported.ts"
import { isComplete, keepFile, type PlannedFile, planFile } from "./keep-file.ts"
import { filesOf, keptFolder, keptRoot } from "./kept-paths.ts"

export interface KeepOptions {
  /** Report what would be copied, without copying it. */
  dryRun?: boolean
  /** Copy only the session with this main file. */
  only?: string
  /** Whether to leave the rest for another time. Asked before every file except the first. */
  stop?: () => boolean
  /** Files with more to copy than this are left for another time. */
  most?: number
  /** Awaited with the fraction done so far, from 0 to 1. */
  tick?: (share: number) => Promise<void>
}

export interface KeptFile extends PlannedFile {
  agent: AgentName
}

export interface Keeping {
  /** The files copied. */
  files: KeptFile[]
  sessions: number
  /** Files that changed during the copy or could not be read, and folders that may not be: they are tried again next time. */
  left: string[]
  /** Sessions in databases, by agent. */
  databases: Map<AgentName, number>
  /** Another process is keeping copies right now; nothing was done. */
  busy?: { pid: number }
}

export interface KeepPlaces {
  home: string
  homes: AgentHomes
  formats: readonly Format[]
  now: () => number
}

export async function keep(places: KeepPlaces, options: KeepOptions = {}): Promise<Keeping> {
  const keeping: Keeping = { files: [], sessions: 0, left: [], databases: new Map() }
  const { value: planned, forbidden } = lookInto(() => plan(places, options, keeping))
  keeping.left.push(...forbidden)
  if (planned.length === 0 || options.dryRun === true) {
    keeping.files = planned.filter(isCopied).map(toBeCopied)
    return keeping
  }
  const root = keptRoot(places.home)
  ensureFolder(root)
  const { release, holder } = takeClaim({ file: join(root, "lock"), kind: "file", now: places.now })
  if (release === undefined) return { ...keeping, busy: { pid: holder?.pid ?? 0 } }
  try {
    await copyAll(planned, { ...options, now: places.now }, keeping)
  } finally {
    release()
  }
  return keeping
}

/** For a dry run. The size of a session in a database is what its file would take. */
function toBeCopied({ agent, file, copy, change, bytes, content }: Planned): KeptFile {
  return { agent, file, copy, change, bytes: content === undefined ? bytes : exportSize({ content }) }
}

interface Planned extends KeptFile {
  /** Also keep earlier contents. */
  versions: boolean
  /** For a session in a database. */
  content?: () => Buffer
}

function plan({ home, homes, formats }: KeepPlaces, options: KeepOptions, keeping: Keeping): Planned[] {
  const planned: Planned[] = []
  const seen = new Set<string>()
  for (const format of formats) {
    const { agent } = format
    const folder = keptFolder(home, agent)
    const copies = new KnownCopies(home, agent, folder)
    for (const place of format.find(homes)) {
      if (options.stop?.() === true) break
      if (options.only !== undefined && place.main !== options.only) continue
      keeping.sessions++
      if (!isAbsolute(place.main)) continue
      if (place.within !== undefined) {
        keeping.databases.set(agent, (keeping.databases.get(agent) ?? 0) + 1)
        const exported = planExport(format, place, { folder, homes })
        if (exported !== undefined) planned.push({ ...exported, agent, versions: true })
      } else {
        // What cannot be examined is not passed over in silence.
        const looked = orNothing(() => {
          if (isKept(place, folder, copies)) return true
          for (const file of filesOf(format, place)) {
            const change = seen.has(file) ? undefined : planFile(file, join(folder, file))
            seen.add(file)
            const versions = file === place.main || file.endsWith(".jsonl")
            if (change !== undefined) planned.push({ ...change, agent, versions })
          }
          return true
        })
        if (looked === undefined) keeping.left.push(place.main)
      }
    }
    copies.save()
  }
  return planned.filter(({ bytes }) => options.most === undefined || bytes <= options.most)
}

function isCopied({ change }: PlannedFile): boolean {
  return change !== "touched"
}

/** The growing file is copied last, so if its copy is current, so are those of the files beside it. */
function isKept({ main }: SessionPlace, folder: string, copies: KnownCopies): boolean {
  const now = lstatSync(main, { throwIfNoEntry: false })
  if (now === undefined) return true
  if (copies.has(main, now)) return true
  const copy = lstatSync(folder + main, { throwIfNoEntry: false })
  if (copy === undefined || !isComplete(copy, now)) return false
  copies.add(main, now)
  return true
}

async function copyAll(
  planned: readonly Planned[],
  options: KeepOptions & { now: () => number },
  keeping: Keeping,
): Promise<void> {
  const all = planned.reduce((sum, { bytes }) => sum + bytes, 0)
  const folders = new Set<string>()
  let done = 0
  for (const { versions, content, ...file } of planned) {
    if (folders.size > 0 && options.stop?.() === true) break
    if (content !== undefined) {
      const kept = keepExport({ ...file, content }, { now: options.now(), most: options.most })
      if (kept === "left") keeping.left.push(file.file)
      else if (kept !== undefined && isCopied(kept)) keeping.files.push({ ...kept, agent: file.agent })
      folders.add(dirname(file.copy))
      await options.tick?.(done / Math.max(1, all))
      continue
    }
    // Another process may have copied it since the plan was made.
    const fresh = planFile(file.file, file.copy)
    if (fresh === undefined) continue
    const copying = keepFile(fresh, versions)
    let step = copying.next()
    for (; step.done !== true; step = copying.next()) {
      done += step.value
      if (options.tick !== undefined) await options.tick(done / Math.max(1, all))
    }
    if (step.value) {
      if (isCopied(fresh)) keeping.files.push({ ...fresh, agent: file.agent })
      folders.add(dirname(fresh.copy))
    } else keeping.left.push(file.file)
  }
  for (const folder of folders) orNothing(() => syncFolder(folder))
}

const VERSION = 1

/**
 * A cache of which files have a complete copy, so that checking an unchanged file costs one stat of the file and none
 * of its copy. Derived and deletable.
 */
class KnownCopies {
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
