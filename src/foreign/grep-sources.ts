// Finds the lines of a session's files that may hold a text, without scanning or parsing them.
import { closeSync, fstatSync } from "node:fs"
import type { Source } from "../formats/port.ts"
import { grepLines } from "../store/file/folder/grep-lines.ts"
import { readFrom, readFromBytes } from "./lines.ts"
import { openRegular } from "./open-regular.ts"

/** Lines of one file: parts of it, in order. */
export interface ForeignHit {
  file: string
  /** Bytes of all files that were looked through so far. */
  bytes: number
  parts: { from: number; to: number }[]
}

/** What is not there, or no regular file, holds nothing. */
export function* grepSources(sources: readonly Source[], pattern: RegExp): Generator<ForeignHit> {
  let before = 0
  for (const source of sources) {
    const { file } = source
    const fd = openRegular(file)
    if (fd === undefined) continue
    try {
      const loaded = source.load?.()
      const size = loaded?.length ?? fstatSync(fd).size
      const read = loaded === undefined ? readFrom(fd) : readFromBytes(loaded)
      for (const { bytes, lines } of grepLines(read, size, pattern)) {
        const parts = lines.map((line) => ({ from: line.offset, to: line.offset + line.bytes.length + 1 }))
        yield { file, bytes: before + bytes, parts }
      }
      before += size
    } finally {
      closeSync(fd)
    }
  }
}
