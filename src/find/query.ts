// What a person types to search, as terms. Any text is a query; what looks like a filter but is none is a word.
import { RetconError } from "../model/failure/retcon-error.ts"

export interface Term {
  /** Without quotes, prefix star and field. */
  text: string
  /** A phrase is found inside words too. */
  kind: "word" | "prefix" | "phrase"
  /** Sessions that have it are not wanted. */
  not: boolean
  /** A bit for each of WHO: those that must have said it. */
  who: number
  /** Terms of the same group are alternatives. */
  group: number
  /** Capitals in the term count. */
  cases: "any" | "same"
  /** Of an ASCII word: what counts as this word, with other endings. Empty: only the word itself. */
  forms: readonly string[]
  /** Nearly every session has it: where there are others, it is left out. */
  common: boolean
}

export interface Query {
  terms: Term[]
  /** `from:`, `project:` and the like, as typed. */
  filters: Partial<Record<FilterName, string>>
  /** A sentence: words that nearly every message has were left out, and others in it may not have been said. */
  isQuestion: boolean
}

const FILTERS = ["from", "project", "since", "before", "session", "branch", "file", "read"] as const
export type FilterName = (typeof FILTERS)[number]

const EVERYBODY = 63
const FIELDS = new Map([
  ["you", 1],
  ["me", 1],
  ["agent", 2],
  ["call", 4],
  ["result", 8],
  ["tool", 12],
  ["thinking", 16],
])

/** More than this many terms are a text, not a question: the rest is left out. */
const MOST_TERMS = 24
/** A minus counts only before a word or a phrase. */
const WRITTEN = /(-(?=["\p{L}\p{N}_]))?(?:([a-z]+):)?(?:"((?:[^"\\]|\\.)*)"?|(\S+))/giu

/** Contract: every text has a query, which may be without terms. */
export function parseQuery(text: string): Query {
  const query: Query = { terms: [], filters: {}, isQuestion: false }
  let group = 0
  let or = false
  for (const [written, minus, prefix = "", phrase, word = ""] of text.matchAll(WRITTEN)) {
    const field = prefix.toLowerCase()
    const value = phrase ?? word
    const filter = FILTERS.find((name) => name === field)
    if (filter !== undefined && minus === undefined && isFilter(filter, value)) {
      query.filters[filter] = unescaped(value)
      continue
    }
    if (written === "OR" && query.terms.length > 0) {
      or = true
      continue
    }
    if (written === "AND") continue
    const who = FIELDS.get(field)
    const isField = who !== undefined && value !== ""
    // `std::move`, `http://x` and a lone minus are text.
    const isWhole = !isField && prefix !== ""
    const term = isWhole ? written.slice(minus === undefined ? 0 : 1) : value
    const found = termOf(phrase !== undefined && !isWhole ? { phrase: unescaped(term) } : { word: term })
    if (found === undefined || query.terms.length === MOST_TERMS) continue
    if (!or) group++
    or = false
    query.terms.push({ ...found, not: minus !== undefined, who: isField ? who : EVERYBODY, group })
  }
  for (const term of query.terms)
    if (query.terms.filter(({ group: of }) => of === term.group).length > 1) term.common = false
  const telling = query.terms.filter(({ not, common }) => not || !common)
  query.isQuestion = telling.length >= 3 && telling.length < query.terms.length
  if (telling.some(({ not }) => !not)) query.terms = telling
  return query
}

/** A text to be found as it is: one phrase. */
export function exactly(text: string, cases?: Term["cases"]): Query {
  const found = termOf({ phrase: text })
  const term = found && { ...found, not: false, who: EVERYBODY, group: 1, ...(cases !== undefined && { cases }) }
  return { terms: term === undefined ? [] : [term], filters: {}, isQuestion: false }
}

function isFilter(name: FilterName, value: string): boolean {
  return value !== "" && (name !== "branch" || value === "left")
}

function unescaped(text: string): string {
  return text.replaceAll(/\\(["\\])/g, "$1")
}

type Written = { phrase: string } | { word: string }

function termOf(written: Written): Omit<Term, "not" | "who" | "group"> | undefined {
  if ("phrase" in written) {
    const text = written.phrase.trim()
    return text === "" ? undefined : { text, kind: "phrase", cases: casesOf(text), forms: [], common: false }
  }
  const isPrefix = written.word.length > 1 && written.word.endsWith("*")
  const text = (isPrefix ? written.word.slice(0, -1) : written.word).replace(/^["']+/, "").replace(/["'?!,.;]+$/, "")
  if (text === "") return undefined
  const cases = casesOf(text)
  const common = !isPrefix && COMMON.has(text.toLowerCase())
  if (isPrefix) return { text, kind: "prefix", cases, forms: [], common }
  // A character that no word has, such as an arrow, is found wherever it is.
  const kind = /[\p{L}\p{N}]/u.test(text) ? "word" : "phrase"
  return { text, kind, cases, forms: cases === "any" && /^[a-z]{4,}$/.test(text) ? formsOf(text) : [], common }
}

function casesOf(text: string): Term["cases"] {
  return text === text.toLowerCase() ? "any" : "same"
}

/** The same word with other endings: tests, tested, testing; caches, caching. */
function formsOf(word: string): string[] {
  const bases = new Set([word])
  for (const ending of ["s", "es", "ed", "ing"]) {
    if (!word.endsWith(ending) || word.endsWith("ss") || word.length - ending.length < 3) continue
    bases.add(word.slice(0, -ending.length))
    if (ending === "ed" || ending === "ing") bases.add(`${word.slice(0, -ending.length)}e`)
  }
  if (word.endsWith("ies")) bases.add(`${word.slice(0, -3)}y`)
  const forms = new Set<string>()
  for (const base of bases) {
    if (base.endsWith("y")) forms.add(`${base.slice(0, -1)}ies`)
    for (const ending of ["", "s", "es", "ed", "ing"]) forms.add(base + ending)
    if (base.endsWith("e"))
      for (const ending of ["d", "ing"]) forms.add((ending === "d" ? base : base.slice(0, -1)) + ending)
  }
  return [...forms]
}

/** Contract: throws `invalid`, which names what was typed. */
export function timeOf(filter: "since" | "before", typed: string, now: number): number {
  const age = /^(\d+)(h|d|w|mo|y)$/.exec(typed)
  const unit = age === null ? undefined : UNITS[age[2] as keyof typeof UNITS]
  if (age !== null && unit !== undefined) return now - Number(age[1]) * unit
  if (typed === "today" || typed === "yesterday") {
    const day = new Date(now)
    day.setHours(0, 0, 0, 0)
    return day.getTime() - (typed === "today" ? 0 : UNITS.d)
  }
  const date = /^\d{4}-\d\d(-\d\d)?/.test(typed)
    ? new Date(typed.length === 10 ? `${typed}T00:00:00` : typed)
    : undefined
  if (date !== undefined && !Number.isNaN(date.getTime())) return date.getTime()
  const problem = `"${filter}:${typed}" is not a time.`
  throw new RetconError({
    code: "invalid",
    problem,
    advice: `Write an age or a day, such as ${filter}:7d or ${filter}:2026-10-01.`,
  })
}

const HOUR = 3_600_000
const UNITS = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR, mo: 30 * 24 * HOUR, y: 365 * 24 * HOUR }

/** Words of questions: where others are given, a session need not have them. */
const COMMON = new Set(
  `a about after again all also am an and any are as at be because been before being but by can could did do does doing
  for from get give go had has have he her here him his how i if in into is it its just know like make me more most my need
  no not now of on one only or our out over please she should show so some such tell than that the their them then there
  these they this those through to too under up us use used using very want was we were what when where which while who why
  will with without would yes you your
  aber als am an auch auf aus bei bin bis bitte da das dass dem den der des die doch du ein eine einem einen einer er es für
  gibt habe haben hat ich im in ist ja kann kein keine man mein mich mir mit nach nein nicht noch nur ob oder ohne schon sein
  sich sie sind so über um und uns unter vom von vor wann war warum was weil wenn wer werden wie wieder wir wird wo zu zum
  zur`.split(/\s+/),
)
