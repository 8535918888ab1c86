// Finds the elements of a list in the bytes of a JSON text. Not recursive, because the text may be nested arbitrarily deep.

const [QUOTE, BACKSLASH, COLON, COMMA] = [34, 92, 58, 44]

export interface Range {
  start: number
  end: number
}

/**
 * The elements of the list that these keys lead to; empty if there is no such list.
 * Contract: the bytes from `start` to `end` are JSON. For anything else the result is arbitrary, but the search ends.
 */
export function elementRanges(bytes: Buffer, start: number, end: number, keys: readonly string[]): Range[] {
  const first = skipSpace(bytes, start, end)
  let at: Range | undefined = { start: first, end: skipValue(bytes, first, end) }
  for (const key of keys) {
    if (at === undefined || bytes[at.start] !== 0x7b) return []
    at = fieldIn(bytes, at, key)
  }
  if (at === undefined || bytes[at.start] !== 0x5b) return []
  const found: Range[] = []
  for (let from = skipSpace(bytes, at.start + 1, end); from < at.end - 1; ) {
    const to = skipValue(bytes, from, at.end)
    if (to === from) return []
    found.push({ start: from, end: to })
    from = skipSeparator(bytes, to, at.end)
  }
  return found
}

/** The value of an object's last field with that name, as in JSON.parse. */
function fieldIn(bytes: Buffer, object: Range, key: string): Range | undefined {
  let found: Range | undefined
  for (let at = skipSpace(bytes, object.start + 1, object.end); bytes[at] === QUOTE && at < object.end; ) {
    const name = skipValue(bytes, at, object.end)
    const start = skipSpace(bytes, skipSpace(bytes, name, object.end) + 1, object.end)
    const end = skipValue(bytes, start, object.end)
    if (bytes.toString("utf8", at + 1, name - 1) === key) found = { start, end }
    at = skipSeparator(bytes, end, object.end)
  }
  return found
}

/** Where the value that starts here ends. */
function skipValue(bytes: Buffer, start: number, end: number): number {
  let depth = 0
  for (let at = start; at < end; at++) {
    const byte = bytes[at] as number
    if (byte === QUOTE) {
      at = skipString(bytes, at, end)
      if (depth === 0) return at + 1
    } else if (byte === 0x7b || byte === 0x5b) depth++
    else if (byte === 0x7d || byte === 0x5d) {
      if (depth === 0) return at
      if (--depth === 0) return at + 1
    } else if (depth === 0 && (byte === COMMA || byte === COLON || isSpace(byte))) return at
  }
  return end
}

/** The offset of the closing quote. */
function skipString(bytes: Buffer, start: number, end: number): number {
  let at = bytes.indexOf(QUOTE, start + 1)
  while (at !== -1 && at < end) {
    let slashes = 0
    while (bytes[at - 1 - slashes] === BACKSLASH) slashes++
    if (slashes % 2 === 0) return at
    at = bytes.indexOf(QUOTE, at + 1)
  }
  return end
}

function skipSeparator(bytes: Buffer, start: number, end: number): number {
  const at = skipSpace(bytes, start, end)
  return bytes[at] === COMMA ? skipSpace(bytes, at + 1, end) : at
}

function skipSpace(bytes: Buffer, start: number, end: number): number {
  let at = start
  while (at < end && isSpace(bytes[at] as number)) at++
  return at
}

function isSpace(byte: number): boolean {
  return byte === 32 || byte === 10 || byte === 13 || byte === 9
}
