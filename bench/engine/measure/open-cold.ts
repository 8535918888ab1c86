// Opening a session and building its context, with no index.
// Floor: read the file in chunks and find its newlines with indexOf.
import { closeSync, openSync, readSync, rmSync } from "node:fs"
import { indexFile } from "../../../src/store/file/disk/layout.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { answer, given } from "../../child.ts"
import { interleave, timed } from "../../timing.ts"
import { timeOpen } from "../time-open.ts"
import type { OpenGiven } from "./open-warm.ts"

const CHUNK = 1 << 20
const NEWLINE = 10

const { home, made, ...repeats } = given() as OpenGiven
const store = fileStore({ home })
const ours = () => {
  rmSync(indexFile(made.file), { force: true })
  return timeOpen(store, made)
}
const floor = () =>
  timed(() => {
    const lines = countLines(made.file)
    if (lines !== made.records) throw new Error(`${lines} lines, not ${made.records}`)
  })
answer(await interleave(floor, ours, repeats))

function countLines(file: string): number {
  const fd = openSync(file, "r")
  const chunk = Buffer.allocUnsafe(CHUNK)
  let lines = 0
  for (let read = readSync(fd, chunk); read > 0; read = readSync(fd, chunk)) {
    const bytes = chunk.subarray(0, read)
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, at + 1)) lines++
  }
  closeSync(fd)
  return lines
}
