// retcon gc: empties the trash, and gives up snapshots and blobs that nothing names.
import { realpathSync, statSync } from "node:fs"
import { join } from "node:path"
import { chain } from "../../history/labels.ts"
import { NONE } from "../../history/tree.ts"
import type { SessionId } from "../../model/id.ts"
import { KIND } from "../../model/kind.ts"
import { bytes, count } from "../../model/text/amounts.ts"
import { accessTo } from "../../model/version.ts"
import { directorySlug, sessionsFolder } from "../../store/file/layout.ts"
import { allSessionFiles } from "../../store/file/names.ts"
import { emptyTrash, namedSnapshots, sweepBlobs, sweepDerived } from "../../store/file/sweep.ts"
import type { SessionLog, SessionSummary } from "../../store/port.ts"
import { type GcReport, parseSnapshotId, type SnapshotId } from "../../workspace/port.ts"
import type { Cli } from "../cli.ts"
import { readConfig } from "../config-file.ts"
import { configFile } from "../home.ts"
import { printJson } from "../print-json.ts"
import { openWorkspace } from "../workspace.ts"
import { readWorkspaceSettings } from "../workspace-settings.ts"

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
  const derived = sweepDerived(cli.home, cli.now(), dryRun)
  const dropOldest = options.dropOldest === true
  const { snapshots, budget } = await collect(cli, unopened, { dryRun, dropOldest })
  if (options.json === true) {
    printJson(cli.out, { dryRun, trash, blobs, indexes: derived, snapshots, budget })
    return
  }
  const would = dryRun ? "Would free" : "Freed"
  cli.out.write(`${would} ${bytes(trash.bytes)} of the trash (${count(trash.files, "file")}).\n`)
  cli.out.write(`${would} ${bytes(blobs.bytes)} of contents that no session here names.\n`)
  if (derived.files > 0)
    cli.out.write(
      `${would} ${bytes(derived.bytes)} of indexes whose session is gone (${count(derived.files, "file")}).\n`,
    )
  cli.out.write(snapshotLines(snapshots, budget, { dryRun, dropOldest }))
}

function snapshotLines(
  report: GcReport | undefined,
  budget: number,
  { dryRun, dropOldest }: { dryRun: boolean; dropOldest: boolean },
): string {
  if (report === undefined) return "There are no snapshots of this directory.\n"
  const { bytesBefore, bytesAfter, dropped, overBudget } = report
  const freed = `${dryRun ? "Would free" : "Freed"} ${bytes(bytesBefore - bytesAfter)} of snapshots`
  const lines = [`${freed}; ${bytes(bytesAfter)} stay, of a budget of ${bytes(budget)}.`]
  if (dropped.length > 0) {
    const number = count(dropped.length, "snapshot")
    lines.push(
      dryRun
        ? `Would give up ${number}, the oldest first: files could not be restored to those points any more.`
        : `Gave up ${number}, the oldest first: files can no longer be restored to those points.`,
    )
  }
  if (overBudget > 0) {
    lines.push(
      dropOldest
        ? `That is ${bytes(overBudget)} above the budget: where sessions stand, and what is new, is kept all the same.`
        : `What sessions still name is ${bytes(overBudget)} above the budget. Give up the oldest with: retcon gc --drop-oldest`,
    )
  }
  return lines.map((line) => `${line}\n`).join("")
}

/** A snapshot that a session names, and when it did. */
interface Named {
  at: string
  id: SnapshotId
}

/** No report when no session of this directory has snapshots. */
async function collect(
  cli: Cli,
  unopened: readonly Named[],
  { dryRun, dropOldest }: { dryRun: boolean; dropOldest: boolean },
): Promise<{ snapshots: GcReport | undefined; budget: number }> {
  const keep: Named[] = [...unopened]
  let any: SessionId | undefined
  for (const { id, cwd } of await cli.store.list()) {
    if (!isHere(cli, cwd)) continue
    const log = await cli.store.open(id)
    if (log.history.last(KIND.snapshot) !== NONE) any = id
    for (const oid of named(log)) keep.push(oid)
    // Records of a newer version may name snapshots in ways that are not known here.
    if (accessTo(log.header) !== "full" && log.file !== undefined) keep.push(...mentionedIn(log.file))
    await log.close()
  }
  const { budget } = readWorkspaceSettings(readConfig(configFile(cli.home))).settings
  if (any === undefined) return { snapshots: undefined, budget }
  const workspace = await openWorkspace(cli, cli.cwd, any)
  const newestFirst = keep.sort((a, b) => (a.at < b.at ? 1 : -1)).map(({ id }) => id)
  const snapshots = await workspace.gc({
    keep: [...new Set(newestFirst)],
    dryRun,
    ...(dropOldest ? { drop: "oldest" } : {}),
  })
  await workspace.close()
  return { snapshots, budget }
}

/** A session that a newer version wrote, or that is damaged, still has its snapshots; its folder may be this one. */
function namedByUnopened(cli: Cli, listed: readonly SessionSummary[]): Named[] {
  const opened = new Set<string>(listed.map(({ id }) => id))
  const others = allSessionFiles(sessionsFolder(cli.home)).filter(({ id }) => !opened.has(id))
  return others.flatMap(({ file }) => mentionedIn(file))
}

/** All that could be a snapshot, whatever the record around it. */
function mentionedIn(file: string): Named[] {
  const at = statSync(file, { throwIfNoEntry: false })?.mtime.toISOString() ?? ""
  return at === "" ? [] : [...ids(at, [...namedSnapshots(file)])]
}

/** Also by another name: a session may have been opened through a link. */
function isHere(cli: Cli, cwd: string): boolean {
  if (cwd === cli.cwd) return true
  return statSync(cwd, { throwIfNoEntry: false })?.isDirectory() === true && realpathSync(cwd) === cli.cwd
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
