// What is wrong with sessions, and what is no longer safe. It changes nothing.
import { statSync } from "node:fs"
import { join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { ExamineAnswer, ExamineRequest, Job, SecretsAnswer, SessionAt } from "../../protocol/library.ts"
import { directorySlug, idInName, sessionsFolder } from "../../store/file/disk/layout.ts"
import { examineFolder, examineRoot, examineSession } from "../../store/file/doctor/examine-folder.ts"
import type { Examined } from "../../store/file/doctor/finding.ts"
import { sessionFiles, sessionFilesIn } from "../../store/file/folder/names.ts"
import { examineObjects, snapshotStores } from "../../workspace/git/doctor/examine-objects.ts"
import { leftBehind } from "../../workspace/git/doctor/gc.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { withWords } from "../protection/finding-words.ts"
import { examineHooks } from "../protection/hook-problems.ts"
import { examineProtection } from "../protection/protection.ts"
import { countKinds, type SecretsSource, secretsIn } from "../secrets/session-secrets.ts"
import { examineForeign } from "./examine-foreign.ts"

export async function examine(
  deps: AppDeps,
  request: ExamineRequest,
  { tick, signal }: Job = {},
): Promise<ExamineAnswer> {
  async function ticked(share: number): Promise<void> {
    await tick?.(share)
    signal?.throwIfAborted()
  }
  const { session, cwd } = request
  const examined = await (session === undefined ? everything(deps, cwd, ticked) : one(deps, session, ticked))
  return {
    examined: examined.map(({ path, session: id, lines, findings }) => ({
      file: path,
      session: id ?? idInName(path) ?? null,
      lines,
      findings: findings.map((finding) => withWords(finding, path)),
    })),
  }
}

type Ticked = (share: number) => Promise<void>

/** One of ours. Contract: works even if it cannot be opened. */
async function one(deps: AppDeps, session: SessionAt, ticked: Ticked): Promise<Examined[]> {
  const found = await examineSession(fileOf(deps, session), deps.now, () => ticked(0))
  requireSession(found[0])
  return found.filter(({ lines, findings }, i) => i === 0 || lines > 0 || findings.length > 0)
}

/** Of a directory, or of all. */
async function everything(given: AppDeps, cwd: string | undefined, ticked: Ticked): Promise<Examined[]> {
  const deps = cwd === undefined ? given : { ...given, cwd }
  const unsafe = await examineProtection(deps, cwd === undefined)
  const root = sessionsFolder(deps.home)
  const { folders, examined } = examineRoot(root)
  let ticks = 0
  // How much there is to read is not known before.
  const tick = () => ticked(0.5 - 0.5 / (1 + ticks++ / 100))
  for (const folder of cwd === undefined ? folders : [join(root, directorySlug(cwd))])
    examined.push(...(await examineFolder(folder, deps.now, tick)))
  examined.push(...examineSnapshots(deps, cwd), ...examineLeftBehind(deps), ...examineHooks(deps.home, deps.now()))
  const theirs = await examineForeign(deps, cwd === undefined ? {} : { cwd }, (share) => ticked(0.5 + share / 2))
  return [...unsafe, ...examined, ...theirs, ...(cwd === undefined ? await examineKeptCleanUps(deps) : [])]
}

/** If a file is neither named like a session nor begins like one, it is not one: findings about it would mislead. */
function requireSession(examined: Examined | undefined): void {
  const header = examined?.findings.find(({ kind }) => kind === "header-damaged")
  if (examined === undefined || header?.kind !== "header-damaged" || idInName(examined.path) !== undefined) return
  throw new RetconError({ code: "not-a-session", path: examined.path, problem: `line 1: ${header.problem}` })
}

/** The snapshots of this directory's files, or of all: each part that exists but cannot be used. */
function examineSnapshots(deps: AppDeps, cwd: string | undefined): Examined[] {
  return snapshotStores(deps.home)
    .filter(({ root }) => cwd === undefined || root === cwd)
    .flatMap(({ folder }) => examineObjects(folder))
    .map(({ path, problem }) => ({ path, lines: 0, findings: [{ kind: "object-damaged", problem }] }))
}

/** Of any directory: it takes up space for all. */
function examineLeftBehind(deps: AppDeps): Examined[] {
  return leftBehind(deps.home, deps.now()).map(({ file, bytes }) => ({
    path: file,
    lines: 0,
    findings: [{ kind: "left-behind", bytes }],
  }))
}

/** What is copied here: good to know. The others come first. */
async function examineKeptCleanUps(deps: AppDeps): Promise<Examined[]> {
  const found = (await deps.store.foreign.cleanUps(deps.cwd)).filter(({ notKept }) => notKept === 0)
  return found.map(({ folder, ...cleanUp }) => ({
    path: folder,
    lines: 0,
    findings: [{ kind: "clean-up", ...cleanUp }],
  }))
}

function fileOf(deps: AppDeps, session: SessionAt): string {
  if (typeof session === "string") {
    const file = sessionFiles(sessionsFolder(deps.home)).find(({ id }) => id === session)?.file
    if (file !== undefined) return file
    throw new RetconError({ code: "not-found", what: "session", name: session })
  }
  const { path } = session
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) return path
  throw new RetconError({ code: "not-a-session", path, problem: "it is a folder" })
}

export async function secrets(
  deps: AppDeps,
  request: ExamineRequest,
  { tick, signal }: Job = {},
): Promise<SecretsAnswer> {
  const sources = await sourcesOf(deps, request)
  const sessions: SecretsAnswer["sessions"] = []
  const values = new Set<string>()
  for (const [index, source] of sources.entries()) {
    const { file, id, found, problem } = await secretsIn(deps, source)
    for (const value of found.keys()) values.add(value)
    sessions.push({ file, session: id, secrets: countKinds(found), ...(problem !== undefined && { problem }) })
    await tick?.((index + 1) / sources.length)
    signal?.throwIfAborted()
  }
  return { sessions, secrets: values.size }
}

async function sourcesOf(deps: AppDeps, { session, cwd }: ExamineRequest): Promise<SecretsSource[]> {
  const { foreign } = deps.store
  if (typeof session === "string" && deps.store.fileOf(session) === undefined) {
    const found = await foreign.find(session)
    return [{ file: found?.place.path ?? "", id: session, open: () => foreign.open(session) }]
  }
  const ours = (file: string) => ({ file, id: idInName(file) ?? null, open: () => deps.store.openFile(file) })
  if (session !== undefined) return [ours(fileOf(deps, session))]
  const root = sessionsFolder(deps.home)
  const files = cwd === undefined ? sessionFiles(root) : sessionFilesIn(join(root, directorySlug(cwd)))
  const theirs = await foreign.list(cwd === undefined ? {} : { cwd })
  return [
    ...files.map(({ file }) => ours(file)),
    ...theirs.map((each) => ({
      file: each.file ?? "",
      id: each.id,
      open: async () => (await foreign.unread(each)).log(),
    })),
  ]
}
