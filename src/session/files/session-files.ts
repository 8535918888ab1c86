// The files of a session, as its `files` property: spans around tool calls, restore, and what is known about changes.
import { type CallSpan, callSpans } from "../../history/files/call-spans.ts"
import { filesOperations } from "../../history/files/files-operations.ts"
import { resolveEntry } from "../../history/plan/resolve.ts"
import { askedPrompts } from "../../history/tree/asked.ts"
import { chain, type History, isOnPath, NONE, type Row } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { type EntryId, parseSessionId, type SessionId, shortId } from "../../model/id.ts"
import type { NotCovered } from "../../model/move/file-outcomes.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import { KIND, type SnapshotChange } from "../../model/record/record.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { SessionStore } from "../../store/port.ts"
import type { Recovered, Snapshot, SnapshotId, Unavailable, Workspace } from "../../workspace/port.ts"
import { aloneFor, type EarlierFiles, inTurn, type OpenSession } from "../state/open-session.ts"
import { blameFile, type LineWithPrompt } from "./blame.ts"
import { type CoveredCall, closeSpan, markRound, type OpenSpan, openSpan } from "./known/call-snapshots.ts"
import { filesAsked } from "./known/files-request.ts"
import { noSnapshots } from "./known/no-snapshots.ts"
import { moveOnlyFiles, type RestoreOptions, withWorkspace } from "./only-files.ts"
import { planEarlier, snapshotOf, usesEarlier } from "./plan/earlier-files.ts"
import { planRestoreTo } from "./plan/plan-restore-to.ts"

export type { NotCovered } from "../../model/move/file-outcomes.ts"

export interface RoundChanges {
  prompt: EntryId
  /** The agent's Backtrack left it behind: it is not on the path. */
  passed: boolean
  changes: SnapshotChange[]
  before: string | undefined
  after: string | undefined
}

export interface SessionFiles {
  /** Why files are not covered, or undefined if they are. */
  readonly unavailable: Unavailable | undefined
  readonly workspace: Workspace | undefined
  /** Takes a snapshot of all files, for what is recorded as of the `newest`. */
  look(): Promise<void>
  /** `newest`: as of the newest snapshot, whenever that was. */
  openSpan(call: CoveredCall, as?: "newest"): Promise<OpenSpan | undefined>
  closeSpan(span: OpenSpan | undefined): Promise<SnapshotChange[]>
  /** Runs a tool between two snapshots: what changes meanwhile is the call's, even if it fails. */
  during<Value>(call: CoveredCall, work: () => Promise<Value>): Promise<Value>
  markRound(prompt: EntryId, when: "before" | "after", as?: "newest"): Promise<void>
  /** What the last snapshot left out: it cannot be restored. */
  notCovered(): readonly NotCovered[]
  /** What the last finished command removed that no snapshot covers. */
  lost(): readonly string[]
  /** Brings the files, or some paths, to the state of an entry. The head stays; undo takes it back. */
  restore(entry: string, options?: RestoreOptions): Promise<MoveResult>
  /**
   * Finishes what a killed restore left undone, in this session or another one of this folder, or of a folder above or below;
   * `session` says in which. That session's log decides, in `store` if it is not in this session's store. Handles one at a time:
   * call it until the result is `nothing`.
   */
  recover(options?: { store?: SessionStore }): Promise<Recovered>
  /** The files at an entry: a snapshot of ours, or of another agent's copies. Undefined if there is neither. */
  snapshotAt(entry: Row): Promise<SnapshotId | undefined>
  /** Another agent's copies of files, if there are no snapshots of ours. */
  readonly earlier: EarlierFiles | undefined
  /** Which prompt last changed each line of a file, or one line. Throws `no-workspace`, `not-found`. */
  blame(path: string, line?: number): Promise<LineWithPrompt[]>
  /**
   * What each round changed, of the path and of those that a Backtrack left behind, oldest first; or only the last few, at
   * the cost of reading only those.
   */
  rounds(options?: { last?: number }): RoundChanges[]
  /** What the last round of the path has changed so far. Contract: takes time in proportion to what was written since its prompt. */
  lastRound(): SnapshotChange[]
}

export function sessionFiles(session: OpenSession): SessionFiles {
  const covered = (): Workspace | undefined => (session.files?.unavailable === undefined ? session.files : undefined)
  let left: readonly NotCovered[] = []
  let lost: readonly string[] = []
  let lostByCommand: readonly string[] = []
  let newest: Snapshot | undefined
  /** What the last snapshot left out, and what it found missing, until the next one. */
  const watched = (files: Workspace): Workspace => ({
    ...files,
    async snapshot(request) {
      const snapshot = await files.snapshot(request)
      left = snapshot.notCovered
      lost = snapshot.lost
      newest = snapshot
      return snapshot
    },
  })
  const seen = (files: Workspace, as: "newest" | undefined): Workspace => {
    const known = newest
    return as === undefined || known === undefined ? watched(files) : { ...files, snapshot: async () => known }
  }
  const files: SessionFiles = {
    get unavailable() {
      return session.files === undefined ? noSnapshots(session.log) : session.files.unavailable
    },
    workspace: session.files,
    async look() {
      const files = covered()
      if (files !== undefined) await watched(files).snapshot()
    },
    async openSpan(call, as) {
      const files = covered()
      return files === undefined ? undefined : openSpan(session, seen(files, as), call)
    },
    async closeSpan(span) {
      const files = covered()
      lostByCommand = []
      if (files === undefined || span === undefined) return []
      const changes = await closeSpan(session, watched(files), span)
      if (span.paths === undefined) lostByCommand = lost
      return changes
    },
    async during(call, work) {
      const span = await files.openSpan(call)
      try {
        return await work()
      } finally {
        await files.closeSpan(span)
      }
    },
    async markRound(prompt, when, as) {
      const files = covered()
      if (files !== undefined) await markRound(session, seen(files, as), prompt, when)
    },
    notCovered: () => left,
    lost: () => lostByCommand,
    restore: (entry, options = {}) =>
      inTurn(session, () => aloneFor(session, options, () => restoreTo(session, entry, options))),
    async recover({ store = session.store } = {}) {
      const files = covered()
      const recorded = async (restore: { id: string; session: string }) =>
        isRecorded(session.history, restore.id) || isRecordedIn(store, restore.session, restore.id)
      return files === undefined ? { outcome: "nothing" } : files.recover({ recorded, by: session.log.id })
    },
    async snapshotAt(entry) {
      const files = covered()
      return files === undefined ? undefined : snapshotOf(session, files, entry)
    },
    get earlier() {
      return usesEarlier(session) ? session.earlier : undefined
    },
    async blame(path, line) {
      const files = covered()
      if (files !== undefined) return blameFile(session, files, path, line)
      throw new RetconError({
        code: "no-workspace",
        ...(session.files?.unavailable ?? { reason: "this session has no snapshots" }),
      })
    },
    rounds: ({ last } = {}) => roundsOf(session, last),
    lastRound: () => lastRoundOf(session),
  }
  return files
}

async function restoreTo(session: OpenSession, name: string, options: RestoreOptions): Promise<MoveResult> {
  return moveOnlyFiles(session, "restore", options, () =>
    withWorkspace(session, async (files) => {
      const resolved = resolveEntry(session.history, session.head, name)
      if (!resolved.ok) return resolved
      const asked = filesAsked(options)
      const restore =
        (await planEarlier(session, files, resolved.row, asked)) ??
        (await planRestoreTo(session, files, resolved.row, asked))
      return restore.ok ? { ok: true, restore, ...(options.paths && { paths: options.paths }) } : restore
    }),
  )
}

/** Whether a restore reached the log. */
function isRecorded(history: History, id: string): boolean {
  return filesOperations(history).some(({ record }) => record.files.restore === id)
}

/** A session that is gone, or cannot be opened, has recorded nothing. */
async function isRecordedIn(store: SessionStore, name: string, id: string): Promise<boolean> {
  const session = parseSessionId(name)
  if (session === undefined) return false
  try {
    const log = await store.open(session)
    const found = isRecorded(log.history, id)
    await log.close()
    return found
  } catch (error) {
    if (error instanceof RetconError) return false
    throw error
  }
}

function roundsOf(session: OpenSession, last: number | undefined): RoundChanges[] {
  const wanted = askedPrompts(session.history, session.head, last)
  const passed = new Set(wanted.filter((asked) => asked.passed).map(({ prompt }) => prompt))
  const since = last === undefined ? NONE : (wanted[0]?.prompt ?? NONE)
  const own = callSpans(session.history, since)
  const byPrompt = new Map<Row, CallSpan[]>()
  for (const span of own) {
    const prompt = session.history.prompt(span.entry)
    if (!passed.has(prompt) && !isOnPath(session.history, span.entry, session.head)) continue
    const own = byPrompt.get(prompt)
    if (own === undefined) byPrompt.set(prompt, [span])
    else own.push(span)
  }
  const marks = roundMarks(session.history, since)
  return wanted.map(({ prompt: row, passed }) => {
    const own = byPrompt.get(row) ?? []
    const prompt = session.history.id(row) as EntryId
    const { before, after } = marks.get(prompt) ?? {}
    return { prompt, passed, changes: merged(own), before: before ?? own[0]?.before, after: after ?? own.at(-1)?.after }
  })
}

function lastRoundOf({ history, head }: OpenSession): SnapshotChange[] {
  const prompt = history.prompt(head)
  if (prompt === NONE) return []
  const all = callSpans(history, prompt)
  return merged(all.filter(({ entry }) => history.prompt(entry) === prompt && isOnPath(history, entry, head)))
}

/** The snapshots at the beginning and end of each round after the row `since`, by prompt. */
function roundMarks(history: History, since: Row): Map<string, { before?: string; after?: string }> {
  const marks = new Map<string, { before?: string; after?: string }>()
  for (const row of chain(history, KIND.snapshot)) {
    if (since !== NONE && row < since) break
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.entry === null || record.call !== undefined) continue
    const mark = marks.get(record.entry) ?? {}
    mark[record.when] ??= record.snapshot
    marks.set(record.entry, mark)
  }
  return marks
}

/** Each path once, with its first kind of change. */
function merged(own: readonly CallSpan[]): SnapshotChange[] {
  const found = new Map<string, SnapshotChange>()
  for (const span of own) {
    for (const change of span.changes) if (!found.has(change.path)) found.set(change.path, change)
  }
  return [...found.values()]
}

/**
 * What to tell a person about a restore that was interrupted and finished later. Finishes what killed restores left
 * undone, and reports it.
 */
export async function recoverAll(
  { id, files }: { id: SessionId; files: SessionFiles },
  options?: { store: SessionStore },
): Promise<string[]> {
  const words: string[] = []
  for (;;) {
    const recovered = await files.recover(options)
    if (recovered.outcome === "nothing") return words
    words.push(...recoveredWords(recovered, id))
  }
}

/** One sentence, and one for each file that was left alone. None if there was nothing to finish. */
export function recoveredWords(recovered: Recovered, me: SessionId): string[] {
  if (recovered.outcome === "nothing") return []
  const { outcome, session, folder, files, left } = recovered
  const where = folder === undefined ? "" : ` in ${sanitiseLine(folder)}`
  const whose = session === "" || session === me ? "" : ` of session ${shortId(session)}`
  // The files of an unfinished one cannot be counted, because nobody knows how far it got.
  const how =
    outcome === "completed"
      ? `was completed (${count(files.length - left.length, "file")})`
      : "was taken back: the files are as they were before it"
  return [
    `An interrupted restore${whose}${where} ${how}.`,
    ...left.map(
      (path) =>
        `${sanitiseLine(folder === undefined ? path : `${folder}/${path}`)} has changed since and stays as it is.`,
    ),
  ]
}
