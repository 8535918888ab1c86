// Lists the sessions of one agent without reading them: a few bytes of each, and nothing at all of one that is known.
import { closeSync, constants, lstatSync, openSync, readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { sessionIdOf } from "../formats/ids.ts"
import type { Format, Glance, SessionPlace } from "../formats/port.ts"
import { readHead } from "../formats/shared/read-head.ts"
import { oneLine } from "../model/text/one-line.ts"
import { orNothing } from "../store/file/disk/problems.ts"
import { readInto } from "../store/file/disk/read-at.ts"
import { listFolder } from "../store/file/folder/list-folder.ts"
import { readListed } from "../store/file/index/read-listed.ts"
import type { SessionSummary } from "../store/port.ts"
import { Catalogue } from "./catalogue.ts"
import { foreignIndexFile, ourLogsFolder } from "./own-paths.ts"

/** What is read of the beginning and of the end of a file. */
const PIECE = 4096
const TITLE_LENGTH = 120

export interface ListedSession {
  format: Format
  place: SessionPlace
  summary: SessionSummary
}

export interface ListOptions {
  places: Iterable<SessionPlace>
  /** Of which catalogue they are. */
  name: "sessions" | "kept"
  /** retcon's own home. */
  home: string
  now: () => number
}

export async function listAgent(format: Format, { places, name, home, now }: ListOptions): Promise<ListedSession[]> {
  const all = [...places]
  if (all.length === 0) return []
  const catalogue = new Catalogue(home, format.agent, name)
  const ours = await ownTitles(join(ourLogsFolder(home), format.agent), now)
  const cached = orNothing(() => readdirSync(join(home, "cache", format.agent))) ?? []
  const indexes = new Set(cached.filter((each) => each.endsWith(".index")))
  const found: ListedSession[] = []
  for (const place of all) {
    const stat = orNothing(() => lstatSync(place.main))
    if (stat?.isFile() !== true) continue
    const key = place.within === undefined ? place.path : `${place.path}#${place.within}`
    const known = catalogue.get(key, stat.size, stat.mtimeMs)
    const glance = known === undefined ? glanceAt(format, place, stat.size) : known.glance
    if (known === undefined) catalogue.set(key, { bytes: stat.size, mtime: stat.mtimeMs, glance: glance ?? null })
    if (glance === undefined || glance === null) continue
    const summary = summaryOf(format, place, glance, stat)
    if (indexes.size > 0) {
      Object.assign(summary, countsOf(foreignIndexFile(home, format.agent, glance.id, place.path), indexes, stat.size))
    }
    const set = ours.get(glance.id)
    found.push({ format, place, summary: set === undefined ? summary : { ...summary, ...set } })
  }
  catalogue.save()
  return found
}

function summaryOf(
  format: Format,
  place: SessionPlace,
  glance: Glance,
  { size, mtimeMs }: { size: number; mtimeMs: number },
): SessionSummary {
  const { id, name, cwd, title, from } = glance
  return {
    id,
    agent: format.agent,
    name,
    resume: format.resume(place, name),
    file: place.path,
    cwd: cwd ?? "",
    title: title ?? "",
    prompts: null,
    branches: null,
    updated: glance.updated ?? new Date(mtimeMs).toISOString(),
    archived: false,
    bytes: size,
    from: from && { session: sessionIdOf(format.agent, from.name), entry: null, as: from.as },
  }
}

function glanceAt(format: Format, place: SessionPlace, size: number): Glance | undefined {
  const pieces = piecesOf(place.main, size)
  if (pieces === undefined) return undefined
  let glance = format.glance(place, { ...pieces, read: beside })
  if ((glance?.title === undefined || glance.cwd === undefined) && pieces.head.length === PIECE) {
    // Some agents begin with pages of instructions, and so do some prompts. What is found is remembered.
    glance = format.glance(place, { ...pieces, head: readHead(place.main), read: beside }) ?? glance
  }
  return glance?.title === undefined ? glance : { ...glance, title: oneLine(glance.title, TITLE_LENGTH) }
}

function beside(path: string): Buffer | undefined {
  const bytes = readHead(path)
  return bytes.length === 0 ? undefined : bytes
}

/** For one file after the other: there may be thousands. */
const [HEAD, TAIL] = [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)]

/** Contract: valid until the next call. */
function piecesOf(file: string, size: number): { head: Buffer; tail: Buffer } | undefined {
  return orNothing(() => {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      const head = HEAD.subarray(0, readInto(fd, HEAD, PIECE, 0))
      return { head, tail: size <= PIECE ? head : TAIL.subarray(0, readInto(fd, TAIL, PIECE, size - PIECE)) }
    } finally {
      closeSync(fd)
    }
  })
}

/** How much there is of it, when we have an index that covers all of the file. */
function countsOf(file: string, indexes: ReadonlySet<string>, bytes: number): Partial<SessionSummary> {
  const listed = indexes.has(basename(file)) ? readListed(file) : undefined
  if (listed === undefined || listed.covered !== bytes) return {}
  const { prompts, branches, title } = listed.said
  return {
    ...(typeof prompts === "number" && { prompts }),
    ...(typeof branches === "number" && { branches }),
    ...(typeof title === "string" && title !== "" && { title }),
  }
}

/** What a person has set here: a title, and whether it is archived. */
async function ownTitles(folder: string, now: () => number): Promise<Map<string, Partial<SessionSummary>>> {
  const listed = await listFolder(folder, now)
  return new Map(listed.map(({ id, title, archived }) => [id as string, { archived, ...(title !== "" && { title }) }]))
}
