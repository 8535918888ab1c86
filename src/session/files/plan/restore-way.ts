// The steps that bring the files to a moment, and who else changed what those steps cannot change.
import {
  among,
  type Moment,
  type SaidSince,
  type SpansToRestore,
  spansToRestore,
} from "../../../history/files/applied-changes.ts"
import type { CallSpan } from "../../../history/files/call-spans.ts"
import { type OwnCommand, ownCommands, perhapsOwn } from "../../../history/files/own-commands.ts"
import type { SaidCall } from "../../../history/files/said-calls.ts"
import { snapshotOfMoment } from "../../../history/files/snapshot-of-moment.ts"
import { directoryOf } from "../../../history/tree/directory.ts"
import { chain, type History, type Row } from "../../../history/tree/tree.ts"
import { RetconError } from "../../../model/failure/retcon-error.ts"
import { type FilesMove, KIND } from "../../../model/record/record.ts"
import {
  type Heads,
  parseSnapshotId,
  type Repository,
  type RestorePlan,
  type SnapshotId,
  type Step,
  type Workspace,
} from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"
import type { FilesRequest } from "../known/files-request.ts"
import {
  changesSince,
  type OtherSpan,
  otherSpans,
  sharedPaths,
  withChangesUntil,
  withOthers,
} from "../known/other-sessions.ts"
import { type CopyBefore, type SaidSteps, saidSteps } from "../known/said-steps.ts"

export interface RestoreWay {
  steps: Step[]
  named: (plan: RestorePlan) => Promise<RestorePlan>
  /** Files that calls without snapshots changed, according to the agent's own files: those that come back. */
  said?: Pick<SaidSteps, "known">
  /** What those files tell, read once for the plan. Absent if they were not asked. */
  calls?: SaidSince
}

/** Reverses a restore that was recorded at the time `at`. */
export function wayBack(session: OpenSession, files: FilesMove, at: string): RestoreWay {
  return { steps: stepBack(files), named: (plan) => namedSince(session, plan, at) }
}

export async function wayTo(
  session: OpenSession,
  moment: Moment,
  paths: readonly string[] | undefined,
): Promise<RestoreWay> {
  const { history, files, earlier } = session
  const calls = earlier && readOnce((since) => earlier.calls(since))
  const own = spansToRestore(history, moment, { paths, said: calls })
  const oldest = [...own.takeBack, ...own.bringAgain].map(({ from }) => from).sort()[0]
  if (oldest === undefined) return { steps: [], named: async (plan) => plan, ...(calls && { calls }) }
  const others = await otherSpans(session.store, { id: session.log.id, cwd: directoryOf(session.log) }, oldest)
  const since = new Map<string, string>()
  for (const { from, changes } of [...own.bringAgain, ...own.takeBack]) {
    for (const { path } of changes) if (from < (since.get(path) ?? "~")) since.set(path, from)
  }
  const said = files === undefined ? undefined : await saidSteps(files, own, copiesIn(session))
  return {
    steps: stepsOf(history, own, { others, commands: ownCommands(history, oldest) }, said?.steps),
    named: async (plan) => {
      const told = await nameOthers(session, plan, others, (path) => since.get(path))
      return said === undefined ? told : { ...told, untaken: untakenOf(own, told, said) }
    },
    ...(said && { said }),
    ...(calls && { calls }),
  }
}

function copiesIn({ history, earlier }: OpenSession): CopyBefore {
  const rounds = new Map<Row, ReturnType<NonNullable<typeof earlier>["before"]>>()
  return async ({ entry }, path) => {
    if (earlier === undefined) return undefined
    const prompt = history.prompt(entry)
    const copies = rounds.get(prompt) ?? earlier.before(prompt, prompt + 1)
    rounds.set(prompt, copies)
    return (await copies).find((copy) => copy.path === path)?.bytes ?? undefined
  }
}

/** What was read since an earlier row has what is asked for since a later one. */
function readOnce(calls: SaidSince): SaidSince {
  let known: { since: Row; calls: readonly SaidCall[] } | undefined
  return (since) => {
    if (known === undefined || known.since > since) known = { since, calls: calls(since) }
    return known.since === since ? known.calls : known.calls.filter(({ row }) => row >= since)
  }
}

/** The calls whose changes go in one step stay or go together. */
function untakenOf(
  { takeBack, bringAgain }: SpansToRestore,
  { untaken }: RestorePlan,
  said: SaidSteps,
): RestorePlan["untaken"] {
  const spans = [...takeBack, ...bringAgain]
  const steps = new Map(untaken.map((each) => [each.path, new Set(each.steps)]))
  for (const { path, spans: own } of said.pieces) {
    const kept = steps.get(path)
    if (kept?.has(spans.indexOf(own[0])) === true) for (const span of own) kept.add(spans.indexOf(span))
  }
  for (const path of said.named) {
    const kept = steps.get(path) ?? new Set()
    for (const [i, span] of spans.entries()) if (span.said?.some((file) => file.path === path)) kept.add(i)
    steps.set(path, kept)
  }
  return [...steps].map(([path, of]) => ({ path, steps: [...of] }))
}

/**
 * Named files get their bytes of that moment, no matter who changed them since. In a named folder, files that did not
 * exist then stay, unless the agent created them. Undefined if no files were named, or the snapshot is gone.
 */
export async function wayToBytes(
  session: OpenSession,
  files: Workspace,
  moment: Moment,
  { paths, onConflict, onlyCertain }: FilesRequest,
): Promise<RestoreWay | undefined> {
  if (paths === undefined || onConflict !== "theirs" || onlyCertain === true) return undefined
  const before = parseSnapshotId(snapshotOfMoment(session.history, moment))
  if (before === undefined || files.unavailable !== undefined) return undefined
  const { id: after } = await files.snapshot()
  const changes = await changesSince(files, before, after)
  if (changes === undefined) return undefined
  const own = spansToRestore(session.history, moment, { paths })
  const steps = [...own.takeBack, ...own.bringAgain]
  const agents = new Set(steps.flatMap((span) => span.changes.map(({ path }) => path)))
  const isAsked = among(paths)
  const wanted = changes
    .filter(({ path, change }) => paths.includes(path) || (isAsked(path) && (change !== "added" || agents.has(path))))
    .map(({ path }) => path)
  const staying = changes.filter(({ path }) => isAsked(path) && !wanted.includes(path))
  const whole = paths.filter((name) => !staying.some(({ path }) => among([name])(path)))
  return {
    steps: wanted.length === 0 ? [] : [{ before, after, paths: wanted }],
    // All of these is as it was at the moment, whatever nobody recorded since.
    ...(isTakenAt(session.history, moment, before) && { said: { known: whole } }),
    // The log lists the steps one by one. None of them took back what stays.
    named: async (plan) => ({
      ...plan,
      untaken: plan.untaken.map(({ path }) => ({ path, steps: steps.map((_, i) => i) })),
    }),
  }
}

/** Whether it is a snapshot of that very moment, and not the nearest one. */
export function isTakenAt(history: History, moment: Moment, snapshot: SnapshotId): boolean {
  const entry = "before" in moment ? moment.before : moment.entry
  for (const row of chain(history, KIND.snapshot)) {
    if (row < entry) return false
    const record = history.record(row)
    if (record?.type === "snapshot" && record.snapshot === snapshot && record.entry !== null)
      return history.rowOf(record.entry) === entry
  }
  return false
}

/** Examines other sessions only if something stays. */
async function namedSince(session: OpenSession, plan: RestorePlan, since: string): Promise<RestorePlan> {
  if (plan.kept.length === 0 && plan.conflicts.length === 0) return plan
  const me = { id: session.log.id, cwd: directoryOf(session.log) }
  return nameOthers(session, plan, await otherSpans(session.store, me, since), () => since)
}

async function nameOthers(
  { files }: OpenSession,
  plan: RestorePlan,
  others: readonly OtherSpan[],
  since: (path: string) => string | undefined,
): Promise<RestorePlan> {
  if (files === undefined || (plan.kept.length === 0 && plan.conflicts.length === 0)) return plan
  return withOthers(plan, await withChangesUntil(files, plan.now, others), since)
}

/**
 * The file changes that go with a move: the steps that a restore takes back or makes again. How the files differ from a
 * moment, from the log alone. `added`: exists now but did not then.
 */
export function differing({ takeBack, bringAgain }: SpansToRestore): { path: string; change: string }[] {
  const found = new Map<string, { now: boolean; before: boolean; kinds: Set<string> }>()
  const step = (path: string, change: string, gone: "added" | "deleted") => {
    const there = change !== (gone === "added" ? "deleted" : "added")
    const known = found.get(path) ?? { now: there, before: there, kinds: new Set() }
    found.set(path, { ...known, before: change !== gone, kinds: known.kinds.add(change) })
  }
  // From now to that moment: taking back an addition, or bringing back a deletion, leaves no file.
  for (const span of takeBack) for (const { path, change } of span.changes) step(path, change, "added")
  for (const span of bringAgain) for (const { path, change } of span.changes) step(path, change, "deleted")
  return [...found]
    .filter(([, { now, before }]) => now || before)
    .map(([path, { now, before, kinds }]) => ({
      path,
      change: now === before ? onlyOf(kinds) : now ? "added" : "deleted",
    }))
    .sort((a, b) => (a.path < b.path ? -1 : 1))
}

function onlyOf(kinds: ReadonlySet<string>): string {
  const [only = "modified"] = kinds
  return kinds.size === 1 ? only : "modified"
}

/** Who else changed files at the same time. */
interface Beside {
  others: readonly OtherSpan[]
  commands: readonly OwnCommand[]
}

/**
 * What is taken back comes first, newest first; then what is made again, oldest first, as reversed steps. `said`: the steps of
 * those that no snapshot shows.
 */
export function stepsOf(
  history: History,
  { takeBack, bringAgain }: SpansToRestore,
  beside: Beside,
  said?: ReadonlyMap<CallSpan, Step>,
): Step[] {
  const turned = ({ before, after, heads, ...rest }: Step): Step => ({
    before: after,
    after: before,
    ...rest,
    ...(heads && { heads: { ended: heads.ended } }),
  })
  return [
    ...takeBack.map((span) => said?.get(span) ?? stepOf(history, span, beside)),
    ...bringAgain.map((span) => turned(said?.get(span) ?? stepOf(history, span, beside))),
  ]
}

function stepOf(history: History, span: CallSpan, { others, commands }: Beside): Step {
  const step: Step = {
    before: snapshotId(span.before),
    after: snapshotId(span.after),
    paths: span.changes.map((change) => change.path),
  }
  const uncertain = span.changes.filter((change) => change.during !== undefined).map((change) => change.path)
  const shared = sharedPaths(span, others)
  const own = perhapsOwn(span, commands)
  if (span.whole) step.command = true
  if (uncertain.length > 0) step.uncertain = uncertain
  if (shared.length > 0) step.shared = shared
  if (own.length > 0) step.own = own
  const heads = headsOf(history, span)
  if (heads !== undefined) step.heads = heads
  return step
}

function headsOf(history: History, span: CallSpan): Heads | undefined {
  const [began, ended] = [repositoriesAt(history, span.opened), repositoriesAt(history, span.row)]
  if (began.length === 0 && ended.length === 0) return undefined
  return {
    began: { at: Date.parse(span.from), repositories: began },
    ended: { at: Date.parse(span.until), repositories: ended },
  }
}

function repositoriesAt(history: History, row: Row): Repository[] {
  const record = history.record(row)
  if (record?.type !== "snapshot") return []
  return (record.repositories ?? []).map(({ path, branch, commit }) => ({ path, branch, commit }))
}

/** The steps that exactly reverse a recorded move of files: none if it changed none. */
function stepBack(move: FilesMove): Step[] {
  return move.from === move.to ? [] : [{ before: snapshotId(move.from), after: snapshotId(move.to) }]
}

/** A log may contain anything. An invalid snapshot id counts as a snapshot that is gone. */
function snapshotId(text: string): SnapshotId {
  const id = parseSnapshotId(text)
  if (id === undefined) throw new RetconError({ code: "snapshot-gone", snapshot: text })
  return id
}
