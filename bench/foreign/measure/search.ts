// Looking through histories for a text that few hold. Floor: rg over the same files where it is installed; else their newlines.
import { spawnSync } from "node:child_process"
import { dirname } from "node:path"
import { grepSources } from "../../../src/foreign/grep-sources.ts"
import { bytePattern } from "../../../src/store/file/folder/grep-lines.ts"
import { answer, given } from "../../child.ts"
import { countLines } from "../../count-lines.ts"
import { interleave, type Measured, type Repeats, timed } from "../../timing.ts"

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
const sources = files.map((file, number) => ({ number, file, how: "grows" as const }))

function ours(): number {
  return timed(() => {
    let lines = 0
    for (const { parts } of grepSources(sources, bytePattern(text, "any"))) lines += parts.length
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
