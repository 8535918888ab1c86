// Searching sessions for a text that few contain. Floor: rg over the same files if installed; otherwise their newlines.
import { spawnSync } from "node:child_process"
import { statSync } from "node:fs"
import { dirname } from "node:path"
import { setImmediate } from "node:timers/promises"
import { findSessions, type Searched } from "../../../src/find/find.ts"
import { exactly } from "../../../src/find/query.ts"
import { lineMarks } from "../../../src/model/line-marks.ts"
import { answer, given } from "../../child.ts"
import { countLines } from "../../count-lines.ts"
import { interleave, type Measured, type Repeats, timed, timedAsync } from "../../timing.ts"

export interface ForeignSearchGiven extends Repeats {
  files: string[]
  text: string
}

export interface ForeignSearchFound {
  found: Measured
  against: "rg" | "newlines"
}

const { files, text, ...repeats } = given() as ForeignSearchGiven
const hasRg = spawnSync("rg", ["--version"]).status === 0
const sessions = files.map((file): Searched => {
  const { size } = statSync(file)
  const files = async () => [{ file, size, marks: lineMarks(), isOurs: false }]
  return { title: "", updated: 0, bytes: size, files }
})

/** The threads are started each time, as a command does. */
function ours(): Promise<number> {
  return timedAsync(async () => {
    const { found } = findSessions(sessions, exactly(text), { now: 0, tick: () => setImmediate() })
    let lines = 0
    for await (const { evidence } of found) lines += evidence.lines.length
    if (lines === 0) throw new Error("nothing was found")
  })
}

function floor(): number {
  if (hasRg) return timed(() => void spawnSync("rg", ["-c", "-i", "-F", text, dirname(files[0] ?? "")]))
  return timed(() => {
    for (const file of files) countLines(file)
  })
}

answer({
  found: await interleave(floor, ours, repeats),
  against: hasRg ? "rg" : "newlines",
} satisfies ForeignSearchFound)
