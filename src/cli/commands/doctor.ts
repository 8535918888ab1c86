// retcon doctor: what is wrong with sessions, what it means, and what to do. It changes nothing.
import { statSync } from "node:fs"
import { join, resolve } from "node:path"
import { unusableConfig } from "../../app/config/config-check.ts"
import { idNamed, isPath, matchId } from "../../app/library/named-session.ts"
import { findingWords } from "../../app/protection/finding-words.ts"
import { examineHooks } from "../../app/protection/hook-problems.ts"
import { examineProtection } from "../../app/protection/protection.ts"
import type { SecretsSource } from "../../app/secrets/session-secrets.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { directorySlug, idInName, sessionsFolder } from "../../store/file/disk/layout.ts"
import { examineFolder, examineRoot, examineSession } from "../../store/file/doctor/examine-folder.ts"
import type { Examined, Tick } from "../../store/file/doctor/finding.ts"
import { sessionFiles, sessionFilesIn } from "../../store/file/folder/names.ts"
import { examineObjects, snapshotStores } from "../../workspace/git/doctor/examine-objects.ts"
import { leftBehind } from "../../workspace/git/doctor/gc.ts"
import { tellConfigProblems } from "../config/config-problems.ts"
import type { Cli } from "../port/cli.ts"
import { EXIT } from "../port/errors.ts"
import { printJsonList } from "../port/print-json.ts"
import { type DoctorTotals, doctorLines, totalLine, totalsOf } from "../render/doctor-lines.ts"
import { page } from "../render/pager.ts"
import { progress } from "../render/progress.ts"
import { styleFor } from "../render/style.ts"
import { type SessionChoice } from "../sessions/select.ts"

export interface DoctorFlags extends SessionChoice {
  all?: boolean
  json?: boolean
  /** Count secrets instead of looking for damage. */
  secrets?: boolean
}

/** Returns 1 if something needs attention. */
export async function run(cli: Cli, options: DoctorFlags): Promise<number> {
  if (options.secrets === true) {
    const { doctorSecrets } = await import("../doctor/doctor-secrets.ts")
    return doctorSecrets(cli, await sourcesOf(cli, options), options.json === true)
  }
  if (options.session !== undefined) {
    const { doctorForeign } = await import("../doctor/foreign-doctor.ts")
    const exit = await doctorForeign(cli, options.session, options.json === true)
    if (exit !== undefined) return exit
  }
  const shown = progress(cli, "Looking")
  let ticks = 0
  const unsafe = options.session === undefined ? await examineProtection(cli, options.all === true) : []
  const examined = [...unsafe, ...(await examine(cli, options, () => shown.tick(1 - 1 / (1 + ticks++ / 100))))]
  shown.done()
  if (options.session === undefined) examined.push(...(await examineOthers(cli, options.all === true)))
  const totals = totalsOf(examined)
  totals.problems += unusableConfig(cli.home, cli.cwd).length
  if (options.json === true) await printJsonList(cli.out, examined.map(jsonExamined))
  else await page(cli, screen(cli, examined, totals))
  tellConfigProblems(cli)
  return totals.problems > 0 ? EXIT.failed : EXIT.done
}

/** One session, those of this directory, or all. */
async function examine(cli: Cli, options: DoctorFlags, tick: Tick): Promise<Examined[]> {
  const root = sessionsFolder(cli.home)
  if (options.session !== undefined) {
    const found = await examineSession(fileOf(cli, options.session), cli.now, tick)
    requireSession(found[0])
    return found.filter(({ lines, findings }, i) => i === 0 || lines > 0 || findings.length > 0)
  }
  const { folders, examined } = examineRoot(root)
  const wanted = options.all === true ? folders : [join(root, directorySlug(cli.cwd))]
  for (const folder of wanted) examined.push(...(await examineFolder(folder, cli.now, tick)))
  examined.push(...examineSnapshots(cli, options.all === true), ...examineLeftBehind(cli))
  return [...examined, ...examineHooks(cli.home, cli.now())]
}

/** If a file is neither named like a session nor begins like one, it is not one: findings about it would mislead. */
function requireSession(examined: Examined | undefined): void {
  const header = examined?.findings.find(({ kind }) => kind === "header-damaged")
  if (examined === undefined || header?.kind !== "header-damaged" || idInName(examined.path) !== undefined) return
  throw new RetconError({ code: "not-a-session", path: examined.path, problem: `line 1: ${header.problem}` })
}

/** The snapshots of this directory's files, or of all: each part that exists but cannot be used. */
function examineSnapshots(cli: Cli, all: boolean): Examined[] {
  return snapshotStores(cli.home)
    .filter(({ root }) => all || root === cli.cwd)
    .flatMap(({ folder }) => examineObjects(folder))
    .map(({ path, problem }) => ({ path, lines: 0, findings: [{ kind: "object-damaged", problem }] }))
}

/** Of any directory: it takes up space for all. */
function examineLeftBehind(cli: Cli): Examined[] {
  return leftBehind(cli.home, cli.now()).map(({ file, bytes }) => ({
    path: file,
    lines: 0,
    findings: [{ kind: "left-behind", bytes }],
  }))
}

/** The sessions of other agents in this directory; or all, and what those agents are about to remove. */
async function examineOthers(cli: Cli, all: boolean): Promise<Examined[]> {
  const { examineForeign } = await import("../../app/library/examine-foreign.ts")
  const shown = progress(cli, "Checking other agents' sessions")
  const examined = await examineForeign(cli, all ? {} : { cwd: cli.cwd }, (share) => shown.tick(share))
  shown.done()
  return all ? [...examined, ...(await examineKeptCleanUps(cli))] : examined
}

/** What is copied here: good to know. The others come first. */
async function examineKeptCleanUps(cli: Cli): Promise<Examined[]> {
  const found = (await cli.store.foreign.cleanUps(cli.cwd)).filter(({ notKept }) => notKept === 0)
  return found.map(({ folder, ...cleanUp }) => ({
    path: folder,
    lines: 0,
    findings: [{ kind: "clean-up", ...cleanUp }],
  }))
}

/** One session, those of this directory, or all: ours, and those of other agents. */
async function sourcesOf(cli: Cli, { session, all }: DoctorFlags): Promise<SecretsSource[]> {
  if (session !== undefined) return [await sourceNamed(cli, session)]
  const root = sessionsFolder(cli.home)
  const files = all === true ? sessionFiles(root) : sessionFilesIn(join(root, directorySlug(cli.cwd)))
  const theirs = await cli.store.foreign.list(all === true ? {} : { cwd: cli.cwd })
  return [
    ...files.map(({ file }) => ownSource(cli, file)),
    ...theirs.map((each) => ({
      file: each.file ?? "",
      id: each.id,
      open: async () => (await cli.store.foreign.unread(each)).log(),
    })),
  ]
}

async function sourceNamed(cli: Cli, name: string): Promise<SecretsSource> {
  const id = isPath(name) ? undefined : await idNamed(cli, name)
  if (id === undefined || cli.store.fileOf(id) !== undefined) return ownSource(cli, fileOf(cli, name))
  const found = await cli.store.foreign.find(id)
  return { file: found?.place.path ?? "", id, open: () => cli.store.foreign.open(id) }
}

function ownSource(cli: Cli, file: string): SecretsSource {
  return { file, id: idInName(file) ?? null, open: () => cli.store.openFile(file) }
}

/** Contract: works even for a session that cannot be opened. */
function fileOf(cli: Cli, name: string): string {
  if (isPath(name)) {
    const path = resolve(cli.cwd, name)
    if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return path
    throw new RetconError({ code: "not-a-session", path, problem: "it is a folder" })
  }
  const files = sessionFiles(sessionsFolder(cli.home))
  const id = matchId(
    files.map((each) => each.id),
    name,
  )
  const file = files.find((each) => each.id === id)?.file
  if (file === undefined) throw new RetconError({ code: "not-found", what: "session", name })
  return file
}

function* screen(cli: Cli, examined: readonly Examined[], totals: DoctorTotals): Generator<string> {
  const style = styleFor(cli.out)
  yield* doctorLines(examined, cli.out.width, style)
  yield totalLine(totals, style)
}

/** Contract (docs/cli.md). */
function jsonExamined({ path, session, lines, findings }: Examined): object {
  const found = findings.map((finding) => {
    const { severity, what, means, advice } = findingWords(finding, path)
    return { severity, ...finding, what, means, advice }
  })
  return { file: path, session: session ?? idInName(path) ?? null, lines, findings: found }
}
