// Where a row's bytes are, as one number: which file, and where in it.
import type { Span } from "../formats/port.ts"

/** No file is longer. */
const FILE = 2 ** 45

/** The log beside the agent's files that holds what is ours; `offset` is a row of it. */
export const OVERLAY = 255

export function packed({ source, offset }: Pick<Span, "source" | "offset">): number {
  return source * FILE + offset
}

export function sourceIn(packedOffset: number): number {
  return Math.floor(packedOffset / FILE)
}

export function offsetIn(packedOffset: number): number {
  return packedOffset % FILE
}
