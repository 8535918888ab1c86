// A path is well-formed text, whatever its bytes on disk are, and can be turned back into those bytes.

const ESCAPED = /[\uEF80-\uEFFF]/
const SUSPECT = /[\uFFFD\uEF80-\uEFFF]/

/** True if decoding a name as UTF-8 may have lost bytes, so that it has to be read again as bytes. */
export function mayHaveLostBytes(name: string): boolean {
  return SUSPECT.test(name)
}

/** True if the path on disk differs from this text. */
export function isEscaped(path: string): boolean {
  return ESCAPED.test(path)
}

/**
 * Contract: pathBytes(pathFromBytes(b)) equals b for all bytes, and the text survives JSON and any UTF-8 database.
 * A byte that is not part of valid UTF-8 becomes one private-use character, U+EF00 + byte; so do the bytes of a name
 * that really contains such a character.
 */
export function pathFromBytes(bytes: Buffer): string {
  const text = bytes.toString("utf8")
  if (!SUSPECT.test(text)) return text
  let path = ""
  for (let at = 0; at < bytes.length; ) {
    const character = characterAt(bytes, at)
    if (character === undefined) {
      path += String.fromCharCode(0xef00 + (bytes[at] as number))
      at += 1
    } else {
      path += character
      at += Buffer.byteLength(character)
    }
  }
  return path
}

function characterAt(bytes: Buffer, at: number): string | undefined {
  const first = bytes[at] as number
  const length = first < 0x80 ? 1 : first < 0xc2 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : first < 0xf5 ? 4 : 0
  if (length === 0 || at + length > bytes.length) return undefined
  const slice = bytes.subarray(at, at + length)
  const text = slice.toString("utf8")
  return Buffer.from(text).equals(slice) && !ESCAPED.test(text) ? text : undefined
}

/** The bytes of a path, as on disk and in a git tree. */
export function pathBytes(path: string): Buffer {
  if (!ESCAPED.test(path)) return Buffer.from(path)
  const parts: Buffer[] = []
  for (const character of path) {
    const code = character.charCodeAt(0)
    parts.push(code >= 0xef80 && code <= 0xefff ? Buffer.from([code - 0xef00]) : Buffer.from(character))
  }
  return Buffer.concat(parts)
}

/** A key that sorts names as git does: by bytes. */
export function byteOrderKey(name: string): string {
  for (let i = 0; i < name.length; i++) if (name.charCodeAt(i) > 0x7f) return pathBytes(name).toString("latin1")
  return name
}
