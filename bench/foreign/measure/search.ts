// Searching sessions for a text that few contain. Floor: rg over the same files if installed; otherwise their newlines.
import { spawnSync } from "node:child_process"
import { statSync } from "node:fs"
import { dirname } from "node:path"
import { setImmediate } from "node:timers/promises"
import { bytePattern } from "../../../src/store/file/folder/grep-lines.ts"
import { grepFiles } from "../../../src/store/file/grep/grep-files.ts"
import { startGrepHelpers } from "../../../src/store/file/grep/grep-helpers.ts"
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
const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0)

/** The helpers are started each time, as a command does. */
function ours(): Promise<number> {
  return timedAsync(async () => {
    const helpers = startGrepHelpers(bytes)
    const given = files.map((file) => ({ file, isOurs: false }))
    const pattern = bytePattern(text, "any")
    const grepping = grepFiles({ files: given, pattern, helpers, tick: () => setImmediate() })
    let lines = 0
    for (const n of files.keys()) lines += (await grepping.linesOf(n)).length
    helpers.close()
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
