// Finds the sessions that answer a query, best first, in their files as they are now.
import { RetconError } from "../model/failure/retcon-error.ts"
import type { LineMarks } from "../model/line-marks.ts"
import { occurrences } from "./occurrences.ts"
import type { Query, Term } from "./query.ts"
import { addResult, type Evidence, fits, noEvidence, type Ranked, scoreOf, shareOf } from "./rank.ts"
import { compileTerms, type Piece, type ScanResult, scanPiece } from "./scan.ts"
import { type ScanThreads, scanThreads } from "./threads.ts"

export interface SearchedFile {
  file: string
  size: number
  marks: LineMarks
  /** One of our own logs. */
  isOurs: boolean
  /** Loads the bytes to search in place of the file's. */
  load?: (() => Buffer) | undefined
}

export interface Searched extends Ranked {
  title: string
  /** Throws a RetconError if it cannot be searched. */
  files(): Promise<readonly SearchedFile[]>
}

/**
 * `words`: it has all of them. `inside`: within words, because no session has them as words. `closest`: no session has all of them,
 * and this one has those that matter.
 */
export type FoundHow = "words" | "inside" | "closest"

export interface Found<Session> {
  session: Session
  evidence: Evidence
  score: number
  how: FoundHow
}

export interface FindOptions<Session> {
  /** Milliseconds since 1970. */
  now: number
  /** Called with the bytes searched so far; it may take its time. */
  tick?: ((bytes: number) => Promise<void>) | undefined
  /** Told of a session as soon as it is found: in no order. */
  found?: ((session: Session) => void) | undefined
  /** Told which session could not be searched, and why. Absent: that is thrown. */
  skipped?: ((session: Session, problem: string) => void) | undefined
  /** How many lines of a session to keep. */
  lines?: number | undefined
  /** Whether to be content with what has been read so far. */
  isLate?: (() => boolean) | undefined
  threads?: ScanThreads | undefined
}

export interface FoundSessions<Session> {
  /** Best first. */
  found: AsyncGenerator<Found<Session>>
  /** How many sessions were found, when the first has been taken; `isPartial`: of those that there was time for. */
  total(): { sessions: number; isPartial: boolean }
}

export function findSessions<Session extends Searched>(
  sessions: readonly Session[],
  { terms, isQuestion }: Query,
  options: FindOptions<Session>,
): FoundSessions<Session> {
  const { now } = options
  const total = { sessions: 0, isPartial: false }
  return { found: found(), total: () => total }

  async function* found(): AsyncGenerator<Found<Session>> {
    if (terms.length === 0) return
    const scanning = new Scanning(terms, options)
    try {
      const all: Found<Session>[] = []
      await scanning.scan(sessions, (session, evidence) => {
        if (fits(terms, evidence.mask)) options.found?.(session)
        all.push({ session, evidence, score: 0, how: "words" })
      })
      total.isPartial = options.isLate?.() ?? false
      const best = bestOf(all)
      total.sessions = best.length
      yield* best
    } finally {
      scanning.close()
    }
  }

  function bestOf(all: Found<Session>[]): Found<Session>[] {
    for (const how of ["words", "inside"] as const) {
      const fit = all.filter(({ evidence }) =>
        fits(terms, how === "words" ? evidence.mask : evidence.mask | evidence.inside),
      )
      for (const each of fit) Object.assign(each, { how, score: scoreOf(terms, each.evidence, each.session, now) })
      // Words of a question that are somewhere in a long session say little: what counts is a message.
      const isFound = isQuestion
        ? fit.some(({ evidence: { lines } }) => lines.some(({ mask }) => fits(terms, mask)))
        : fit.length > 0
      if (isFound) return fit.sort(better)
      if (isQuestion && fit.length > 0) break
    }
    return closest(all)
  }

  /** A question of several words that no session has all of: the sessions with a message that has most of what is rare. */
  function closest(all: Found<Session>[]): Found<Session>[] {
    if (terms.filter(({ not }) => !not).length < 3) return []
    const without = all.filter(({ evidence }) => !terms.some(({ not }, n) => not && (evidence.mask & (1 << n)) !== 0))
    const rarity = terms.map((_, number) => {
      const having = all.filter(({ evidence }) => (evidence.mask & (1 << number)) !== 0).length
      // What nobody said says nothing about anybody.
      return having === 0 ? 0 : Math.log(1 + (sessions.length - having + 0.5) / (having + 0.5))
    })
    const close: Found<Session>[] = []
    for (const each of without) {
      const share = shareOf(terms, each.evidence, rarity)
      if (share < LEAST_SHARE || !each.evidence.lines.some(({ mask }) => (mask & (mask - 1)) !== 0)) continue
      const score = share * 1000 + Math.min(1, scoreOf(terms, each.evidence, each.session, now) / 1000)
      close.push({ ...each, how: "closest", score })
    }
    return close.sort(better).slice(0, MOST_CLOSEST)
  }
}

/** Read together: enough that threads are worth it, and so little that the first results come soon. */
const AT_ONCE = 256 * 1024 * 1024
const MOST_AT_ONCE = 500
/** Of what is rare in a question, a message must have this share, and two words, to be called close. */
const LEAST_SHARE = 0.2
const MOST_CLOSEST = 50

function better(a: Found<Ranked>, b: Found<Ranked>): number {
  return b.score - a.score || b.session.updated - a.session.updated || b.session.bytes - a.session.bytes
}

/** Large enough that overlaps do not matter; small enough that all threads end at about the same time. */
const PIECE = 2 * 1024 * 1024
/** Bytes between two ticks: a few milliseconds. */
const TOLD_AT_ONCE = 1024 * 1024

type Scanned<Session> = (session: Session, evidence: Evidence) => void

class Scanning<Session extends Searched> {
  readonly #terms: readonly Term[]
  readonly #options: FindOptions<Session>
  readonly #compiled
  readonly #threads: ScanThreads
  #jobs = 0
  #bytes = 0
  #untold = 0

  constructor(terms: readonly Term[], options: FindOptions<Session>) {
    this.#terms = terms
    this.#options = options
    this.#compiled = compileTerms(terms, options.lines)
    this.#threads = options.threads ?? scanThreads()
  }

  close(): void {
    this.#threads.close()
  }

  /** Contract: tells of each session that has any of the terms. */
  async scan(sessions: readonly Session[], scanned: Scanned<Session>): Promise<void> {
    for (let at = 0; at < sessions.length && this.#options.isLate?.() !== true; ) {
      const some: Session[] = []
      for (let bytes = 0; at < sessions.length && bytes < AT_ONCE && some.length < MOST_AT_ONCE; at++) {
        const session = sessions[at] as Session
        some.push(session)
        bytes += session.bytes
      }
      await this.#scanSome(some, scanned)
    }
  }

  async #scanSome(sessions: readonly Session[], scanned: Scanned<Session>): Promise<void> {
    const pieces: Piece[] = []
    const open: { session: Session; evidence: Evidence; left: number; failed: boolean }[] = []
    const owner: number[] = []
    for (const session of sessions) {
      const files = await this.#filesOf(session)
      if (files === undefined) continue
      const evidence = noEvidence(this.#terms.length, this.#titled(session))
      const first = pieces.length
      for (const file of files) for (const piece of piecesOf(file)) pieces.push({ ...piece, number: pieces.length })
      for (let n = first; n < pieces.length; n++) owner.push(open.length)
      open.push({ session, evidence, left: pieces.length - first, failed: false })
      if (pieces.length === first) this.#end(open.at(-1), scanned)
      await this.#tick(0)
    }
    const job = {
      number: ++this.#jobs,
      terms: this.#terms,
      most: this.#compiled.most,
      next: new Int32Array(new SharedArrayBuffer(4)),
    }
    const done = new Set<number>()
    const take = (number: number, result: ScanResult | null | undefined) => {
      if (done.has(number)) return
      done.add(number)
      const piece = pieces[number] as Piece
      const at = open[owner[number] ?? -1]
      if (at === undefined) return
      if (result) addResult(at.evidence, result, piece.file, this.#compiled.most)
      this.#bytes += piece.to - piece.from
      this.#untold += piece.to - piece.from
      if (--at.left === 0) this.#end(at, scanned)
    }
    this.#threads.start(pieces.reduce((sum, { from, to }) => sum + to - from, 0))
    // What is in memory is searched here.
    const shared = pieces.map((piece) =>
      piece.bytes === undefined ? piece : { ...piece, bytes: undefined, to: piece.from },
    )
    const left = new Set<number>()
    this.#threads.run({ ...job, pieces: shared }, ({ piece, result }) => {
      if (result === "unread" || pieces[piece]?.bytes !== undefined) left.add(piece)
      else take(piece, result)
    })
    for (let at = Atomics.add(job.next, 0, 1); at < pieces.length; at = Atomics.add(job.next, 0, 1))
      await this.#here(at, pieces, open, owner, take)
    for (let at = 0; at < pieces.length; at++) {
      while (!done.has(at) && !left.has(at)) if (!(await this.#threads.news())) break
      if (!done.has(at)) await this.#here(at, pieces, open, owner, take)
    }
  }

  async #here(
    number: number,
    pieces: readonly Piece[],
    open: readonly { session: Session; failed: boolean }[],
    owner: readonly number[],
    take: (number: number, result: ScanResult | undefined) => void,
  ): Promise<void> {
    const at = open[owner[number] ?? -1]
    let result: ScanResult | undefined
    try {
      result =
        at?.failed === true || this.#options.isLate?.() === true
          ? undefined
          : scanPiece(pieces[number] as Piece, this.#compiled)
    } catch (error) {
      if (at === undefined || !(error instanceof RetconError) || this.#options.skipped === undefined) throw error
      at.failed = true
      this.#options.skipped(at.session, error.message)
    }
    take(number, result)
    if (this.#untold >= TOLD_AT_ONCE) await this.#tick(this.#bytes)
  }

  #end(at: { session: Session; evidence: Evidence; failed: boolean } | undefined, scanned: Scanned<Session>): void {
    if (at !== undefined && !at.failed && (at.evidence.mask | at.evidence.inside) !== 0)
      scanned(at.session, at.evidence)
  }

  async #filesOf(session: Session): Promise<readonly (SearchedFile & { bytes?: Buffer })[] | undefined> {
    try {
      const files = await session.files()
      return files.map((file) => (file.load === undefined ? file : { ...file, bytes: file.load() }))
    } catch (error) {
      if (!(error instanceof RetconError) || this.#options.skipped === undefined) throw error
      this.#options.skipped(session, error.message)
      return undefined
    }
  }

  /** Terms that only some speakers may have said are not looked for in the title. */
  #titled({ title }: Session): number {
    let mask = 0
    for (const { term } of title === "" ? [] : occurrences(title, this.#terms, "title")) mask |= 1 << term
    return mask
  }

  async #tick(bytes: number): Promise<void> {
    this.#untold = 0
    await this.#options.tick?.(bytes)
  }
}

function piecesOf({ file, size, marks, isOurs, bytes }: SearchedFile & { bytes?: Buffer }): Omit<Piece, "number">[] {
  if (bytes !== undefined) return [{ file, size: bytes.length, marks, isOurs, from: 0, to: bytes.length, bytes }]
  return Array.from({ length: Math.ceil(size / PIECE) }, (_, n) => {
    return { file, size, marks, isOurs, from: n * PIECE, to: Math.min((n + 1) * PIECE, size) }
  })
}
