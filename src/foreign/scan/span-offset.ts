// Where a row's bytes are, packed into one number: which file, and the offset in it.
import type { Span } from "../../formats/port.ts"

/** No file is longer than this. */
const FILE = 2 ** 45

/** The source number of our own log. The `offset` is then a row of it. */
export const OUR_LOG = 255

export function packOffset({ source, offset }: Pick<Span, "source" | "offset">): number {
  return source * FILE + offset
}

export function sourceIn(packedOffset: number): number {
  return Math.floor(packedOffset / FILE)
}

export function offsetIn(packedOffset: number): number {
  return packedOffset % FILE
}
