// Text as lines, byte for byte: each line keeps its ending, and bytes are kept as latin1 so that nothing is lost.

/** The first eight thousand bytes decide, as in git. */
export function isBinary(bytes: Buffer): boolean {
  return bytes.subarray(0, 8000).includes(0)
}

/** Contract: joining the lines gives back the bytes. */
export function splitLines(bytes: Buffer): string[] {
  const text = bytes.toString("latin1")
  const lines: string[] = []
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf("\n", at)
    const next = end < 0 ? text.length : end + 1
    lines.push(text.slice(at, next))
    at = next
  }
  return lines
}

export function joinLines(lines: string[]): Buffer {
  return Buffer.from(lines.join(""), "latin1")
}
