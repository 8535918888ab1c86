// A three-way merge of texts. Floor: `git merge-file` on the same texts, in a new process each time, as anyone who
// merges with git runs it. Ours is measured in a process that has merged before, like one with a session; `first` is
// the first.
import { execFileSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { merge3, settle } from "../../../src/workspace/text/merge.ts"
import { answer, given } from "../../child.ts"
import { interleave, timed } from "../../timing.ts"

export interface MergeGiven {
  folder: string
  lines: number
  /** On each side, apart from each other. */
  edits: number
}

const { folder, lines, edits } = given() as MergeGiven
const base = Array.from({ length: lines }, (_, i) => `line ${i} says ${(i * 7919) % 1000}, and ends here\n`)
const every = Math.floor(lines / edits)

function side(name: string, offset: number): string[] {
  return base.map((line, i) => (i % every === offset ? `${name} changed ${i}\n` : line))
}

const texts = { ours: side("ours", 10), base, theirs: side("theirs", 60) }
mkdirSync(folder, { recursive: true })
const paths = Object.entries(texts).map(([name, text]) => {
  const path = join(folder, name)
  writeFileSync(path, text.join(""))
  return path
})
const [ours, before, theirs] = Object.values(texts).map((text) => Buffer.from(text.join(""))) as [
  Buffer,
  Buffer,
  Buffer,
]
const merged = execFileSync("git", ["merge-file", "-p", ...paths], { maxBuffer: 1 << 26 })

const floor = () => timed(() => execFileSync("git", ["merge-file", "-p", ...paths], { maxBuffer: 1 << 26 }))
const merge = () =>
  timed(() => {
    if (!settle(merge3(before, ours, theirs), "ours").equals(merged)) throw new Error("not as git merges it")
  })

answer(await interleave(floor, merge, { samples: 41, warmUp: 20 }))
