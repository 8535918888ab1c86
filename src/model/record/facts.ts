// What a row of the index needs to know about a line, read from its first bytes. Bodies are not parsed.
import { matches } from "../bytes.ts"
import { idWords, readIdWords } from "../id-words.ts"
import { ORIGINS, ROLES } from "./origin.ts"
import { isPrompt } from "./prompt.ts"
import { isEntry, isEntryKind, KIND, type Kind, kindOf, type LogRecord, WRITTEN_TYPES } from "./record.ts"
import { parseRecord } from "./record-parse.ts"
import { keyNumber, NUMBERED_KEYS } from "./state-key.ts"

/** Reused for each line, so that scanning a gigabyte creates no garbage. */
export interface Facts {
  kind: Kind
  id: Uint32Array
  /** Valid when `hasParent`. */
  parent: Uint32Array
  hasParent: boolean
  /** Index into ROLES, for a message. */
  role: number
  /** Index into ORIGINS, for a message; the number of its key, for a state entry. */
  origin: number
  prompt: boolean
  /** For an entry: whether the head moves to it. In our logs only an operation moves it to a note or compaction. */
  movesHead: boolean
  /** The move of an operation. */
  move: MoveFacts | undefined
}

export interface MoveFacts {
  kind: string
  from: string | null
  to: string | null
  undoes: string | undefined
  /** The first of the lines that it took in from another log. */
  takes?: string | undefined
  /** Whether it moved files. */
  files: boolean
}

export function emptyFacts(): Facts {
  return {
    kind: KIND.damaged,
    id: new Uint32Array(4),
    parent: new Uint32Array(4),
    hasParent: false,
    role: 0,
    origin: 0,
    prompt: false,
    movesHead: true,
    move: undefined,
  }
}

/** Longer lines are kept but not parsed. */
export const LONGEST_LINE = 64 * 1024 * 1024

const encoder = new TextEncoder()
const AT_ID = encoder.encode('{"id":"')
const TO_TYPE = encoder.encode('","type":"')
const TO_PARENT = encoder.encode('","parent":')
const TO_ROLE = encoder.encode(',"role":"')
const TO_ORIGIN = encoder.encode('","origin":"')
const TO_TURN = encoder.encode('","turn":true')
const NULL = encoder.encode("null")
const TO_AT = encoder.encode(',"at":"')
const TO_KEY = encoder.encode('","key":"')
/** How an escaped letter or hyphen begins. We never write one, but another program may, in one of our keys. */
const ESCAPED_LETTER = ["\\u002", "\\u006", "\\u007"].map((start) => encoder.encode(start))
const QUOTE = 34
const BACKSLASH = 92
const CLOSE = 125

/** How many of a line's first bytes decide its facts. */
export const FACTS_PREFIX = 256

interface Word {
  /** Including the closing quote. */
  bytes: Uint8Array
  value: number
}

/** Words by their first byte, so that a word is found in the bytes without creating a string. */
function wordTable(words: readonly (readonly [string, number])[]): readonly (readonly Word[])[] {
  const table: Word[][] = Array.from({ length: 256 }, () => [])
  for (const [text, value] of words) {
    const bytes = encoder.encode(`${text}"`)
    table[bytes[0] as number]?.push({ bytes, value })
  }
  return table
}

const TYPES = wordTable(WRITTEN_TYPES)
const ROLE_CODES = wordTable(ROLES.map((role, code) => [role, code] as const))
const KEY_NUMBERS = wordTable(NUMBERED_KEYS)
const ORIGIN_CODES = wordTable(ORIGINS.map((origin, code) => [origin, code] as const))
const COMMAND = ORIGINS.indexOf("command")
const MOVE = ORIGINS.indexOf("move")
/** The result of `isPrompt` for every role with every origin. */
const [PROMPTS, PROMPTS_OF_TURNS] = [false, true].map((turn) =>
  ROLES.flatMap((role) => ORIGINS.map((origin) => isPrompt({ role, origin, turn }))),
) as [boolean[], boolean[]]

/** The value of the word that starts at `at`, or -1 if it is not in the table; sets `wordEnd` to where it ends. */
let wordEnd = 0
function readWord(bytes: Uint8Array, at: number, table: readonly (readonly Word[])[]): number {
  const first = bytes[at]
  if (first === undefined) return -1
  const words = table[first] as readonly Word[]
  for (let i = 0; i < words.length; i++) {
    const word = words[i] as Word
    if (!matches(bytes, at, word.bytes)) continue
    wordEnd = at + word.bytes.length - 1
    return word.value
  }
  return -1
}

/**
 * The facts of a line in the form that printRecord writes. `bytes` needs only its first FACTS_PREFIX bytes; `last` is
 * its last byte. False: not in that form, or these bytes do not decide it; call `slowFacts` with the whole line.
 */
export function quickFacts(bytes: Uint8Array, start: number, end: number, last: number, facts: Facts): boolean {
  if (last !== CLOSE || end - start < 60 || !matches(bytes, start, AT_ID)) return false
  let at = start + AT_ID.length
  if (!readIdWords(bytes, at, facts.id)) return false
  at += 36
  if (!matches(bytes, at, TO_TYPE)) return false
  const kind = readWord(bytes, at + TO_TYPE.length, TYPES)
  at = wordEnd
  if (kind === -1 || kind === KIND.operation) return false
  bareFacts(facts, kind as Kind)
  if (!isEntryKind(kind)) return true
  if (!matches(bytes, at, TO_PARENT)) return false
  at += TO_PARENT.length
  if (bytes[at] === QUOTE) {
    if (!readIdWords(bytes, at + 1, facts.parent) || bytes[at + 37] !== QUOTE) return false
    facts.hasParent = true
    at += 38
  } else if (matches(bytes, at, NULL)) at += NULL.length
  else return false
  if (kind === KIND.message) return quickMessage(bytes, at, facts)
  return kind !== KIND.state || quickState(bytes, at, end, facts)
}

function quickState(bytes: Uint8Array, start: number, end: number, facts: Facts): boolean {
  if (!matches(bytes, start, TO_AT)) return false
  let at = start + TO_AT.length
  while (at < end && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++
  if (!matches(bytes, at, TO_KEY)) return false
  at += TO_KEY.length
  const number = readWord(bytes, at, KEY_NUMBERS)
  facts.origin = Math.max(0, number)
  if (number !== -1) return true
  while (at < end && bytes[at] !== QUOTE && bytes[at] !== BACKSLASH) at++
  return !ESCAPED_LETTER.some((letter) => matches(bytes, at, letter))
}

/** Leaves an unknown origin, and a command whose `turn` is not in its usual place, to `slowFacts`. */
function quickMessage(bytes: Uint8Array, start: number, facts: Facts): boolean {
  if (!matches(bytes, start, TO_ROLE)) return false
  const role = readWord(bytes, start + TO_ROLE.length, ROLE_CODES)
  if (role === -1 || !matches(bytes, wordEnd, TO_ORIGIN)) return false
  const origin = readWord(bytes, wordEnd + TO_ORIGIN.length, ORIGIN_CODES)
  if (origin === -1) return false
  const turn = matches(bytes, wordEnd, TO_TURN)
  if (origin === COMMAND && !turn) return false
  setMessage(facts, role, origin, turn)
  return true
}

/** The facts of a line that has, or is known to have, only a kind. The id stays as it is. */
export function bareFacts(facts: Facts, kind: Kind): void {
  facts.kind = kind
  facts.hasParent = false
  facts.prompt = false
  facts.movesHead = kind !== KIND.note && kind !== KIND.compaction
  facts.role = 0
  facts.origin = 0
  facts.move = undefined
}

/** The facts of a message besides its place in the tree. */
export function setMessage(facts: Facts, role: number, origin: number, turn: boolean): void {
  facts.role = role
  facts.origin = origin
  if (origin === MOVE) facts.movesHead = false
  facts.prompt = (turn ? PROMPTS_OF_TURNS : PROMPTS)[role * ORIGINS.length + origin] === true
}

/** The facts of any line, by parsing all of it. Returns the problem, in words, if the line is not a record. */
export function slowFacts(line: string, facts: Facts): string | undefined {
  const parsed = parseRecord(line)
  if (!parsed.ok) {
    bareFacts(facts, KIND.damaged)
    return parsed.problem
  }
  factsOf(parsed.value, facts)
  return undefined
}

/** The facts of a parsed record. They equal what `quickFacts` finds in its line. */
export function factsOf(record: LogRecord, facts: Facts): void {
  bareFacts(facts, kindOf(record.type))
  idWords(record.id, facts.id)
  if (isEntry(record)) {
    if (record.parent !== null) {
      idWords(record.parent, facts.parent)
      facts.hasParent = true
    }
    if (record.type === "message") {
      setMessage(facts, ROLES.indexOf(record.role), ORIGINS.indexOf(record.origin), record.turn === true)
    }
    if (record.type === "state") facts.origin = keyNumber(record.key)
  } else if (record.type === "operation") {
    facts.move = {
      kind: record.kind,
      from: record.head.from,
      to: record.head.to,
      undoes: record.undoes,
      takes: record.takes,
      files: record.files !== undefined,
    }
  }
}

/** Whether both would give the same row. Contract: one is from `quickFacts`, which knows no moves. */
export function sameFacts(a: Facts, b: Facts): boolean {
  if (a.kind !== b.kind || a.role !== b.role || a.origin !== b.origin || a.prompt !== b.prompt) return false
  if (a.hasParent !== b.hasParent) return false
  return (
    a.id.every((word, i) => word === b.id[i]) && (!a.hasParent || a.parent.every((word, i) => word === b.parent[i]))
  )
}
