// Opening a session and building its context, with its index. Floor: reading the whole index file, pread of the lines
// that make up the context, JSON.parse of them. Strict floor: the lines alone.
import { closeSync, openSync, readFileSync, readSync } from "node:fs"
import type { SessionId } from "../../../src/model/id.ts"
import { openSession } from "../../../src/session/session.ts"
import { indexFile } from "../../../src/store/file/disk/layout.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Measured, type Repeats, timed } from "../../timing.ts"
import { contextLines, type Line } from "../context-lines.ts"
import type { Made } from "../make-session.ts"
import { timeOpen } from "../time-open.ts"

export interface OpenGiven extends Repeats {
  home: string
  made: Made
}

export interface OpenFound {
  whole: Measured
  strict: Measured
}

const { home, made, ...repeats } = given() as OpenGiven
const store = fileStore({ home })
const lines = await linesToRead()
const ours = () => timeOpen(store, made)
const strict = () => timed(() => readLines(made.file))
const whole = () =>
  timed(() => {
    readFileSync(indexFile(made.file))
    readLines(made.file)
  })
answer({
  strict: await interleave(strict, ours, repeats),
  whole: await interleave(whole, ours, repeats),
} satisfies OpenFound)

async function linesToRead(): Promise<Line[]> {
  const session = await openSession(store, made.id as SessionId)
  const lines = contextLines(session)
  await session.close()
  return lines
}

function readLines(file: string): void {
  const fd = openSync(file, "r")
  const records: unknown[] = []
  for (const { offset, length } of lines) {
    const bytes = Buffer.allocUnsafe(length)
    readSync(fd, bytes, 0, length, offset)
    records.push(JSON.parse(bytes.toString("utf8")))
  }
  closeSync(fd)
}
