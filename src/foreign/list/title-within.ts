// A title in the middle of a session's file, which a glance at both ends does not see.
import { closeSync, constants, fstatSync, openSync } from "node:fs"
import type { TitleLines } from "../../formats/port.ts"
import { parseLine } from "../../formats/shared/json-line.ts"
import { orNothing } from "../../store/file/disk/problems.ts"
import { readInto } from "../../store/file/disk/read-at.ts"

const CHUNK = 256 * 1024
/** No title is longer. An incomplete line at the end of a chunk is read again with the next one, up to this length. */
const LONGEST_LINE = 16 * 1024
const NEWLINE = 10

/**
 * The title with the highest rank; among equals, the last. Undefined if no line has one, or if the file cannot be read.
 */
export function titleWithin(file: string, { marks, read }: TitleLines): string | undefined {
  const wanted = marks.map((mark) => Buffer.from(mark))
  let best: { text: string; rank: number } | undefined
  for (const chunk of chunksOf(file)) {
    for (const line of wanted.flatMap((mark) => linesWith(chunk, mark))) {
      const parsed = parseLine(line)
      const title = parsed && read(parsed)
      if (title !== undefined && title.rank >= (best?.rank ?? 0)) best = title
    }
  }
  return best?.text
}

/** Complete lines, except those that are too long for a title. Contract: each chunk is valid until the next one. */
function* chunksOf(file: string): Generator<Buffer> {
  const fd = orNothing(() => openSync(file, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW))
  if (fd === undefined) return
  try {
    if (!fstatSync(fd).isFile()) return
    const buffer = Buffer.allocUnsafe(CHUNK)
    for (let at = 0; ; ) {
      const bytes = buffer.subarray(0, orNothing(() => readInto(fd, buffer, CHUNK, at)) ?? 0)
      const end = bytes.lastIndexOf(NEWLINE) + 1
      if (end > 0) yield bytes.subarray(0, end)
      if (bytes.length < CHUNK) return
      at += bytes.length - Math.min(bytes.length - end, LONGEST_LINE)
    }
  } finally {
    closeSync(fd)
  }
}

function linesWith(chunk: Buffer, mark: Buffer): Buffer[] {
  const found: Buffer[] = []
  for (let at = chunk.indexOf(mark); at !== -1; ) {
    const start = chunk.lastIndexOf(NEWLINE, at) + 1
    const end = chunk.indexOf(NEWLINE, at)
    if (end - start <= LONGEST_LINE) found.push(chunk.subarray(start, end))
    at = chunk.indexOf(mark, end)
  }
  return found
}
