// The journal of a restore: who does what, synced before the first file is touched and removed when all is done.

import fs from "node:fs"
import type { Failure } from "../../../model/failure/failure.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import type { FileState, RestoreAction, SnapshotId } from "../../port.ts"
import type { Disk } from "../disk/disk.ts"

/** `folder`: where the action's files are staged, relative to the workspace. */
export type JournalAction = RestoreAction & { folder: string }
export type Journal = {
  id: string
  /** Whose restore it is: only that session's log says whether it was recorded. */
  session: string
  pid: number
  started: string
  now: SnapshotId
  actions: JournalAction[]
}

const VERSION = 2
const KIND = `retcon restore ${VERSION}`

export function journalFile(folder: string): string {
  return `${folder}/restore.journal`
}

/** Contract: durable on return. Throws EEXIST if another restore has not ended. */
export function writeJournal(disk: Disk, folder: string, journal: Journal): void {
  const fields = [KIND, journal.id, journal.session, String(journal.pid), journal.started, journal.now]
  for (const { path, from, to, folder: staged } of journal.actions)
    fields.push(path, printState(from), printState(to), staged)
  disk.writeNew(journalFile(folder), Buffer.from(`${fields.join("\0")}\0end`), { mode: 0o600, sync: true })
  disk.syncFolder(folder)
}

/**
 * Contract: undefined if there is none. `torn` when its writer was killed while writing: nothing was touched yet. Throws
 * for a whole one of another version: its restore may have begun, and only that version knows how to finish it.
 */
export function readJournal(folder: string): Journal | "torn" | undefined {
  let text: string
  try {
    text = fs.readFileSync(journalFile(folder), "utf8")
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined
    throw error
  }
  const fields = text.split("\0")
  if (fields.at(-1) !== "end") return "torn"
  if (fields[0] !== KIND) throw new RetconError(otherKind(journalFile(folder), fields[0] ?? ""))
  const [, id = "", session = "", pid = "", started = "", now = "", ...rest] = fields.slice(0, -1)
  const actions: JournalAction[] = []
  for (let i = 0; i + 3 < rest.length; i += 4) {
    const [path = "", from = "", to = "", staged = ""] = rest.slice(i, i + 4)
    actions.push({ path, from: parseState(from), to: parseState(to), folder: staged })
  }
  return { id, session, pid: Number(pid), started, now: now as SnapshotId, actions }
}

function otherKind(path: string, kind: string): Failure {
  const version = Number(/^retcon restore (\d+)$/.exec(kind)?.[1])
  if (version > VERSION) return { code: "format-newer", path, reads: version }
  const problem = "another version of retcon began this restore, and has to finish it"
  return { code: "damaged", path, line: 0, problem }
}

export function removeJournal(disk: Disk, folder: string): void {
  disk.unlink(journalFile(folder))
  disk.syncFolder(folder)
}

function printState(state: FileState | undefined): string {
  if (state === undefined) return "absent"
  if (state.kind === "folder") return `folder ${state.perm.toString(8)}`
  return state.kind === "link" ? `link ${state.oid}` : `file ${state.oid} ${state.perm.toString(8)}`
}

function parseState(text: string): FileState | undefined {
  const [kind, first = "", second = ""] = text.split(" ")
  if (kind === "absent") return undefined
  if (kind === "folder") return { kind, perm: Number.parseInt(first, 8) }
  if (kind === "link") return { kind, oid: first }
  if (kind === "file") return { kind, oid: first, perm: Number.parseInt(second, 8) }
  throw new RetconError({ code: "damaged", path: "restore.journal", line: 0, problem: `unknown state ${kind}` })
}

/** When a process started, if the system says so: another process that got the same number is not the writer. */
export function startOf(pid: number): string {
  try {
    const stat = fs.readFileSync(`/proc/${pid}/stat`, "latin1")
    return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? ""
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code
    if (code === "ENOENT" || code === "ESRCH" || code === "EACCES") return ""
    throw error
  }
}

/** Restores running in this process. A journal by this process that is not among them was left behind. */
export const running = new Set<string>()

export function isAlive({ id, pid, started }: Journal): boolean {
  if (pid === process.pid) return running.has(id)
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"
  }
  return startOf(pid) === started
}
