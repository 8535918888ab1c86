// bring BRANCH: the findings of another branch as a marked quotation, and its file changes by three-way merge. The conversation
// goes on where it is.
import { mergeDisplay, mergeText } from "../../history/context/merge-text.ts"
import { chooseBranch, lastOfRound } from "../../history/files/chosen-spans.ts"
import { resolveEntry } from "../../history/plan/resolve.ts"
import {
  commonAncestor,
  entryId,
  type History,
  isOnPath,
  labels,
  NONE,
  path,
  type Row,
} from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import type { EntryId } from "../../model/id.ts"
import type { FilesMode, Moved, MoveResult } from "../../model/move/moved.ts"
import { KIND, type MergeRecord, plainText } from "../../model/record/record.ts"
import { promptText } from "../files/describe-move.ts"
import { whyNoFiles } from "../files/move-modes.ts"
import { moveOnlyFiles, type OnlyFiles, type RestoreOptions } from "../files/only-files.ts"
import { aloneFor, type OpenSession } from "../state/open-session.ts"
import { moveRounds, planPicked } from "./move-rounds.ts"

export interface BringOptions extends RestoreOptions {
  /** Of an entry on another branch: only the file changes of its round. */
  onlyRound?: boolean
  /** `keep`: only the findings. By default the files too, if they are covered. */
  files?: FilesMode
  /** The findings in the person's words, in place of the branch's last answer; false: only the files. */
  note?: string | false
}

/** What is on the path is a round, whose file changes are made again; one entry elsewhere is a branch. */
export function bring(session: OpenSession, names: readonly string[], options: BringOptions): Promise<MoveResult> {
  const { history, head } = session
  const elsewhere = names.flatMap((name) => {
    const resolved = resolveEntry(history, head, name)
    if (!resolved.ok || isOnPath(history, resolved.row, head)) return []
    const { row } = resolved
    return [{ name, row: history.isPrompt(row) ? lastOfRound(history, row) : row }]
  })
  const [branch] = elsewhere
  if (branch === undefined || options.onlyRound === true) return moveRounds(session, "bring", names, options)
  if (names.length === 1) return bringBranch(session, branch, options)
  return Promise.resolve({ outcome: "refused", failure: oneAtATime(branch.name) })
}

function oneAtATime(name: string): Failure {
  return {
    code: "invalid",
    problem: `“${name}” is on another branch, and a branch is brought by itself. Nothing was changed.`,
    advice: "Name it alone to bring the branch up to there, or ask for only the file changes of single rounds.",
  }
}

function bringBranch(
  session: OpenSession,
  { row: tip, name }: { row: Row; name: string },
  options: BringOptions,
): Promise<MoveResult> {
  return aloneFor(session, options, () =>
    moveOnlyFiles(session, "bring", options, () => plan(session, tip, name, options)),
  )
}

async function plan(session: OpenSession, tip: Row, name: string, options: BringOptions): Promise<OnlyFiles> {
  const { history, files, head, log } = session
  const why = whyNoFiles(session)
  if (options.files === "restore" && why !== null)
    return { ok: false, failure: { code: "no-workspace", ...(files?.unavailable ?? { reason: why }) } }
  const since = broughtBefore(history, head, tip)
  const rows = path(history, tip, since)
  const from = entryId(history, tip)
  if (rows.length === 0 || from === null) return { ok: true, restore: undefined }
  const rounds = new Set(rows.map((row) => history.prompt(row)).filter((row) => row !== NONE))
  const note = findingsOf(history, rows, options)
  const moves = files !== undefined && why === null && options.files !== "keep"
  const picked = moves ? chooseBranch(history, tip, since) : undefined
  const planned: OnlyFiles = moves
    ? await planPicked(session, files, { picked, rounds }, options)
    : { ok: true, restore: undefined }
  if (!planned.ok) return planned
  const branch = nameOf(history, tip, name)
  const more = note === undefined ? {} : { findings: { from, name: branch, rounds: rounds.size, note } }
  const tells = (moved: Moved) => {
    const isNothing = moved.files.length === 0 && (note ?? "") === ""
    if (log.agent !== undefined || isNothing) return undefined
    return mergeRecord(session, from, {
      name: branch,
      rounds: rounds.size,
      note: note ?? "",
      moved: moves ? moved : undefined,
      wanted: planned.wanted ?? [],
    })
  }
  return { ...planned, more, tells }
}

/** Up to where a branch has been brought to this path before; else where the two part. */
function broughtBefore(history: History, head: Row, tip: Row): Row {
  const common = commonAncestor(history, head, tip)
  let since = common
  for (let row = head; row !== common && row !== NONE; row = history.parent(row)) {
    if (history.kind(row) !== KIND.merge) continue
    const record = history.record(row)
    const from = record?.type === "merge" ? history.rowOf(record.from) : NONE
    if (from === NONE || !isOnPath(history, from, tip)) continue
    if (since === NONE || history.depth(from) > history.depth(since)) since = from
  }
  return since
}

/** Longer findings are cut. */
const LONGEST_NOTE = 4_000

/** The person's words, else the last answer of the branch; undefined if none are wanted. */
function findingsOf(history: History, rows: readonly Row[], { note }: BringOptions): string | undefined {
  if (note === false) return undefined
  if (note !== undefined) return note.trim()
  for (const row of rows.toReversed()) {
    const record = history.record(row)
    if (record?.type !== "message" || record.role !== "assistant") continue
    const text = plainText(record.content).trim()
    if (text !== "") return text.length <= LONGEST_NOTE ? text : `${text.slice(0, LONGEST_NOTE)}…`
  }
  return ""
}

/** Its label, else what was asked last on it. */
function nameOf(history: History, tip: Row, name: string): string {
  const label = labels(history).get(history.id(tip) as EntryId)
  return label ?? (promptText(history, history.prompt(tip))?.text || name)
}

interface Findings {
  name: string
  rounds: number
  note: string
  moved: Moved | undefined
  /** Paths that were to change. */
  wanted: readonly string[]
}

function mergeRecord(session: OpenSession, from: EntryId, { moved, wanted, ...found }: Findings): MergeRecord {
  const changed = new Set(moved?.files.map(({ path }) => path))
  const kept = new Set([...(moved?.kept.map(({ path }) => path) ?? []), ...wanted])
  const files = moved && { brought: [...changed], kept: [...kept].filter((path) => !changed.has(path)) }
  const brought = { ...found, ...(files !== undefined && { files }) }
  return {
    id: session.ids.entry(),
    type: "merge",
    parent: entryId(session.history, session.head),
    at: session.now(),
    from,
    text: mergeText(brought),
    display: mergeDisplay(brought),
  }
}
