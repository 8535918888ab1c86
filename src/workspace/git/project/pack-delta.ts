// Objects that a pack stores as a difference from another object. Git packs nearly all files and folders that way:
// without this, a switch in a packed repository would look like the agent's changes.

/** How many bytes before an entry its base begins. */
export function readDistance(bytes: Buffer, start: number): { value: number; end: number } {
  let end = start
  let byte = bytes[end++] ?? 0
  let value = byte & 0x7f
  while (byte & 0x80) {
    byte = bytes[end++] ?? 0
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, end }
}

/** Contract: undefined if the delta does not fit its base. */
export function applyDelta(base: Buffer, delta: Buffer): Buffer | undefined {
  let at = 0
  const size = () => {
    let [value, scale, byte] = [0, 1, 0x80]
    for (; byte & 0x80; scale *= 128) {
      byte = delta[at++] ?? 0
      value += (byte & 0x7f) * scale
    }
    return value
  }
  if (size() !== base.length) return undefined
  const wanted = size()
  const parts: Buffer[] = []
  while (at < delta.length) {
    const command = delta[at++] ?? 0
    if ((command & 0x80) === 0) {
      parts.push(delta.subarray(at, at + command))
      at += command
      continue
    }
    let [offset, length] = [0, 0]
    for (let i = 0; i < 4; i++) if (command & (1 << i)) offset += (delta[at++] ?? 0) * 256 ** i
    for (let i = 0; i < 3; i++) if (command & (16 << i)) length += (delta[at++] ?? 0) * 256 ** i
    parts.push(base.subarray(offset, offset + (length === 0 ? 0x10000 : length)))
  }
  const made = Buffer.concat(parts)
  return made.length === wanted ? made : undefined
}
