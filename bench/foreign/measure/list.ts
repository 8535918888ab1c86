// Finding and listing the sessions of other agents. Floors: the first and the last 4 KB of each file; a stat of each.
import { closeSync, fstatSync, openSync, readdirSync, readSync, rmSync, statSync } from "node:fs"
import { join } from "node:path"
import { foreignStore } from "../../../src/foreign/foreign-store.ts"
import { FORMATS } from "../../../src/formats/all/formats.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Measured, type Repeats, timed, timedAsync } from "../../timing.ts"

export interface ForeignListGiven extends Repeats {
  person: string
  home: string
}

export interface ForeignListFound {
  cold: Measured
  warm: Measured
}

const { person, home, ...repeats } = given() as ForeignListGiven
const files = readdirSync(person, { recursive: true, encoding: "utf8" })
  .filter((name) => name.endsWith(".jsonl"))
  .map((name) => join(person, name))
const list = () =>
  foreignStore({ home, homes: { home: person, env: {} }, formats: FORMATS, now: () => Date.now() }).list()

async function ours(): Promise<number> {
  let found = 0
  const time = await timedAsync(async () => {
    found = (await list()).length
  })
  if (found !== files.length) throw new Error(`${found} sessions, not ${files.length}`)
  return time
}

function cold(): Promise<number> {
  rmSync(join(home, "cache"), { recursive: true, force: true })
  return ours()
}

const PIECE = 4096

function readEnds(): number {
  const buffer = Buffer.allocUnsafe(PIECE)
  return timed(() => {
    for (const file of files) {
      const fd = openSync(file, "r")
      const { size } = fstatSync(fd)
      readSync(fd, buffer, 0, PIECE, 0)
      if (size > PIECE) readSync(fd, buffer, 0, PIECE, size - PIECE)
      closeSync(fd)
    }
  })
}

function statAll(): number {
  return timed(() => {
    for (const file of files) statSync(file)
  })
}

answer({
  cold: await interleave(readEnds, cold, repeats),
  warm: await interleave(statAll, ours, repeats),
} satisfies ForeignListFound)
