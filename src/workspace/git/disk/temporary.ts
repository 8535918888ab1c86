// Temporary files in retcon's own folders. Their names say whose they are: what a killed process left behind can be told
// from what a living one is writing.
import fs from "node:fs"
import { myself } from "../../../holder/holder.ts"
import { isRunning } from "../../../holder/process.ts"
import { errno } from "../../../model/failure/retcon-error.ts"

const NAME = /^tmp-(?<pid>\d+)-(?<started>\d*)-(?<space>[0-9a-f]*)-\d+(\.|$)/
/** Names of earlier versions, which do not say enough. */
const OLD_NAME = /^tmp-\d+-\d+(\.pack|\.pack\.idx)?$|\.\d+\.tmp$/
/** Where the number of a process means nothing to us, a file that nobody has written to for an hour was left behind. */
const LONG = 60 * 60 * 1000

let count = 0

/** Contract: no other process has or had this name, not even one with the same number. */
export function temporaryIn(folder: string): string {
  const { pid, started, space = "" } = myself()
  return `${folder}/tmp-${pid}-${started}-${space}-${count++}`
}

export type LeftBehind = { file: string; bytes: number }

/** What processes that no longer run have left in a folder. Contract: none if it does not exist. */
export function leftBehindIn(folder: string, now: number): LeftBehind[] {
  let names: string[]
  try {
    names = fs.readdirSync(folder)
  } catch (error) {
    if (errno(error) === "ENOENT") return []
    throw error
  }
  const all = new Set(names)
  return names.flatMap((name) => {
    const mark = NAME.exec(name)?.groups
    const isTemporary = mark !== undefined || OLD_NAME.test(name)
    // A pack gets its index last.
    const isHalf = /^pack-.*\.pack$/.test(name) && !all.has(name.replace(/pack$/, "idx"))
    const file = `${folder}/${name}`
    const stat = isTemporary || isHalf ? fs.lstatSync(file, { throwIfNoEntry: false }) : undefined
    if (stat === undefined) return []
    const isOurs = mark !== undefined && mark.space === (myself().space ?? "")
    const isWritten = isOurs ? isRunning(Number(mark.pid), mark.started ?? "") : now - stat.mtimeMs < LONG
    return isWritten ? [] : [{ file, bytes: stat.isDirectory() ? bytesBelow(file) : stat.size }]
  })
}

function bytesBelow(folder: string): number {
  return fs
    .readdirSync(folder, { recursive: true, encoding: "utf8" })
    .reduce((sum, name) => sum + (fs.lstatSync(`${folder}/${name}`, { throwIfNoEntry: false })?.size ?? 0), 0)
}
