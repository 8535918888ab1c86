// Ids are UUIDv7: unique everywhere, sorted by time. Each kind is a branded type with a single parser.
import { HEX } from "./id-words.ts"

declare const brand: unique symbol
type Branded<Name extends string> = string & { readonly [brand]: Name }

/** Any record of a log. */
export type RecordId = Branded<"record">
/** A record in the tree. Every entry id is a record id. */
export type EntryId = RecordId & { readonly [brand]: "record" & "entry" }
export type SessionId = Branded<"session">

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/

export function parseRecordId(text: unknown): RecordId | undefined {
  return typeof text === "string" && UUID.test(text) ? (text as RecordId) : undefined
}

export function parseEntryId(text: unknown): EntryId | undefined {
  return typeof text === "string" && UUID.test(text) ? (text as EntryId) : undefined
}

export function parseSessionId(text: unknown): SessionId | undefined {
  return typeof text === "string" && UUID.test(text) ? (text as SessionId) : undefined
}

/** What creating ids needs: a clock and randomness, both passed in. */
export interface IdSource {
  /** Milliseconds since 1970. */
  now(): number
  /** Fills the array with random bytes. */
  random(bytes: Uint8Array): void
}

/** Creates new ids. Two ids of one maker are never equal, and they sort in the order of their creation. */
export interface Ids {
  entry(): EntryId
  record(): RecordId
  session(): SessionId
}

const POOL = 10 * 256

export function makeIds(source: IdSource): Ids {
  const pool = new Uint8Array(POOL)
  let used = POOL
  let lastMs = 0
  let sequence = 0

  /** 48 bits of time, a 12-bit sequence within the millisecond, 62 random bits. */
  function next(): string {
    if (used + 10 > POOL) {
      source.random(pool)
      used = 0
    }
    const now = source.now()
    if (now > lastMs) {
      lastMs = now
      sequence = ((pool[used] ?? 0) << 3) | ((pool[used + 1] ?? 0) & 7)
    } else if (++sequence > 0xfff) {
      lastMs += 1
      sequence = 0
    }
    const high = Math.floor(lastMs / 0x10000)
    const hex = (at: number) => HEX[pool[used + at] ?? 0]
    const text =
      `${high.toString(16).padStart(8, "0")}-${(lastMs % 0x10000).toString(16).padStart(4, "0")}-` +
      `7${sequence.toString(16).padStart(3, "0")}-` +
      `${HEX[((pool[used + 2] ?? 0) & 0x3f) | 0x80]}${hex(3)}-` +
      `${hex(4)}${hex(5)}${hex(6)}${hex(7)}${hex(8)}${hex(9)}`
    used += 10
    return text
  }

  return {
    entry: () => next() as EntryId,
    record: () => next() as RecordId,
    session: () => next() as SessionId,
  }
}

/** The shortest suffix that views show. Suffixes, because prefixes of UUIDv7 contain the time, and so collide. */
export const SHORT_ID = 6

export function shortId(id: string): string {
  return id.slice(-SHORT_ID)
}
