// Looks through a piece of a file for the terms of a query, on bytes: which of them are there, who said them, and in which lines.
import { closeSync, constants, openSync, readFileSync, readSync } from "node:fs"
import { type LineMarks, WHO } from "../model/line-marks.ts"
import { LONGEST_LINE } from "../model/record/facts.ts"
import { blobFolder } from "../store/file/disk/layout.ts"
import { attemptRead, orNothing } from "../store/file/disk/problems.ts"
import { lineChunks, type ReadInto } from "../store/file/folder/line-chunks.ts"
import { blobFile } from "../store/file/log/blobs.ts"
import { bytePattern } from "./pattern.ts"
import type { Term } from "./query.ts"
import { boundaryAfter, boundaryBefore, HARD, isCjk, isLetter, SOFT } from "./word-edges.ts"

/** How much each of WHO counts. */
export const WEIGHT = [8, 4, 2, 1, 1, 1] as const
const SPEAKERS = WHO.length

export interface Piece {
  /** Its position among all pieces. */
  number: number
  file: string
  /** The size of the whole file when the search began. */
  size: number
  from: number
  to: number
  marks: LineMarks
  /** One of our own logs: large parts of a record are in files of their own. */
  isOurs: boolean
  /** The bytes to search in place of the file's. */
  bytes?: Buffer | undefined
}

/** A line in which terms were found, without its newline. */
export interface FoundLine {
  from: number
  to: number
  /** Bits of the terms, and of those that are inside words only. */
  mask: number
  inside: number
  score: number
  /** Index into WHO. */
  who: number
}

/** What was found; as whole words, and otherwise. */
export interface ScanResult {
  /** Bits of the terms that are there, and of those that are there inside words only. */
  mask: number
  inside: number
  /** By term and speaker: in how many lines, as whole words. */
  counts: Float64Array
  lines: FoundLine[]
  /** The smallest distance in bytes between lines that together have all terms. */
  span: number
}

/** How many of a session's lines are kept, unless more are wanted. */
export const FEW_LINES = 16
/** How much of a line shows who said it. */
const BEGINNING = 900
const BACKSLASH = 92

const NAMES_A_BLOB = '"blob":{'
const BLOB = /"blob":\{[^{}]*"hash":"(sha256-[0-9a-f]{64})"/g

export interface CompiledTerms {
  pattern: RegExp
  terms: readonly CompiledTerm[]
  /** One term's text may begin inside another's. */
  overlap: boolean
  /** How many lines to keep. */
  most: number
}

interface CompiledTerm extends Term {
  here: RegExp
  /** What it begins with, in lower case, if that is an ASCII letter. */
  first: number
  known: ReadonlySet<string>
  /** A side where any character may follow, because its script writes no spaces. */
  openBefore: boolean
  openAfter: boolean
}

export function compileTerms(terms: readonly Term[], most = FEW_LINES): CompiledTerms {
  const compiled = terms.map((term): CompiledTerm => {
    const stem = stemOf(term)
    return {
      ...term,
      who: couldBe(term.who),
      here: new RegExp(bytePattern(stem, term.cases), "y"),
      first: isLetter(stem.charCodeAt(0)) ? stem.charCodeAt(0) | 32 : 0,
      known: new Set(term.forms),
      openBefore: !isWordText(term.text.charAt(0)) || isCjk(term.text.codePointAt(0) ?? 0),
      openAfter: !isWordText(term.text.at(-1) ?? "") || isCjk(term.text.charCodeAt(term.text.length - 1)),
    }
  })
  const sources = [...new Set(terms.map((term) => bytePattern(stemOf(term), term.cases)))]
  sources.sort((a, b) => b.length - a.length)
  const lower = terms.map((term) => stemOf(term).toLowerCase())
  const overlap = lower.some((text, i) => lower.some((other, j) => i !== j && overlaps(text, other)))
  return { pattern: new RegExp(sources.join("|"), "g"), terms: compiled, overlap, most }
}

/** Some agents write an answer with its calls, or a call with its result, in one line: what counts is decided when it is read. */
function couldBe(who: number): number {
  if ((who & ANSWER) !== 0) return who | ANSWER | OTHER_BIT
  return (who & RESULT) === 0 ? who | OTHER_BIT : who | CALL | AGENT | OTHER_BIT
}

const [AGENT, CALL, RESULT, ANSWER, OTHER_BIT] = [2, 4, 8, 2 | 4 | 16, 32]

/** What all forms of a word begin with. */
function stemOf({ text, forms }: Term): string {
  return forms.reduce((stem, form) => {
    let length = 0
    while (length < stem.length && stem[length] === form[length]) length++
    return stem.slice(0, length)
  }, text)
}

function overlaps(text: string, other: string): boolean {
  if (text.includes(other)) return true
  for (let n = 1; n < Math.min(text.length, other.length); n++) if (text.endsWith(other.slice(0, n))) return true
  return false
}

function isWordText(character: string): boolean {
  return /[\p{L}\p{N}]/u.test(character)
}

/** Undefined if nothing is there, or the file may not be read; one of our own logs that cannot be read is a failure. */
export function scanPiece(piece: Piece, compiled: CompiledTerms): ScanResult | undefined {
  const { file, isOurs, bytes } = piece
  if (bytes !== undefined) {
    const read: ReadInto = (into, at, length, offset) => bytes.copy(into, at, offset, offset + length)
    return new Scan(piece, compiled).run(read)
  }
  const open = () => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  const fd = isOurs ? attemptRead(file, open) : orNothing(open)
  if (fd === undefined) return undefined
  try {
    const read: ReadInto = (into, at, length, offset) => attemptRead(file, () => readSync(fd, into, at, length, offset))
    return new Scan(piece, compiled).run(read)
  } finally {
    closeSync(fd)
  }
}

class Scan {
  readonly #piece: Piece
  readonly #compiled: CompiledTerms
  readonly #unsaid: ReadonlySet<string>
  readonly #result: ScanResult
  /** Where each term was last, in the file. */
  readonly #last: Float64Array
  /** How well each term fits in the line of the last hit. */
  readonly #fits: Float64Array
  #worst = 0
  // The line of the last hit.
  #lineFrom = 0
  #lineTo = -1
  #who = 0
  // The string of the last hit.
  #stringFrom = -1
  #stringTo = -1
  #isSaid = false

  constructor(piece: Piece, compiled: CompiledTerms) {
    const count = compiled.terms.length
    this.#piece = piece
    this.#compiled = compiled
    this.#unsaid = new Set(piece.marks.unsaid)
    const counts = new Float64Array(count * SPEAKERS)
    this.#result = { mask: 0, inside: 0, counts, lines: [], span: Number.POSITIVE_INFINITY }
    this.#last = new Float64Array(count).fill(-1)
    this.#fits = new Float64Array(count)
  }

  run(read: ReadInto): ScanResult | undefined {
    for (const { bytes, offset } of lineChunks(read, this.#piece)) {
      const text = bytes.toString("latin1")
      this.#look(text, offset)
      if (this.#piece.isOurs && text.includes(NAMES_A_BLOB)) this.#lookIntoBlobs(text, offset)
    }
    const { mask, inside, lines } = this.#result
    if (mask === 0 && inside === 0) return undefined
    keepBest(lines, this.#compiled.most)
    return this.#result
  }

  #look(text: string, base: number): void {
    const { pattern, terms, overlap } = this.#compiled
    this.#lineTo = -1
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) {
      const at = match.index
      if (at >= this.#lineTo) {
        this.#closeLine(base)
        this.#beginLine(text, at)
        if (this.#who === NOBODY) {
          pattern.lastIndex = this.#lineTo
          continue
        }
      }
      if (terms.length === 1) this.#hit(text, at, pattern.lastIndex, 0)
      else {
        for (let number = 0; number < terms.length; number++) {
          const { here, first } = terms[number] as CompiledTerm
          if (first !== 0 && first !== (text.charCodeAt(at) | 32)) continue
          here.lastIndex = at
          if (here.test(text)) this.#hit(text, at, here.lastIndex, number)
        }
        if (overlap) pattern.lastIndex = at + 1
      }
      if (this.#fits.every((fit) => fit === 1)) pattern.lastIndex = Math.max(pattern.lastIndex, this.#lineTo)
    }
    this.#closeLine(base)
  }

  #beginLine(text: string, at: number): void {
    this.#lineFrom = text.lastIndexOf("\n", at) + 1
    const newline = text.indexOf("\n", at)
    this.#lineTo = newline === -1 ? text.length : newline
    this.#who = speakerOf(text, this.#lineFrom, this.#lineTo, this.#piece.marks)
    this.#stringFrom = -1
  }

  /** Adds the line of the last hit to the result. */
  #closeLine(base: number): void {
    const fits = this.#fits
    const { counts, lines } = this.#result
    const { terms, most } = this.#compiled
    let mask = 0
    let inside = 0
    let score = 0
    for (let number = 0; number < fits.length; number++) {
      const fit = fits[number] ?? 0
      if (fit === 0) continue
      fits[number] = 0
      score += fit * (10 + (WEIGHT[this.#who] ?? 1))
      if (fit === INSIDE) inside |= 1 << number
      else {
        mask |= 1 << number
        const slot = number * SPEAKERS + this.#who
        counts[slot] = (counts[slot] ?? 0) + fit
      }
    }
    if (score === 0) return
    const from = base + this.#lineFrom
    const isNew = ((mask | inside) & ~(this.#result.mask | this.#result.inside)) !== 0
    this.#result.mask |= mask
    this.#result.inside |= inside
    if (lines.length < most || score > this.#worst || isNew) {
      lines.push({ from, to: base + this.#lineTo, mask, inside, score, who: this.#who })
      if (lines.length > 2 * most) this.#worst = keepBest(lines, most)
    }
    if (mask === 0) return
    let oldest = Number.POSITIVE_INFINITY
    for (let number = 0; number < terms.length; number++) {
      if ((mask & (1 << number)) !== 0) this.#last[number] = from
      if (isRequired(terms[number] as Term)) oldest = Math.min(oldest, this.#last[number] ?? -1)
    }
    if (oldest >= 0) this.#result.span = Math.min(this.#result.span, from - oldest)
  }

  #hit(text: string, at: number, end: number, number: number): void {
    const term = this.#compiled.terms[number] as CompiledTerm
    const known = this.#fits[number] ?? 0
    if (known === 1 || (term.who & (1 << this.#who)) === 0) return
    const fit = fitOf(text, at, end, term)
    if (fit > known && this.#said(text, at)) this.#fits[number] = fit
  }

  /** Whether somebody said the string around a place: it is no key, no id and no image. */
  #said(text: string, at: number): boolean {
    if (this.#stringFrom !== -1 && at >= this.#stringTo && lastQuote(text, at, this.#stringTo) === -1) {
      this.#stringTo = at
      return this.#isSaid
    }
    const quote = lastQuote(text, at, this.#lineFrom)
    this.#stringFrom = quote
    this.#stringTo = at
    this.#isSaid = quote !== -1 && this.#isSaidString(text, quote, at)
    return this.#isSaid
  }

  #isSaidString(text: string, quote: number, at: number): boolean {
    let before = quote - 1
    while (text[before] === " ") before--
    const opener = text[before]
    // After the end of a string: a number, true, null.
    if (before >= this.#lineFrom && opener !== ":" && opener !== "," && opener !== "[" && opener !== "{") return false
    if (opener === ":") {
      before--
      while (text[before] === " ") before--
      const key = text.lastIndexOf('"', before - 1)
      return !this.#unsaid.has(text.slice(key + 1, before)) && !isData(text, quote + 1)
    }
    return !isKey(text, at, this.#lineTo) && !isData(text, quote + 1)
  }

  /** Large parts are not in the line itself: what is found in them is found in the line that names them. */
  #lookIntoBlobs(text: string, base: number): void {
    const folder = blobFolder(this.#piece.file)
    for (const { index, 1: hash = "" } of text.matchAll(BLOB)) {
      const bytes = orNothing(() => readFileSync(blobFile(folder, hash)))
      if (bytes === undefined || bytes.length > LONGEST_LINE) continue
      this.#beginLine(text, index)
      const [from, to] = [this.#lineFrom, this.#lineTo]
      const content = bytes.toString("latin1")
      const { terms } = this.#compiled
      for (const [number, term] of terms.entries()) {
        const pattern = new RegExp(term.here.source, "g")
        for (let match = pattern.exec(content); match !== null; match = pattern.exec(content)) {
          const fit = (term.who & (1 << this.#who)) === 0 ? 0 : fitOf(content, match.index, pattern.lastIndex, term)
          this.#fits[number] = Math.max(this.#fits[number] ?? 0, fit)
          if (fit === 1) break
        }
      }
      this.#lineFrom = from
      this.#lineTo = to
      this.#closeLine(base)
    }
  }
}

/** A term that sessions must have to be found. */
export function isRequired({ not }: Term): boolean {
  return !not
}

export const INSIDE = 0.1
const PART = 0.6
const NOBODY = -1

/** 1: a whole word. PART: a part of one, such as `ledger` in `parse_ledger`. INSIDE: within a word. 0: another word. */
function fitOf(text: string, at: number, end: number, term: CompiledTerm): number {
  if (term.kind === "phrase") return 1
  const before = term.openBefore ? HARD : boundaryBefore(text, at)
  if (term.kind === "prefix") return before === HARD ? 1 : before === SOFT ? PART : INSIDE
  if (term.known.size > 0) return before === 0 ? insideOr0(text, at, term) : formFit(text, at, before, term)
  const after = term.openAfter ? HARD : boundaryAfter(text, end)
  if (before === 0 || after === 0) return INSIDE
  if (before === HARD && after === HARD) return 1
  // Only one part counts as one, or parts as they were typed.
  return term.cases === "any" && /[a-z][A-Z]/.test(text.slice(at, end)) ? INSIDE : PART
}

/** The word that begins here, or its first part. */
function formFit(text: string, at: number, before: number, term: CompiledTerm): number {
  let stop = at + 1
  while (isLetter(text.charCodeAt(stop))) {
    if (boundaryAfter(text, stop) === SOFT && term.known.has(text.slice(at, stop).toLowerCase())) return PART
    stop++
  }
  const after = boundaryAfter(text, stop)
  const isPart = !/[a-z][A-Z]/.test(text.slice(at, stop))
  if (
    after !== 0 &&
    (isPart || (before === HARD && after === HARD)) &&
    term.known.has(text.slice(at, stop).toLowerCase())
  )
    return before === HARD && after === HARD ? 1 : PART
  return insideOr0(text, at, term)
}

/** All forms of a word begin alike: a longer word may have that beginning, but not the word. */
function insideOr0(text: string, at: number, term: CompiledTerm): number {
  return text.slice(at, at + term.text.length).toLowerCase() === term.text ? INSIDE : 0
}

/** The last quote before `at` and from `low` on that is not escaped, or -1. */
function lastQuote(text: string, at: number, low: number): number {
  let quote = at === 0 ? -1 : text.lastIndexOf('"', at - 1)
  while (quote >= low && isEscaped(text, quote)) quote = quote === 0 ? -1 : text.lastIndexOf('"', quote - 1)
  return quote >= low ? quote : -1
}

function isEscaped(text: string, at: number): boolean {
  let count = 0
  while (text.charCodeAt(at - 1 - count) === BACKSLASH) count++
  return count % 2 === 1
}

/** Whether the string around `at` is the name of a field. */
function isKey(text: string, at: number, lineTo: number): boolean {
  let end = text.indexOf('"', at)
  while (end !== -1 && end < lineTo && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  if (end === -1 || end >= lineTo) return false
  let after = end + 1
  while (text[after] === " ") after++
  return text[after] === ":"
}

/** Images and the like: letters and digits without a space. The same in the table of words. */
const DATA = /(?:data:[\w/+.-]{1,40};base64,)?[A-Za-z0-9+/=_-]{192}/y

export function isData(text: string, from: number): boolean {
  DATA.lastIndex = from
  return DATA.test(text)
}

function speakerOf(text: string, from: number, to: number, { who }: LineMarks): number {
  const beginning = text.slice(from, Math.min(to, from + BEGINNING))
  for (const [mark, speaker] of who)
    if (beginning.includes(mark)) return speaker === "nobody" ? NOBODY : WHO.indexOf(speaker)
  return OTHER
}

const OTHER = WHO.indexOf("other")

/** The best lines, and one for each term that is not in those. Returns the lowest score of the best. */
export function keepBest<Line extends FoundLine>(
  lines: Line[],
  most: number,
  order?: (a: Line, b: Line) => number,
): number {
  lines.sort((a, b) => b.score - a.score || (order?.(a, b) ?? a.from - b.from))
  if (lines.length <= most) return 0
  let seen = 0
  const kept = lines.filter(({ mask, inside }, at) => {
    const isNew = ((mask | inside) & ~seen) !== 0
    if (at < most || isNew) seen |= mask | inside
    return at < most || isNew
  })
  lines.splice(0, lines.length, ...kept)
  return lines[most - 1]?.score ?? 0
}
