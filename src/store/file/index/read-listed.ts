// What a list shows of a session, from the first bytes of its index.
import { closeSync, constants, openSync } from "node:fs"
import { orNothing } from "../disk/problems.ts"
import { readInto } from "../disk/read-at.ts"
import { parseListed, SUMMARY_BYTES } from "./index-header.ts"

const summaryBytes = Buffer.allocUnsafe(SUMMARY_BYTES)

/** What a list needs, from an index file; undefined if there is none that can be used. */
export function readListed(file: string): ReturnType<typeof parseListed> {
  return readFirstHalf(file, parseListed)
}

/** Contract: the bytes are valid only while they are parsed. Whatever the file contains, no more of it is read. */
export function readFirstHalf<Value>(file: string, parse: (bytes: Buffer) => Value): Value | undefined {
  const fd = orNothing(() => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK))
  if (fd === undefined) return undefined
  const read = orNothing(() => readInto(fd, summaryBytes, SUMMARY_BYTES, 0))
  closeSync(fd)
  return read === SUMMARY_BYTES ? parse(summaryBytes) : undefined
}
