// The first 8 KB of a sidecar index: how much of the log it covers, what lists show, and the tips. Parser and printer.
import { crc32 } from "node:zlib"
import type { Rows } from "../../../history/rows/rows.ts"
import { NONE, type Row } from "../../../history/tree/tree.ts"
import { parseSessionId, type SessionId } from "../../../model/id.ts"
import { isObject, type JsonObject, parseJson } from "../../../model/json.ts"
import type { SessionRecord } from "../../../model/record/record.ts"
import type { KnownSummary } from "../../log-summary.ts"
import type { TipsFile } from "./tips-file.ts"

/** Increment it with every change of the columns, of replay, or of the index files. */
const VERSION = 15
const MAGIC = 0x72_74_63_78
/** The first half is for lists: words, chains, then a JSON summary. The second half contains the tips. */
export const SUMMARY_BYTES = 4096
export const HEADER_BYTES = 2 * SUMMARY_BYTES
export const MOST_TIPS = SUMMARY_BYTES / 4 - 1
/** Which file contains the tips, if they do not fit here. */
const TIPS_FILE_AT = { rows: SUMMARY_BYTES + 4, sum: SUMMARY_BYTES + 8 } as const
/** At most this many kinds of records form a chain. */
const MOST_CHAINS = 16

const AT = {
  magic: 0,
  version: 4,
  /** Of everything after it in the first half, up to the end of the summary. */
  sum: 8,
  tipsSum: 12,
  covered: 16,
  rows: 24,
  tailSum: 28,
  lastPageSum: 32,
  jsonLength: 36,
  firstPrompt: 40,
  chains: 44,
  timesSum: 48,
  lastTailsSum: 52,
  /** Kind and last row of each. */
  chain: 56,
  json: 56 + 8 * MOST_CHAINS,
} as const

/** Checksums of what is not full yet, and of the times of all blocks. */
export interface Sums {
  lastPageSum: number
  lastTailsSum: number
  timesSum: number
}

/**
 * What lists need from the log's first line, and when the log was written: with its length, this shows if it is valid.
 */
export interface Listing {
  id: SessionId
  cwd: string
  from: SessionRecord["from"]
  /** In milliseconds, as the file system reports it. */
  modified: number
}

export interface IndexHeader extends Sums {
  rows: number
  /** How many bytes of the log the rows cover. */
  covered: number
  /** The fingerprint of that part of the log. */
  tailSum: number
  firstPrompt: Row
  /** Last row of each kind that forms a chain. */
  last: ReadonlyMap<number, Row>
  summary: KnownSummary
  /** Undefined if there was no room for it, or if it was not known. */
  listing: Listing | undefined
}

/** The part of a header for lists: how much of the log it covers, and its summary, not yet validated. */
export function parseListed(bytes: Buffer): { covered: number; said: JsonObject } | undefined {
  if (bytes.length < SUMMARY_BYTES || bytes.readUInt32LE(AT.magic) !== MAGIC) return undefined
  if (bytes.readUInt32LE(AT.version) !== VERSION) return undefined
  const end = AT.json + bytes.readUInt32LE(AT.jsonLength)
  if (end > SUMMARY_BYTES || crc32(bytes.subarray(AT.tipsSum, end)) !== bytes.readUInt32LE(AT.sum)) return undefined
  const json = parseJson(bytes.toString("utf8", AT.json, end))
  return json.ok && isObject(json.value) ? { covered: bytes.readDoubleLE(AT.covered), said: json.value } : undefined
}

/** From the first half, or more. Undefined for anything that this version did not write completely. */
export function parseHeader(bytes: Buffer): IndexHeader | undefined {
  const listed = parseListed(bytes)
  const summary = parseSummary(listed?.said)
  if (listed === undefined || summary === undefined) return undefined
  const last = new Map<number, Row>()
  for (let i = 0; i < Math.min(bytes.readUInt32LE(AT.chains), MOST_CHAINS); i++) {
    const at = AT.chain + 8 * i
    last.set(bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4))
  }
  return {
    rows: bytes.readUInt32LE(AT.rows),
    covered: listed.covered,
    tailSum: bytes.readUInt32LE(AT.tailSum),
    lastPageSum: bytes.readUInt32LE(AT.lastPageSum),
    lastTailsSum: bytes.readUInt32LE(AT.lastTailsSum),
    timesSum: bytes.readUInt32LE(AT.timesSum),
    firstPrompt: bytes.readUInt32LE(AT.firstPrompt),
    last,
    summary,
    listing: parseListing(listed.said.listing),
  }
}

function parseSummary(value: unknown): KnownSummary | undefined {
  if (!isObject(value)) return undefined
  const { title, opening, prompts, branches, updated, archived } = value
  if (
    typeof title !== "string" ||
    typeof opening !== "string" ||
    typeof updated !== "string" ||
    typeof archived !== "boolean"
  )
    return undefined
  if (typeof prompts !== "number" || typeof branches !== "number") return undefined
  return { title, opening, prompts, branches, updated, archived }
}

function parseListing(value: unknown): Listing | undefined {
  if (!isObject(value)) return undefined
  const { cwd, from, modified } = value
  const id = parseSessionId(value.id)
  if (id === undefined || typeof cwd !== "string" || typeof modified !== "number") return undefined
  // Taken as it is: the checksum of the header was checked before.
  return { id, cwd, from: isObject(from) ? (from as unknown as SessionRecord["from"]) : undefined, modified }
}

/** The tips from a whole header, or the file that contains them; false if they are damaged. */
export function parseTips(bytes: Buffer): Uint32Array | TipsFile | false {
  if (crc32(bytes.subarray(SUMMARY_BYTES, HEADER_BYTES)) !== bytes.readUInt32LE(AT.tipsSum)) return false
  const count = bytes.readUInt32LE(SUMMARY_BYTES)
  if (count > MOST_TIPS)
    return { rows: bytes.readUInt32LE(TIPS_FILE_AT.rows), sum: bytes.readUInt32LE(TIPS_FILE_AT.sum) }
  return Uint32Array.from({ length: count }, (_, i) => bytes.readUInt32LE(SUMMARY_BYTES + 4 * (i + 1)))
}

/** Undefined if there is no room for the summary, which only happens with a log made for that purpose. */
export function printHeader(
  rows: Rows,
  header: Omit<IndexHeader, "firstPrompt" | "last"> & { tips: TipsFile | undefined },
): Buffer<ArrayBuffer> | undefined {
  const bytes = Buffer.alloc(HEADER_BYTES)
  const json = printJson({ ...header.summary, listing: header.listing }) ?? printJson(header.summary)
  if (json === undefined) return undefined
  bytes.writeUInt32LE(MAGIC, AT.magic)
  bytes.writeUInt32LE(VERSION, AT.version)
  bytes.writeDoubleLE(header.covered, AT.covered)
  bytes.writeUInt32LE(header.rows, AT.rows)
  bytes.writeUInt32LE(header.tailSum, AT.tailSum)
  bytes.writeUInt32LE(header.lastPageSum, AT.lastPageSum)
  bytes.writeUInt32LE(header.lastTailsSum, AT.lastTailsSum)
  bytes.writeUInt32LE(header.timesSum, AT.timesSum)
  bytes.writeUInt32LE(json.length, AT.jsonLength)
  bytes.writeUInt32LE(rows.firstPrompt, AT.firstPrompt)
  json.copy(bytes, AT.json)
  const lasts = [...rows.lastRows()]
  bytes.writeUInt32LE(lasts.length, AT.chains)
  for (const [i, [kind, row]] of lasts.entries()) {
    bytes.writeUInt32LE(kind, AT.chain + 8 * i)
    bytes.writeUInt32LE(row, AT.chain + 8 * i + 4)
  }
  const { branches } = rows
  const fits = branches <= MOST_TIPS
  bytes.writeUInt32LE(fits ? branches : NONE, SUMMARY_BYTES)
  for (const [i, tip] of fits ? rows.tips().entries() : []) bytes.writeUInt32LE(tip, SUMMARY_BYTES + 4 * (i + 1))
  if (!fits) {
    bytes.writeUInt32LE(header.tips?.rows ?? 0, TIPS_FILE_AT.rows)
    bytes.writeUInt32LE(header.tips?.sum ?? 0, TIPS_FILE_AT.sum)
  }
  bytes.writeUInt32LE(crc32(bytes.subarray(SUMMARY_BYTES, HEADER_BYTES)), AT.tipsSum)
  bytes.writeUInt32LE(crc32(bytes.subarray(AT.tipsSum, AT.json + json.length)), AT.sum)
  return bytes
}

/** Undefined if there is no room for it. */
function printJson(value: object): Buffer | undefined {
  const json = Buffer.from(JSON.stringify(value))
  return json.length > SUMMARY_BYTES - AT.json ? undefined : json
}
