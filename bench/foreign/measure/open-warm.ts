// Opening another agent's file that has an index, with its context; and taking in one new line. Floors: reading what
// the index must read and parsing the lines of the context; appending a line and reading it back.
import { appendFileSync, closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs"
import { join } from "node:path"
import { contextAt, contextRows } from "../../../src/history/context/context.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Measured, type Repeats, timed, timedAsync } from "../../timing.ts"
import { openFile } from "../open-file.ts"

export interface WarmGiven extends Repeats {
  file: string
  home: string
  /** A line to append. */
  line: string
}

export interface WarmFound {
  open: Measured
  grow: Measured
}

const { file, home, line, ...repeats } = given() as WarmGiven
const first = await openFile(file, home)
const { kept, rest } = contextRows(first.history, first.history.head)
const spans = [...kept, ...rest].map((row) => ({
  offset: first.history.offset(row),
  length: first.history.length(row),
}))
await first.close()
const cache = join(home, "cache", "claude-code")
const index = readdirSync(cache).filter((name) => name.includes(".index"))

async function ours(): Promise<number> {
  let close = () => Promise.resolve()
  const time = await timedAsync(async () => {
    const log = await openFile(file, home)
    contextAt(log.history)
    close = () => log.close()
  })
  await close()
  return time
}

function floor(): number {
  return timed(() => {
    for (const name of index) readHeader(join(cache, name))
    const fd = openSync(file, "r")
    for (const { offset, length } of spans) {
      const bytes = Buffer.allocUnsafe(length)
      readSync(fd, bytes, 0, length, offset)
      JSON.parse(bytes.toString("utf8"))
    }
    closeSync(fd)
  })
}

/** The first pages of a file. */
function readHeader(path: string): void {
  const fd = openSync(path, "r")
  readSync(fd, Buffer.allocUnsafe(32 * 1024), 0, 32 * 1024, 0)
  closeSync(fd)
}

const open = await interleave(floor, ours, repeats)
const live = await openFile(file, home)
const grown = (): number => {
  appendFileSync(file, line)
  return timed(() => {
    live.refresh()
  })
}
const readBack = (): number =>
  timed(() => {
    readFileSync(`${file}.floor`)
  })
appendFileSync(`${file}.floor`, line)
const grow = await interleave(readBack, grown, repeats)
await live.close()
answer({ open, grow } satisfies WarmFound)
