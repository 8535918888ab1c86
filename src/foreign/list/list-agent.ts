// Lists one agent's sessions without reading them: a few bytes of each new one, and nothing of those already in the cache.
import { closeSync, constants, fstatSync, lstatSync, openSync, readdirSync, type Stats } from "node:fs"
import { basename, join } from "node:path"
import { sessionIdOf } from "../../formats/ids.ts"
import type { Format, Glance, SessionPlace, TitleLines } from "../../formats/port.ts"
import { parseLine } from "../../formats/shared/json-line.ts"
import { readHead } from "../../formats/shared/read-head.ts"
import { oneLine } from "../../model/text/one-line.ts"
import { orNothing } from "../../store/file/disk/problems.ts"
import { readInto } from "../../store/file/disk/read-at.ts"
import { listFolder } from "../../store/file/folder/list-folder.ts"
import { readListed } from "../../store/file/index/read-listed.ts"
import type { SessionSummary } from "../../store/port.ts"
import { whyGone } from "../disk/why-gone.ts"
import { foreignIndexFile, ourLogsFolder } from "../log/our-paths.ts"
import { type Known, ListingCache } from "./listing-cache.ts"

/** How many bytes to read at each end of a file. */
const PIECE = 4096
const TITLE_LENGTH = 120

export interface ListedSession {
  format: Format
  place: SessionPlace
  summary: SessionSummary
  /** When the file that grows was last changed, in milliseconds. */
  mtime: number
}

export interface ListOptions {
  places: Iterable<SessionPlace>
  /** Which cache they belong to. */
  name: "sessions" | "kept"
  /** retcon's own home. */
  home: string
  now: () => number
  /** The folders whose sessions are examined more closely: a title may be in the middle of a file. */
  folders?: readonly string[] | undefined
  /** Told of each file that may not be read. */
  unread?: (path: string) => void
}

export async function listAgent(
  format: Format,
  { places, name, home, now, folders, unread }: ListOptions,
): Promise<ListedSession[]> {
  const all = [...places]
  if (all.length === 0) return []
  const cache = new ListingCache(home, format.agent, name)
  const ours = await ownTitles(join(ourLogsFolder(home), format.agent), now)
  const cached = orNothing(() => readdirSync(join(home, "cache", format.agent))) ?? []
  const indexes = new Set(cached.filter((each) => each.endsWith(".index")))
  const found: ListedSession[] = []
  for (const place of all) {
    const known = lookAt(format, place, cache)
    const seen =
      folders === undefined || known === undefined ? known : lookWithin(format, place, known, { cache, folders })
    if (seen === undefined && unread !== undefined && whyGone(place.main) === "unreadable") unread(place.main)
    if (seen === undefined || seen.glance === null) continue
    const { glance, bytes, mtime } = seen
    const summary = summaryOf(format, place, glance, { bytes, mtime })
    if (indexes.size > 0) {
      Object.assign(summary, countsOf(foreignIndexFile(home, format.agent, glance.id, place.path), indexes, bytes))
    }
    const set = ours.get(glance.id)
    found.push({ format, place, mtime, summary: set === undefined ? summary : { ...summary, ...set } })
  }
  cache.save()
  return found
}

/** Undefined if the file is missing or unreadable. */
function lookAt(format: Format, place: SessionPlace, cache: ListingCache): Known | undefined {
  const key = keyOf(place)
  const known = cache.get(key)
  const stat = known && orNothing(() => lstatSync(place.main))
  if (known !== undefined && stat?.isFile() === true && known.bytes === stat.size && known.mtime === stat.mtimeMs)
    return known
  const pieces = piecesOf(place.main)
  if (pieces === undefined) return undefined
  const { size: bytes, mtimeMs: mtime } = pieces.stat
  const seen = { bytes, mtime, glance: glanceAt(format, place, pieces) ?? null }
  cache.set(key, seen)
  return seen
}

/** Larger files are listed by their first prompt until they are opened: then an index has the title. */
const LARGEST_READ = 32 * 1024 * 1024

/** Adds the title from the middle of the file, which is looked for once as long as the file does not change. */
function lookWithin(
  { titles }: Format,
  place: SessionPlace,
  known: Known,
  { cache, folders }: { cache: ListingCache; folders: readonly string[] },
): Known {
  const { glance, bytes, within } = known
  if (titles === undefined || glance === null || within === true || glance.from?.as === "task") return known
  if (bytes <= 2 * PIECE || bytes > LARGEST_READ || !folders.includes(glance.cwd ?? "")) return known
  const title = titleWithin(place.main, titles)
  const named = title === undefined ? glance : { ...glance, title: oneLine(title, TITLE_LENGTH) }
  const seen = { ...known, glance: named, within: true }
  cache.set(keyOf(place), seen)
  return seen
}

function keyOf({ path, within }: SessionPlace): string {
  return within === undefined ? path : `${path}#${within}`
}

function summaryOf(
  format: Format,
  place: SessionPlace,
  glance: Glance,
  { bytes, mtime }: { bytes: number; mtime: number },
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
    updated: glance.updated ?? new Date(mtime).toISOString(),
    archived: false,
    bytes,
    from: from && { session: sessionIdOf(format.agent, from.name), entry: null, as: from.as },
  }
}

function glanceAt(format: Format, place: SessionPlace, { head, tail }: Pieces): Glance | undefined {
  let glance = format.glance(place, { head, tail, read: beside })
  if ((glance?.title === undefined || glance.cwd === undefined) && head.length === PIECE) {
    // Some sessions, and some prompts, begin with pages of instructions, so read more. The result is remembered.
    glance = format.glance(place, { head: readHead(place.main), tail, read: beside }) ?? glance
  }
  if (glance?.title !== undefined) glance.title = oneLine(glance.title, TITLE_LENGTH)
  return glance
}

function beside(path: string): Buffer | undefined {
  const bytes = readHead(path)
  return bytes.length === 0 ? undefined : bytes
}

/** Reused for every file: there may be thousands. */
const [HEAD, TAIL] = [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)]

interface Pieces {
  stat: Stats
  head: Buffer
  tail: Buffer
}

/** Undefined unless it is a regular file. Contract: valid until the next call. */
function piecesOf(file: string): Pieces | undefined {
  return orNothing(() => {
    const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW)
    try {
      const stat = fstatSync(fd)
      if (!stat.isFile()) return undefined
      const head = HEAD.subarray(0, readInto(fd, HEAD, PIECE, 0))
      const from = stat.size - PIECE
      return { stat, head, tail: from <= 0 ? head : TAIL.subarray(0, readInto(fd, TAIL, PIECE, from)) }
    } finally {
      closeSync(fd)
    }
  })
}

/** Counts of rounds and so on, if we have an index that covers the whole file. */
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

/** What the person has set in retcon: a title, and whether the session is archived. */
async function ownTitles(folder: string, now: () => number): Promise<Map<string, Partial<SessionSummary>>> {
  const listed = await listFolder(folder, now)
  return new Map(listed.map(({ id, title, archived }) => [id as string, { archived, ...(title !== "" && { title }) }]))
}

const CHUNK = 256 * 1024
/** No title is longer. An incomplete line at the end of a chunk is read again with the next one, up to this length. */
const LONGEST_LINE = 16 * 1024
const NEWLINE = 10

/**
 * A title in the middle of a session's file, which a glance at both ends does not see. The title with the highest rank;
 * among equals, the last. Undefined if no line has one, or if the file cannot be read.
 */
function titleWithin(file: string, { marks, read }: TitleLines): string | undefined {
  const wanted = marks.map((mark) => Buffer.from(mark))
  let best: { text: string; rank: number } | undefined
  for (const chunk of chunksOf(file)) {
    for (const line of wanted.flatMap((mark) => linesWith(chunk, mark))) {
      const parsed = parseLine(line)
      const title = parsed && read(parsed)
      if (title !== undefined && title.rank >= (best?.rank ?? 0)) best = title
    }
  }
  return best?.text
}

/** Complete lines, except those that are too long for a title. Contract: each chunk is valid until the next one. */
function* chunksOf(file: string): Generator<Buffer> {
  const fd = orNothing(() => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW))
  if (fd === undefined) return
  try {
    if (!fstatSync(fd).isFile()) return
    const buffer = Buffer.allocUnsafe(CHUNK)
    for (let at = 0; ; ) {
      const bytes = buffer.subarray(0, orNothing(() => readInto(fd, buffer, CHUNK, at)) ?? 0)
      const end = bytes.lastIndexOf(NEWLINE) + 1
      if (end > 0) yield bytes.subarray(0, end)
      if (bytes.length < CHUNK) return
      at += bytes.length - Math.min(bytes.length - end, LONGEST_LINE)
    }
  } finally {
    closeSync(fd)
  }
}

function linesWith(chunk: Buffer, mark: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = chunk.indexOf(mark); at !== -1; ) {
    const start = chunk.lastIndexOf(NEWLINE, at) + 1
    const end = chunk.indexOf(NEWLINE, at)
    if (end - start <= LONGEST_LINE) found.push(chunk.subarray(start, end))
    at = chunk.indexOf(mark, end)
  }
  return found
}
