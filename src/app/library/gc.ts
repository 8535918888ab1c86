// Empties the trash, and drops snapshots and blobs that nothing names.
import { realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import { ourLogsFolder } from "../../foreign/log/our-paths.ts"
import { sweepForeignIndexes } from "../../foreign/scan/foreign-index.ts"
import { snapshotStoreOf } from "../../history/tree/directory.ts"
import { chain, NONE } from "../../history/tree/tree.ts"
import { closeOnFailure } from "../../model/close-on-failure.ts"
import type { SessionId } from "../../model/id.ts"
import { KIND } from "../../model/record/record.ts"
import { accessTo } from "../../model/record/version.ts"
import type { SweepAnswer, SweepRequest } from "../../protocol/library.ts"
import { directorySlug, sessionsFolder } from "../../store/file/disk/layout.ts"
import { allSessionFiles } from "../../store/file/folder/names.ts"
import {
  emptyTrash,
  namedSnapshots,
  type Swept,
  sweepBlobs,
  sweepDerived,
  sweepLocal,
  sweepTemporary,
} from "../../store/file/folder/sweep.ts"
import type { SessionLog, SessionSummary } from "../../store/port.ts"
import { sweepLeftBehind } from "../../workspace/git/doctor/gc.ts"
import { sharedBy, storeOf } from "../../workspace/git/project/store-folder.ts"
import { type GcReport, parseSnapshotId, type SnapshotId } from "../../workspace/port.ts"
import { readConfig } from "../config/config-file.ts"
import { configFile } from "../config/home.ts"
import { readWorkspaceSettings } from "../config/workspace-settings.ts"
import { openWorkspace } from "../open/workspace.ts"
import type { AppDeps } from "../port/app-deps.ts"

export async function collectGarbage(
  given: AppDeps,
  { cwd, dryRun = false, dropOldest = false }: SweepRequest,
): Promise<SweepAnswer> {
  const deps = { ...given, cwd }
  // First, because it may fail: then nothing has been dropped.
  const unopened = namedByUnopened(deps, await deps.store.list())
  const [{ home }, now] = [deps, deps.now()]
  return {
    dryRun,
    trash: emptyTrash(home, dryRun),
    blobs: sweepBlobs(join(sessionsFolder(home), directorySlug(cwd)), now, dryRun),
    indexes: sum(sweepDerived(home, now, dryRun), sweepForeignIndexes(home, dryRun)),
    local: sweepLocal(home, now, dryRun),
    temporary: sum(sweepTemporary(home, now, dryRun), sweepLeftBehind(home, now, dryRun)),
    ...(await collect(deps, unopened, { dryRun, dropOldest })),
  }
}

function sum(one: Swept, other: Swept): Swept {
  return { files: one.files + other.files, bytes: one.bytes + other.bytes }
}

/** A snapshot that a session names, and when. */
interface Named {
  at: string
  id: SnapshotId
}

/** No report if no session of this directory has snapshots. */
async function collect(
  deps: AppDeps,
  unopened: readonly Named[],
  { dryRun, dropOldest }: { dryRun: boolean; dropOldest: boolean },
): Promise<{ snapshots: GcReport | undefined; budget: number }> {
  const { budget } = readWorkspaceSettings(readConfig(configFile(deps.home))).settings
  let snapshots: GcReport | undefined
  for (const { store, session, keep } of await storesHere(deps)) {
    const workspace = await openWorkspace(deps, deps.cwd, session, store)
    const newestFirst = [...unopened, ...keep].sort((a, b) => (a.at < b.at ? 1 : -1)).map(({ id }) => id)
    const report = await workspace.gc({
      keep: [...new Set(newestFirst)],
      dryRun,
      ...(dropOldest ? { drop: "oldest" } : {}),
    })
    await workspace.close()
    snapshots = snapshots === undefined ? report : added(snapshots, report)
  }
  return { snapshots, budget }
}

function added(one: GcReport, other: GcReport): GcReport {
  return {
    bytesBefore: one.bytesBefore + other.bytesBefore,
    bytesAfter: one.bytesAfter + other.bytesAfter,
    dropped: [...one.dropped, ...other.dropped],
    overBudget: one.overBudget + other.overBudget,
  }
}

interface StoreHere {
  store: string | undefined
  /** A session of this directory with snapshots there. */
  session: SessionId
  keep: Named[]
}

/**
 * The stores that sessions of this directory use, with what any session refers to there, even one of another directory.
 */
async function storesHere(deps: AppDeps): Promise<StoreHere[]> {
  const found = new Map<string, { session: SessionId | undefined; keep: Named[] }>()
  const stores = new Map<string, string>()
  const own = (folder: string): string => {
    const own = stores.get(folder) ?? storeOf(deps.home, folder) ?? ""
    // The snapshots of a copy are with those of the folder that was copied.
    const store = sharedBy(deps.home, own) ?? own
    stores.set(folder, store)
    return store
  }
  const all = (await deps.store.list()).map(({ id, cwd }) => ({ id, folder: realFolder(cwd) }))
  const here = all.filter(({ folder }) => folder === deps.cwd)
  for (const { id, folder } of [...here, ...all.filter(({ folder }) => folder !== deps.cwd)]) {
    const log = await deps.store.open(id)
    await closeOnFailure(log, () => {
      const store = snapshotStoreOf(log.history) ?? own(folder)
      const known = found.get(store) ?? { session: undefined, keep: [] }
      if (folder === deps.cwd) found.set(store, known)
      if (!found.has(store)) return
      if (folder === deps.cwd && log.history.last(KIND.snapshot) !== NONE) known.session = id
      for (const each of named(log)) known.keep.push(each)
      // Records of a newer version may name snapshots in ways that we do not know.
      if (accessTo(log.header) !== "full" && log.file !== undefined) known.keep.push(...mentionedIn(log.file))
    })
    await log.close()
  }
  return [...found].flatMap(([store, { session, keep }]) =>
    session === undefined ? [] : [{ store: store === "" ? undefined : store, session, keep }],
  )
}

/**
 * A session that a newer version wrote, or that is damaged, still has its snapshots; its folder may be this one. So
 * does our log of another agent's session, even if that agent has deleted it.
 */
function namedByUnopened(deps: AppDeps, listed: readonly SessionSummary[]): Named[] {
  const opened = new Set<string>(listed.map(({ id }) => id))
  const others = allSessionFiles(sessionsFolder(deps.home)).filter(({ id }) => !opened.has(id))
  const besideOthers = allSessionFiles(ourLogsFolder(deps.home))
  return [...others, ...besideOthers].flatMap(({ file }) => mentionedIn(file))
}

/** Everything that could be a snapshot's id, whatever the record around it. */
function mentionedIn(file: string): Named[] {
  const at = statSync(file, { throwIfNoEntry: false })?.mtime.toISOString() ?? ""
  return at === "" ? [] : [...ids(at, [...namedSnapshots(file)])]
}

/** Under any name: a session may have been opened through a link. */
function realFolder(cwd: string): string {
  return statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true ? realpathSync(cwd) : cwd
}

function* named(log: SessionLog): Generator<Named> {
  for (const row of chain(log.history, KIND.snapshot)) {
    const record = log.history.record(row)
    if (record?.type !== "snapshot") continue
    yield* ids(record.at, [record.snapshot, record.since?.snapshot])
  }
  for (let row = 0; row < log.history.size; row++) {
    if (log.history.kind(row) !== KIND.operation) continue
    const record = log.history.record(row)
    if (record?.type === "operation") yield* ids(record.at, [record.files?.from, record.files?.to])
  }
}

function* ids(at: string, texts: (string | undefined)[]): Generator<Named> {
  for (const text of texts) {
    const id = parseSnapshotId(text)
    if (id !== undefined) yield { at, id }
  }
}
