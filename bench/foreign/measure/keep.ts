// Keeping copies of other agents' sessions when nothing is new. Floor: a stat of each of their files.
import { statSync } from "node:fs"
import { keep } from "../../../src/foreign/keep/keep.ts"
import { FORMATS } from "../../../src/formats/all/formats.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Repeats, timed, timedAsync } from "../../timing.ts"

export interface KeepGiven extends Repeats {
  home: string
  person: string
}

const { home, person, ...repeats } = given() as KeepGiven
const places = {
  home,
  homes: { home: person, env: {} },
  formats: await Promise.all(FORMATS.map((format) => format.load())),
  now: () => Date.now(),
}
const first = await keep(places)
const files = first.files.map(({ file }) => file)
answer(await interleave(statAll, keepAgain, repeats))

function statAll(): number {
  return timed(() => {
    for (const file of files) statSync(file)
  })
}

function keepAgain(): Promise<number> {
  return timedAsync(async () => {
    const again = await keep(places)
    if (again.files.length > 0 || again.sessions !== files.length) throw new Error("something is new")
  })
}
