// The values of one row.
import { SqliteDamage } from "./sqlite-damage.ts"
import { readVarint } from "./varint.ts"

export type SqliteValue = null | number | string | Buffer

const SIZES = [0, 1, 2, 3, 4, 6, 8, 8, 0, 0]

/** The first `most` values of a row; fewer if it has fewer. */
export function readValues(payload: Buffer, most: number): SqliteValue[] {
  const header = readVarint(payload, 0)
  if (header.value > payload.length) throw new SqliteDamage("a row's header is longer than the row")
  const values: SqliteValue[] = []
  let at = header.value
  for (let next = header.end; next < header.value && values.length < most; ) {
    const { value: type, end } = readVarint(payload, next)
    next = end
    const size = type < 12 ? (SIZES[type] ?? 0) : Math.floor((type - 12) / 2)
    if (at + size > payload.length) throw new SqliteDamage("a row is shorter than its values")
    values.push(valueAt(payload, at, type, size))
    at += size
  }
  return values
}

function valueAt(bytes: Buffer, at: number, type: number, size: number): SqliteValue {
  if (type === 0) return null
  if (type === 8 || type === 9) return type - 8
  if (type === 7) return bytes.readDoubleBE(at)
  if (type === 6) return Number(bytes.readBigInt64BE(at))
  if (type <= 5) return bytes.readIntBE(at, size)
  if (type < 12) return null
  return type % 2 === 1 ? bytes.toString("utf8", at, at + size) : bytes.subarray(at, at + size)
}

/** How SQLite sorts texts and numbers. */
export function compareValues(a: SqliteValue, b: SqliteValue): number {
  const [one, other] = [rank(a), rank(b)]
  if (one !== other) return one - other
  if (typeof a === "number" && typeof b === "number") return a - b
  if (a === null || b === null) return 0
  return Buffer.compare(Buffer.from(a as string), Buffer.from(b as string))
}

function rank(value: SqliteValue): number {
  if (value === null) return 0
  return typeof value === "number" ? 1 : typeof value === "string" ? 2 : 3
}
