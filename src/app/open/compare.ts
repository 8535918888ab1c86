// Compares two branches: of one session, or of two sessions of which one is a copy of the other. Writes nothing.
import {
  type BranchEnd,
  type BranchFacts,
  branchFacts,
  type CostOf,
  partingOf,
} from "../../history/compare/branch-facts.ts"
import {
  type ComparedFile,
  changesTold,
  type FileDifference,
  groupFiles,
  spansOfBranch,
} from "../../history/compare/branch-files.ts"
import { uncoveredRounds } from "../../history/files/uncovered-rounds.ts"
import { resolveEntry } from "../../history/plan/resolve.ts"
import { entryId, isOnPath, labels, NONE, type Row } from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { shortId } from "../../model/id.ts"
import type { CompareAnswer, ComparedSide, CompareRequest } from "../../protocol/host.ts"
import { type FactsById, priceNamed } from "../../provider/catalogue/models.ts"
import { costOf } from "../../provider/port/usage.ts"
import type { Session } from "../../session/session.ts"
import type { EarlierFiles } from "../../session/state/open-session.ts"
import type { SessionLog } from "../../store/port.ts"
import { parseSnapshotId, type SnapshotId, type Workspace } from "../../workspace/port.ts"
import { loadAgentCopies } from "./load-agent-copies.ts"

export interface CompareDeps {
  /** Opens the session with this name. Contract: throws `not-found` or `ambiguous`, or what opening a log throws. */
  open: ((name: string) => Promise<SessionLog>) | undefined
  /** Prices that the person has configured. */
  prices: FactsById | undefined
}

interface Side extends BranchEnd {
  name: string
  log: SessionLog
  earlier: EarlierFiles | undefined
}

/** Contract: yields to other work meanwhile. */
export async function compareIn(session: Session, request: CompareRequest, deps: CompareDeps): Promise<CompareAnswer> {
  const opened: SessionLog[] = []
  const open = async (name: string) => {
    if (deps.open === undefined) throw new RetconError({ code: "not-found", what: "session", name })
    const log = await deps.open(name)
    opened.push(log)
    return log
  }
  try {
    const a = await sideNamed(session, request.a, open)
    if (!a.ok) return { outcome: "refused", failure: a.failure }
    const b = await sideNamed(session, request.b ?? "head", open)
    if (!b.ok) return { outcome: "refused", failure: b.failure }
    return await compared(session, [a.side, b.side], request, deps)
  } catch (error) {
    if (error instanceof RetconError && (error.code === "not-found" || error.code === "ambiguous"))
      return { outcome: "refused", failure: error.failure }
    throw error
  } finally {
    for (const log of opened) await log.close()
  }
}

type Named = { ok: true; side: Side } | { ok: false; failure: Failure }

/** An entry of this session, another session as it is now, or SESSION:ENTRY. */
async function sideNamed(session: Session, name: string, open: (name: string) => Promise<SessionLog>): Promise<Named> {
  const { history, headRow, log } = session
  const here = name === "head" ? ({ ok: true, row: headRow } as const) : resolveEntry(history, headRow, name)
  if (here.ok) return { ok: true, side: { name, log, history, row: here.row, earlier: session.files.earlier } }
  if (here.failure.code !== "not-found") return here
  const [, place = name, entry] = /^(.+):([^:/]+)$/.exec(name) ?? []
  const other = await open(place).catch((error: unknown) => {
    if (error instanceof RetconError && error.code === "not-found") return undefined
    throw error
  })
  if (other === undefined) return here
  const there = other.history
  const at = entry === undefined ? undefined : resolveEntry(there, there.head, entry)
  if (at?.ok === false) return at
  const row = at?.row ?? there.head
  return { ok: true, side: { name, log: other, history: there, row, earlier: await loadAgentCopies(other) } }
}

async function compared(
  session: Session,
  [a, b]: readonly [Side, Side],
  { patch: wantsPatch }: CompareRequest,
  { prices }: CompareDeps,
): Promise<CompareAnswer> {
  const parting = partingOf(a, b)
  if (parting === undefined) return { outcome: "refused", failure: { code: "unrelated", a: a.name, b: b.name } }
  const cost: CostOf = (usage, model) => {
    const price = model === undefined ? undefined : priceNamed(model, prices)
    return price && costOf(usage, price)
  }
  const sides: [ComparedSide, ComparedSide] = [
    sideOf(session, a, parting.a, await inSlices(branchFacts(a, parting.a, cost))),
    sideOf(session, b, parting.b, await inSlices(branchFacts(b, parting.b, cost))),
  ]
  const ends: [BranchFiles, BranchFiles] = [filesOf(session, a, parting.a), filesOf(session, b, parting.b)]
  const { files, patch } = await compareFiles(session.files.workspace, ends, wantsPatch === true)
  return {
    outcome: "compared",
    common: entryId(a.history, parting.a),
    round: parting.a === NONE ? 0 : a.history.round(parting.a),
    sides,
    files,
    ...(patch !== undefined && { patch }),
  }
}

function sideOf(session: Session, side: Side, since: Row, facts: BranchFacts): ComparedSide {
  const { history, row, log, name } = side
  const names = labels(history)
  const label = facts.tip === null ? undefined : names.get(facts.tip)
  const known = original(session, side, since)
  const missing = new Set(known && uncovered(known.end, known.since))
  const unknown = uncovered(side, since).filter((prompt) => known?.has(prompt) !== true || missing.has(prompt))
  return {
    ...facts,
    name: label ?? (name === "head" || name === log.id ? name : facts.tip === null ? "start" : shortId(facts.tip)),
    session: log.id,
    isHead: log.id === session.id && row === session.headRow,
    uncovered: unknown.length,
  }
}

function uncovered({ history, row }: BranchEnd, since: Row): string[] {
  return uncoveredRounds(history, { since: history.size, from: since, to: row }).map(({ prompt }) => history.id(prompt))
}

/** What a copy has of this session: snapshots of what was done before it was made are in the original. */
function original(session: Session, side: Side, since: Row) {
  const { history } = session
  if (side.history === history) return undefined
  const there = since === NONE ? NONE : history.rowOf(side.history.id(since))
  if (since !== NONE && there === NONE) return undefined
  for (let row = side.row; row !== since && row !== NONE; row = side.history.parent(row)) {
    const same = history.rowOf(side.history.id(row))
    if (same === NONE || !isOnPath(history, there, same)) continue
    const has = (id: string) => history.rowOf(id) !== NONE && isOnPath(history, history.rowOf(id), same)
    return { end: { history, row: same }, since: there, has }
  }
  return undefined
}

/** Milliseconds before other work gets its turn. */
const AT_ONCE = 5

async function inSlices<Value>(work: Generator<void, Value>): Promise<Value> {
  for (let since = performance.now(); ; ) {
    const step = work.next()
    if (step.done === true) return step.value
    if (performance.now() - since < AT_ONCE) continue
    await new Promise<void>((settle) => setImmediate(settle))
    since = performance.now()
  }
}

/** What the calls of a branch did to files, between the first snapshot and the last one around them. */
interface BranchFiles {
  told: Map<string, FileDifference>
  /** Those of which snapshots show it. */
  shown: Set<string>
  before: SnapshotId | undefined
  after: SnapshotId | undefined
}

function filesOf(session: Session, side: Side, since: Row): BranchFiles {
  const { earlier } = side
  const own = spansOfBranch(side, since, earlier && ((row) => earlier.calls(row)))
  const known = original(session, side, since)
  const before = known === undefined ? [] : spansOfBranch(known.end, known.since)
  const covered = new Set(own.map(({ call }) => call))
  const spans = [...before.filter(({ call }) => !covered.has(call)), ...own]
  const shown = spans.filter(({ said }) => said === undefined)
  const last = shown.reduce((best, span) => (best === undefined || span.until >= best.until ? span : best), shown[0])
  return {
    told: changesTold(spans),
    shown: new Set(changesTold(shown).keys()),
    before: parseSnapshotId(shown[0]?.before),
    after: parseSnapshotId(last?.after),
  }
}

async function compareFiles(
  workspace: Workspace | undefined,
  [a, b]: readonly [BranchFiles, BranchFiles],
  wantsPatch: boolean,
): Promise<{ files: ComparedFile[]; patch?: string }> {
  const files = workspace?.unavailable === undefined ? workspace : undefined
  // A branch that changed nothing ends as the other one began.
  const [endA, endB] = [a.after ?? b.before, b.after ?? a.before]
  const both = [...a.shown].filter((path) => b.shown.has(path))
  const differing = await diffOf(files, endA, endB, both)
  const isShown = new Set(differing === undefined ? [] : both)
  const differs = (path: string) => (isShown.has(path) ? differing?.has(path) : undefined)
  const compared = groupFiles(await counted(files, a), await counted(files, b), differs)
  const wanted = compared.filter(({ group }) => group !== "same").map(({ path }) => path)
  if (!wantsPatch || files === undefined || endA === undefined || endB === undefined) return { files: compared }
  if (wanted.length === 0) return { files: compared, patch: "" }
  return { files: compared, patch: Buffer.from(await files.patch(endA, endB, { paths: wanted })).toString() }
}

/** What no longer differs at the end of the branch is left out. Where no snapshot shows it, what the calls say stands. */
async function counted(files: Workspace | undefined, branch: BranchFiles): Promise<Map<string, FileDifference>> {
  const { told, shown, before, after } = branch
  const differing = await diffOf(files, before, after, [...shown])
  if (differing === undefined) return told
  return new Map(
    [...told].flatMap(([path, change]) => {
      const now = shown.has(path) ? differing.get(path) : change
      return now === undefined ? [] : [[path, now] as const]
    }),
  )
}

/** Undefined: no snapshot shows it, or `gc` has dropped it. */
async function diffOf(
  files: Workspace | undefined,
  from: SnapshotId | undefined,
  to: SnapshotId | undefined,
  paths: string[],
): Promise<Map<string, FileDifference> | undefined> {
  if (files === undefined || from === undefined || to === undefined || paths.length === 0) return undefined
  try {
    const changes = await files.diff(from, to, { paths })
    return new Map(
      changes.map(({ path, change, added, removed }) => [
        path,
        { change, ...(added !== undefined && { added }), ...(removed !== undefined && { removed }) },
      ]),
    )
  } catch (error) {
    if (error instanceof RetconError && error.code === "snapshot-gone") return undefined
    throw error
  }
}
