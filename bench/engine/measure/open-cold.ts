// Opening a session and building its context, without an index. Floor: reading the file in chunks and finding its
// newlines with indexOf.
import { rmSync } from "node:fs"
import { indexFile } from "../../../src/store/file/disk/layout.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { answer, given } from "../../child.ts"
import { countLines } from "../../count-lines.ts"
import { interleave, timed } from "../../timing.ts"
import { timeOpen } from "../time-open.ts"
import type { OpenGiven } from "./open-warm.ts"

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
