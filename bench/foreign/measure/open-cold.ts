// The first open of another agent's file. Floors: finding its newlines, and parsing every line.
import { readFileSync, rmSync } from "node:fs"
import { join } from "node:path"
import { answer, given } from "../../child.ts"
import { countLines } from "../../count-lines.ts"
import { interleave, type Measured, type Repeats, timed, timedAsync } from "../../timing.ts"
import { openFile } from "../open-file.ts"

export interface ColdGiven extends Repeats {
  file: string
  home: string
  lines: number
}

export interface ColdFound {
  scan: Measured
  parse: Measured
}

const NEWLINE = 10
const { file, home, lines, ...repeats } = given() as ColdGiven

async function ours(): Promise<number> {
  rmSync(join(home, "cache"), { recursive: true, force: true })
  let close = () => Promise.resolve()
  const time = await timedAsync(async () => {
    const log = await openFile(file, home)
    close = () => log.close()
  })
  await close()
  return time
}

function scan(): number {
  return timed(() => {
    const found = countLines(file)
    if (found !== lines) throw new Error(`${found} lines, not ${lines}`)
  })
}

function parse(): number {
  return timed(() => {
    const bytes = readFileSync(file)
    let start = 0
    for (let at = bytes.indexOf(NEWLINE); at !== -1; at = bytes.indexOf(NEWLINE, start)) {
      JSON.parse(bytes.toString("utf8", start, at))
      start = at + 1
    }
  })
}

answer({
  scan: await interleave(scan, ours, repeats),
  parse: await interleave(parse, ours, repeats),
} satisfies ColdFound)
