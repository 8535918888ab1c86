// The journal of a restore: who does what, synced before the first file is touched and removed when all is done.
import fs from "node:fs"
import { hostname } from "node:os"
import { type Holder, isAlive, myself, same } from "../../../holder/holder.ts"
import type { Failure } from "../../../model/failure/failure.ts"
import { errno, RetconError } from "../../../model/failure/retcon-error.ts"
import type { FileState, RestoreAction, SnapshotId } from "../../port.ts"
import { type Disk, giveSecondName } from "../disk/disk.ts"
import { temporaryIn } from "../disk/temporary.ts"

/** `folder`: where the action's files are staged, relative to the workspace. */
export type JournalAction = RestoreAction & { folder: string }
export type Journal = {
  id: string
  /** Whose restore it is: only that session's log says whether it was recorded. */
  session: string
  /** Whose process carries it out. */
  holder: Holder
  now: SnapshotId
  actions: JournalAction[]
}

const KIND = "retcon restore 3"
/** In version 2, new content was renamed over the old, which had a second name: a step that we also recognise. */
const READABLE = [KIND, "retcon restore 2"]

export function journalFile(folder: string): string {
  return `${folder}/restore.journal`
}

/**
 * Contract: durable on return, or not there. Throws EEXIST if another restore has not ended. It appears whole: others take half of
 * one for what a killed process left.
 */
export function writeJournal(disk: Disk, folder: string, journal: Journal): void {
  const { id, session, holder, now, actions } = journal
  const fields = [KIND, id, session, String(holder.pid), holder.started, now]
  for (const { path, from, to, folder: staged } of actions) fields.push(path, printState(from), printState(to), staged)
  // At the end and fewer than an action has, so that versions without them skip them.
  fields.push(holder.host, holder.space ?? "")
  const [draft, file] = [temporaryIn(folder), journalFile(folder)]
  const bytes = Buffer.from(`${fields.join("\0")}\0end`)
  try {
    disk.writeNew(draft, bytes, DURABLY)
    if (!giveSecondName(disk, draft, file)) writeInPlace(disk, file, bytes)
    try {
      disk.syncFolder(folder)
    } catch (error) {
      fs.rmSync(file, { force: true })
      throw error
    }
  } finally {
    removeDraft(draft)
  }
}

const DURABLY = { mode: 0o600, sync: true }

/** Where a file can have no second name: new, but not whole at once. */
function writeInPlace(disk: Disk, file: string, bytes: Buffer): void {
  try {
    disk.writeNew(file, bytes, DURABLY)
  } catch (error) {
    if (errno(error) !== "EEXIST") fs.rmSync(file, { force: true })
    throw error
  }
}

/** If that fails, gc removes it. */
function removeDraft(draft: string): void {
  try {
    fs.rmSync(draft, { force: true })
  } catch (error) {
    if (errno(error) === undefined) throw error
  }
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
    if (errno(error) === "ENOENT") return undefined
    throw error
  }
  const fields = text.split("\0")
  if (fields.at(-1) !== "end") return "torn"
  if (!READABLE.includes(fields[0] ?? "")) throw new RetconError(otherKind(journalFile(folder), fields[0] ?? ""))
  const [, id = "", session = "", pid = "", started = "", now = "", ...rest] = fields.slice(0, -1)
  // Journals of older versions do not say where the number of the process is valid: then it is taken for one of ours.
  const [host = hostname(), space = ""] = rest.splice(rest.length - (rest.length % 4))
  const actions: JournalAction[] = []
  for (let i = 0; i + 3 < rest.length; i += 4) {
    const [path = "", from = "", to = "", staged = ""] = rest.slice(i, i + 4)
    actions.push({ path, from: parseState(from), to: parseState(to), folder: staged })
  }
  const holder = { pid: Number(pid), host, started, ...(space !== "" && { space }) }
  return { id, session, holder, now: now as SnapshotId, actions }
}

function otherKind(path: string, kind: string): Failure {
  const version = versionOf(kind)
  if (version > versionOf(KIND)) return { code: "format-newer", path, reads: version }
  const problem = "another version of retcon began this restore, and has to finish it"
  return { code: "damaged", path, line: 0, problem }
}

/** NaN if it is not a journal's kind. */
function versionOf(kind: string): number {
  return Number(/^retcon restore (\d+)$/.exec(kind)?.[1])
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

/** Restores running in this process. A journal by this process that is not among them was left behind. */
export const running = new Set<string>()

/** `folder`: where its journal is. Its restore keeps that journal's heart beating. */
export function isOngoing({ id, holder }: Journal, folder: string, now: number): boolean {
  return same(holder, myself()) ? running.has(id) : isAlive(holder, journalFile(folder), now)
}
