// retcon gc: empties the trash, and drops snapshots and blobs that nothing names.
import { realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import { ourLogsFolder } from "../../foreign/log/our-paths.ts"
import { sweepForeignIndexes } from "../../foreign/scan/foreign-index.ts"
import { snapshotStoreOf } from "../../history/tree/directory.ts"
import { chain } from "../../history/tree/labels.ts"
import { NONE } from "../../history/tree/tree.ts"
import { closeOnFailure } from "../../model/close-on-failure.ts"
import type { SessionId } from "../../model/id.ts"
import { KIND } from "../../model/record/kind.ts"
import { accessTo } from "../../model/record/version.ts"
import { bytes, count } from "../../model/text/amounts.ts"
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
import { storeOf } from "../../workspace/git/project/store-folder.ts"
import { type GcReport, parseSnapshotId, type SnapshotId } from "../../workspace/port.ts"
import { readConfig } from "../config/config-file.ts"
import { readWorkspaceSettings } from "../config/workspace-settings.ts"
import type { Cli } from "../port/cli.ts"
import { printJson } from "../port/print-json.ts"
import { configFile } from "../process/home.ts"
import { openWorkspace } from "../sessions/workspace.ts"

export async function run(
  cli: Cli,
  options: { dryRun?: boolean; dropOldest?: boolean; json?: boolean },
): Promise<void> {
  const dryRun = options.dryRun === true
  // First, because it may fail: then nothing has been dropped.
  const unopened = namedByUnopened(cli, await cli.store.list())
  const trash = emptyTrash(cli.home, dryRun)
  const folder = join(sessionsFolder(cli.home), directorySlug(cli.cwd))
  const blobs = sweepBlobs(folder, cli.now(), dryRun)
  const derived = sum(sweepDerived(cli.home, cli.now(), dryRun), sweepForeignIndexes(cli.home, dryRun))
  const local = sweepLocal(cli.home, cli.now(), dryRun)
  const temporary = sum(sweepTemporary(cli.home, cli.now(), dryRun), sweepLeftBehind(cli.home, cli.now(), dryRun))
  const dropOldest = options.dropOldest === true
  const { snapshots, budget } = await collect(cli, unopened, { dryRun, dropOldest })
  if (options.json === true) {
    printJson(cli.out, { dryRun, trash, blobs, indexes: derived, local, temporary, snapshots, budget })
    return
  }
  const would = dryRun ? "Would free" : "Freed"
  cli.out.write(`${would} ${bytes(trash.bytes)} from the trash (${count(trash.files, "file")}).\n`)
  cli.out.write(`${would} ${bytes(blobs.bytes)} from stored content that no session here uses.\n`)
  if (derived.files > 0)
    cli.out.write(
      `${would} ${bytes(derived.bytes)} from indexes whose session is gone (${count(derived.files, "file")}).\n`,
    )
  if (local.files > 0)
    cli.out.write(`${would} ${bytes(local.bytes)} from drafts and consent of sessions that are gone.\n`)
  if (temporary.files > 0)
    cli.out.write(
      `${would} ${bytes(temporary.bytes)} that interrupted processes left (${count(temporary.files, "file")}).\n`,
    )
  cli.out.write(snapshotLines(snapshots, budget, { dryRun, dropOldest }))
}

function sum(one: Swept, other: Swept): Swept {
  return { files: one.files + other.files, bytes: one.bytes + other.bytes }
}

function snapshotLines(
  report: GcReport | undefined,
  budget: number,
  { dryRun, dropOldest }: { dryRun: boolean; dropOldest: boolean },
): string {
  if (report === undefined) return "There are no snapshots of this directory.\n"
  const { bytesBefore, bytesAfter, dropped, overBudget } = report
  const freed = `${dryRun ? "Would free" : "Freed"} ${bytes(bytesBefore - bytesAfter)} from snapshots`
  const lines = [`${freed}; ${bytes(bytesAfter)} remain, of a budget of ${bytes(budget)}.`]
  if (dropped.length > 0) {
    const number = count(dropped.length, "snapshot")
    lines.push(
      dryRun
        ? `Would drop ${number}, the oldest first: files could not be restored to those points any more.`
        : `Dropped ${number}, the oldest first: files can no longer be restored to those points.`,
    )
  }
  if (overBudget > 0) {
    lines.push(
      dropOldest
        ? `That is ${bytes(overBudget)} above the budget: retcon always keeps new snapshots, and those of where sessions are now.`
        : `Snapshots that sessions still use are ${bytes(overBudget)} above the budget. Drop the oldest with: retcon gc --drop-oldest`,
    )
  }
  return lines.map((line) => `${line}\n`).join("")
}

/** A snapshot that a session names, and when. */
interface Named {
  at: string
  id: SnapshotId
}

/** No report if no session of this directory has snapshots. */
async function collect(
  cli: Cli,
  unopened: readonly Named[],
  { dryRun, dropOldest }: { dryRun: boolean; dropOldest: boolean },
): Promise<{ snapshots: GcReport | undefined; budget: number }> {
  const { budget } = readWorkspaceSettings(readConfig(configFile(cli.home))).settings
  let snapshots: GcReport | undefined
  for (const { store, session, keep } of await storesHere(cli)) {
    const workspace = await openWorkspace(cli, cli.cwd, session, store)
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
async function storesHere(cli: Cli): Promise<StoreHere[]> {
  const found = new Map<string, { session: SessionId | undefined; keep: Named[] }>()
  const stores = new Map<string, string>()
  const own = (folder: string): string => {
    const store = stores.get(folder) ?? storeOf(cli.home, folder) ?? ""
    stores.set(folder, store)
    return store
  }
  const all = (await cli.store.list()).map(({ id, cwd }) => ({ id, folder: realFolder(cwd) }))
  const here = all.filter(({ folder }) => folder === cli.cwd)
  for (const { id, folder } of [...here, ...all.filter(({ folder }) => folder !== cli.cwd)]) {
    const log = await cli.store.open(id)
    await closeOnFailure(log, () => {
      const store = snapshotStoreOf(log.history) ?? own(folder)
      const known = found.get(store) ?? { session: undefined, keep: [] }
      if (folder === cli.cwd) found.set(store, known)
      if (!found.has(store)) return
      if (folder === cli.cwd && log.history.last(KIND.snapshot) !== NONE) known.session = id
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
function namedByUnopened(cli: Cli, listed: readonly SessionSummary[]): Named[] {
  const opened = new Set<string>(listed.map(({ id }) => id))
  const others = allSessionFiles(sessionsFolder(cli.home)).filter(({ id }) => !opened.has(id))
  const besideOthers = allSessionFiles(ourLogsFolder(cli.home))
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
