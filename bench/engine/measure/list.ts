// Listing sessions with title, prompt count and time: in a process that has listed none before; again in the same
// process; and after the files kept for lists were deleted. Floor: reading the first 4 KB of each log; for the second:
// a stat of each log.
import { closeSync, copyFileSync, openSync, readSync, renameSync, rmSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { CATALOGUE } from "../../../src/store/file/index/catalogue.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Measured, type Repeats, timed, timedAsync } from "../../timing.ts"

export interface ListGiven extends Repeats {
  home: string
  files: string[]
}

export interface ListFound {
  closed: Measured
  warm: Measured
  deleted: Measured
}

const FIRST = 4096

const { home, files, ...repeats } = given() as ListGiven
const store = fileStore({ home })
const folders = [...new Set(files.map((file) => dirname(file)))]
for (const file of files) await (await store.openFile(file)).close()
answer({
  closed: await interleave(readFirst, listAnew, repeats),
  warm: await interleave(statAll, list, repeats),
  deleted: await interleave(readFirst, listWithoutCatalogue, repeats),
} satisfies ListFound)

async function list(): Promise<number> {
  const time = await timedAsync(async () => {
    const { length } = await store.list()
    if (length !== files.length) throw new Error(`${length} sessions, not ${files.length}`)
  })
  // The catalogue is written after the result is returned.
  await setImmediate()
  return time
}

function listWithoutCatalogue(): Promise<number> {
  for (const folder of folders) rmSync(join(folder, CATALOGUE), { force: true })
  return list()
}

/** A catalogue that is a different file from the one in memory is read again. */
function listAnew(): Promise<number> {
  for (const folder of folders) {
    const file = join(folder, CATALOGUE)
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
