// Listing sessions with title, prompt count and time: without a catalogue, from the one on the disk as a new process does,
// and from the one in memory. Floor: read the first 4 KB of each log. Floor of the last: a stat of each log.
import { closeSync, copyFileSync, openSync, readSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Measured, type Repeats, timed, timedAsync } from "../../timing.ts"

export interface ListGiven extends Repeats {
  home: string
  files: string[]
}

export interface ListFound {
  indexes: Measured
  disk: Measured
  memory: Measured
}

const FIRST = 4096

const { home, files, ...repeats } = given() as ListGiven
const store = fileStore({ home })
const folders = [...new Set(files.map((file) => dirname(file)))]
await list()
answer({
  indexes: await interleave(readFirst, listWithoutCatalogue, repeats),
  disk: await interleave(readFirst, listAnew, repeats),
  memory: await interleave(statAll, list, repeats),
} satisfies ListFound)

async function list(): Promise<number> {
  const time = await timedAsync(async () => {
    const { length } = await store.list()
    if (length !== files.length) throw new Error(`${length} sessions, not ${files.length}`)
  })
  // The catalogue is written after the answer.
  await setImmediate()
  return time
}

function listWithoutCatalogue(): Promise<number> {
  for (const folder of folders) rmSync(join(folder, "catalogue.json"), { force: true })
  return list()
}

/** A catalogue that is another file than the one in memory is read again. */
function listAnew(): Promise<number> {
  for (const folder of folders) {
    const file = join(folder, "catalogue.json")
    copyFileSync(file, `${file}.copy`)
    renameSync(`${file}.copy`, file)
  }
  return list()
}

function readFirst(): number {
  const bytes = Buffer.allocUnsafe(FIRST)
  return timed(() => {
    for (const file of files) {
      const fd = openSync(file, "r")
      readSync(fd, bytes, 0, FIRST, 0)
      closeSync(fd)
    }
  })
}

function statAll(): number {
  return timed(() => {
    for (const file of files) statSync(file)
  })
}
