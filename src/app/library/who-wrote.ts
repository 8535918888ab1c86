// Who wrote each line of a file: the sessions of every agent in the folders that contain it are asked. Snapshots say it for certain;
// where a session has none, its calls that name the file have the text that they wrote.
import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from "node:fs"
import { basename, dirname, relative, resolve, sep } from "node:path"
import { ourLogFile } from "../../foreign/log/our-paths.ts"
import { AGENTS } from "../../formats/all/formats.ts"
import type { SaidChange } from "../../history/files/said-calls.ts"
import { roundCovered, uncoveredRounds } from "../../history/files/uncovered-rounds.ts"
import { openCalls } from "../../history/files/unended.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { chain, type History, NONE } from "../../history/tree/tree.ts"
import { closeOnFailure } from "../../model/close-on-failure.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import { isObject, type Json } from "../../model/json.ts"
import { entryText } from "../../model/record/entry-text.ts"
import { KIND } from "../../model/record/record.ts"
import type { BlameAnswer, BlameRequest, Job } from "../../protocol/library.ts"
import { blameWritten, type WrittenBytes, writtenIn } from "../../session/files/blame.ts"
import { attemptRead } from "../../store/file/disk/problems.ts"
import { readInto } from "../../store/file/disk/read-at.ts"
import { newestFirst } from "../../store/log-summary.ts"
import type { SessionLog, SessionSummary } from "../../store/port.ts"
import { loadAgentCopies } from "../open/load-agent-copies.ts"
import { withFilesOf } from "../open/with-files.ts"
import { linkedPath, workspacePath } from "../open/workspace-path.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { openPlace } from "./named-session.ts"
import { isEmpty, isTask } from "./session-kinds.ts"

interface Writer {
  session: SessionSummary
  prompt: EntryId
  /** What the person asked. */
  text: string
  known: "snapshots" | "call"
}

interface WrittenLine {
  line: number
  text: string
  by: Writer | undefined
}

export async function blame(
  deps: AppDeps,
  { file: typed, session }: BlameRequest,
  job: Job = {},
): Promise<BlameAnswer> {
  if (session === undefined) return whoWrote(deps, fileAt(typed, linkedPath(resolve(deps.cwd, typed))), job)
  const only = await openPlace(deps.store, session)
  return closeOnFailure(only, () => {
    const file = fileAt(typed, resolve(directoryOf(only), workspacePath(deps, only, typed)))
    return whoWrote(deps, file, job, only)
  })
}

function fileAt(typed: string, file: string): string {
  if (statSync(file, { throwIfNoEntry: false })?.isDirectory() !== true) return file
  throw new RetconError({ code: "invalid", problem: `${typed} is a folder.`, advice: "Name a file in it." })
}

/** Contract: closes the log. */
async function whoWrote(deps: AppDeps, file: string, job: Job, only?: SessionLog): Promise<BlameAnswer> {
  const now = contentOf(file)
  const found: Found = { written: [], texts: new Map(), unwatched: [] }
  if (only !== undefined) await add(deps, found, file, summaryOf(only), only)
  else await addAll(deps, found, file, job)
  const lines = withoutGaps(
    blameWritten(found.written, now).map(({ line, text, by }) => {
      return { line, text, by: by?.writer ?? found.texts.get(text.trim()) }
    }),
  )
  const writers = new Map(lines.flatMap(({ by }) => (by === undefined ? [] : [[by.session.id, by.session] as const])))
  return {
    lines: lines.map(({ line, text, by }) => {
      const { prompt = null, text: asked = null, known = null, session } = by ?? {}
      const agent = session === undefined ? null : (session.agent ?? "retcon")
      return { line, text, prompt, asked, session: session?.id ?? null, agent, known }
    }),
    sessions: [...writers.values()].map(({ id, agent = "retcon", title, cwd }) => ({ session: id, agent, title, cwd })),
    unwatched: found.unwatched.map(({ session: { id, agent = "retcon" }, partly }) => ({ session: id, agent, partly })),
  }
}

interface Found {
  written: (WrittenBytes & { writer: Writer | undefined })[]
  /** By line, without the space around it: the last call that has it. */
  texts: Map<string, Writer>
  /** `partly`: snapshots show its other calls. */
  unwatched: { session: SessionSummary; partly: boolean }[]
}

/** Contract: a file that is a link, or no regular file, has no lines of its own. */
function contentOf(file: string): Buffer {
  return attemptRead(file, () => {
    try {
      const fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
      try {
        if (fstatSync(fd).isFile()) return readFileSync(fd)
      } finally {
        closeSync(fd)
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT" && (error as NodeJS.ErrnoException).code !== "ENOTDIR")
        throw error
    }
    throw new RetconError({ code: "not-found", what: "file", name: file })
  })
}

async function addAll(deps: AppDeps, found: Found, file: string, { tick, signal }: Job): Promise<void> {
  const sessions = await sessionsAround(deps, file)
  if (sessions.length === 0) throw new RetconError({ code: "no-session", cwd: dirname(file), found: [] })
  const bytes = sessions.reduce((sum, session) => sum + session.bytes, 1)
  let done = 0
  // Oldest first: what was written last counts.
  for (const session of sessions.reverse()) {
    await tick?.(done / bytes)
    signal?.throwIfAborted()
    done += session.bytes
    if (!(await mentions(deps, session, basename(file)))) {
      if (!isWatched(deps, session)) found.unwatched.push({ session, partly: false })
      continue
    }
    const { file: at, id, agent } = session
    const log = await (at === undefined || agent !== undefined ? deps.store.open(id) : deps.store.openFile(at))
    await add(deps, found, file, session, log)
  }
}

/** In any folder that contains the file. A sub-agent's changes are in the snapshots of the call that gave it its task. */
async function sessionsAround(deps: AppDeps, file: string): Promise<SessionSummary[]> {
  const folders: string[] = []
  for (let at = dirname(file); folders.at(-1) !== at; at = dirname(at)) folders.push(at)
  const ours: SessionSummary[] = []
  for (const cwd of folders) ours.push(...(await deps.store.list({ cwd })))
  const all = [...ours, ...(await deps.store.foreign.list({ cwd: folders }))]
  return all.filter((session) => !isTask(session) && !isEmpty(session)).sort(newestFirst)
}

/** Whether another agent's session has snapshots of ours around its calls. Those of retcon's own sessions always do, if files are covered. */
function isWatched(deps: AppDeps, { agent, id }: SessionSummary): boolean {
  const name = AGENTS.find((each) => each === agent)
  return name === undefined || fileHas(ourLogFile(deps.home, name, id), ['"hook":{', '"call":"'])
}

/** Checkpoints are snapshots that show nothing of who wrote a line. */
function coversCalls({ agent, history }: SessionLog): boolean {
  if (agent === undefined) return history.last(KIND.snapshot) !== NONE
  for (const row of chain(history, KIND.snapshot)) if (roundCovered(history, row) !== undefined) return true
  return false
}

/** Contract: closes the log. */
async function add(deps: AppDeps, found: Found, file: string, session: SessionSummary, log: SessionLog): Promise<void> {
  const { history } = log
  const path = relative(directoryOf(log), file).split(sep).join("/")
  const partly = coversCalls(log)
  await closeOnFailure(log, async () => {
    const unseen = unseenCalls(history)
    if (unseen.size === 0) return
    found.unwatched.push({ session, partly })
    addTexts(found.texts, history, path, session, unseen)
    await addTold(found.texts, log, path, session)
  })
  if (!partly) return log.close()
  await withFilesOf(deps, log, async ({ files: { workspace } }) => {
    if (workspace === undefined || workspace.unavailable !== undefined) return
    for (const each of await writtenIn(history, workspace, path))
      found.written.push({ ...each, writer: each.prompt === null ? undefined : writer(history, session, each.prompt) })
  })
}

/** The ids of calls that may have changed files, without snapshots before and after. */
function unseenCalls(history: History): Set<string> {
  const rounds = uncoveredRounds(history, { since: 0, from: history.head, to: history.head })
  const open = openCalls(history).map(({ record }) => record.call ?? "")
  return new Set([...rounds.flatMap(({ calls }) => [...calls.keys()]), ...open])
}

function writer(history: History, session: SessionSummary, prompt: EntryId, known: Writer["known"] = "snapshots") {
  const record = history.record(history.rowOf(prompt))
  return { session, prompt, text: (record && entryText(record)) ?? "", known }
}

/** What looks, but does not write: its input may contain a line that it searches for. */
const LOOKS = /read|grep|glob|search|view|list|find|fetch/i

function addTexts(
  texts: Map<string, Writer>,
  history: History,
  path: string,
  session: SessionSummary,
  unseen: ReadonlySet<string>,
): void {
  const name = basename(path)
  for (let row = 0; row < history.size; row++) {
    if (history.kind(row) !== KIND.message) continue
    const record = history.record(row)
    const prompt = history.prompt(row)
    if (record?.type !== "message" || prompt === NONE || prompt >= history.size) continue
    for (const part of record.content) {
      if (part.type !== "tool-call" || !unseen.has(part.call) || LOOKS.test(part.name)) continue
      const all = [...textsIn(part.input)]
      if (!all.some((text) => text.includes(name))) continue
      const by = writer(history, session, history.id(prompt) as EntryId, "call")
      for (const line of all.flatMap(newLines)) texts.set(line, by)
    }
  }
}

/** The whole lines that changed, where the agent's own files tell them: a call's input may have only a part of each. */
async function addTold(
  texts: Map<string, Writer>,
  log: SessionLog,
  path: string,
  session: SessionSummary,
): Promise<void> {
  const { history } = log
  for (const { row, files } of (await loadAgentCopies(log))?.calls(0) ?? []) {
    const prompt = row < history.size ? history.prompt(row) : NONE
    if (prompt === NONE || prompt >= history.size) continue
    for (const { path: changed, change } of files) {
      if (changed !== path || change === undefined) continue
      const by = writer(history, session, history.id(prompt) as EntryId, "call")
      for (const line of addedBy(change).flatMap(newLines)) texts.set(line, by)
    }
  }
}

function addedBy(change: SaidChange): string[] {
  if ("hunks" in change)
    return change.hunks.flatMap(({ lines }) =>
      lines.filter((line) => line.startsWith("+")).map((line) => line.slice(1)),
    )
  if (!("after" in change)) return []
  const old = new Set(change.before?.split("\n"))
  return (change.after ?? "").split("\n").filter((line) => !old.has(line))
}

/** Every text in a call's input, except what it says was there before. */
function* textsIn(input: Json, key = ""): Generator<string> {
  if (/^old/i.test(key)) return
  if (typeof input === "string") yield input
  else if (Array.isArray(input)) for (const each of input) yield* textsIn(each)
  else if (isObject(input)) for (const [name, value] of Object.entries(input)) yield* textsIn(value, name)
}

/** The lines that a text would write; of a patch, those that it adds. A line without a letter or digit says nothing. */
function newLines(text: string): string[] {
  const lines = text.split("\n")
  const added = /^\*\*\* Begin Patch|^--- .*\n\+\+\+ |^@@ /m.test(text)
    ? lines.filter((line) => line.startsWith("+")).map((line) => line.slice(1))
    : lines
  return added.map((line) => line.trim()).filter((line) => /[\p{L}\p{N}]/u.test(line))
}

/** A line that says nothing, between two that the same prompt wrote, is that prompt's too. */
function withoutGaps(lines: readonly WrittenLine[]): WrittenLine[] {
  const next: (Writer | undefined)[] = []
  for (let i = lines.length - 1, after: Writer | undefined; i >= 0; i--) {
    const line = lines[i]
    if (line !== undefined && (line.by !== undefined || /[\p{L}\p{N}]/u.test(line.text))) after = line.by
    next[i] = after
  }
  let before: Writer | undefined
  return lines.map((line, i) => {
    const says = /[\p{L}\p{N}]/u.test(line.text)
    if (line.by !== undefined || says) before = line.by
    else if (before?.known === "call" && before.prompt === next[i]?.prompt) return { ...line, by: before }
    return line
  })
}

async function mentions(deps: AppDeps, session: SessionSummary, name: string): Promise<boolean> {
  const plain = JSON.stringify(name).slice(1, -1)
  const ascii = plain.replaceAll(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
  const names = plain === ascii ? [plain] : [plain, ascii]
  const agent = AGENTS.find((each) => each === session.agent)
  if (agent === undefined) return session.file === undefined || fileHas(session.file, names)
  if (fileHas(ourLogFile(deps.home, agent, session.id), names)) return true
  const files = (await deps.store.foreign.unread(session)).files()
  return files.some(({ file, load }) => load !== undefined || fileHas(file, names))
}

const CHUNK = 1024 * 1024

/** Whether a file has one of these texts; false if it cannot be read. */
export function fileHas(file: string, texts: readonly string[]): boolean {
  const wanted = texts.map((text) => Buffer.from(text))
  const longest = Math.max(...wanted.map(({ length }) => length))
  let fd: number
  try {
    fd = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch {
    return false
  }
  try {
    const buffer = Buffer.allocUnsafe(CHUNK)
    for (let at = 0; ; at += CHUNK - longest) {
      const bytes = buffer.subarray(0, readInto(fd, buffer, CHUNK, at))
      if (wanted.some((each) => bytes.includes(each))) return true
      if (bytes.length < CHUNK) return false
    }
  } finally {
    closeSync(fd)
  }
}

/** Of a session that was named. */
function summaryOf(log: SessionLog): SessionSummary {
  const { id, agent } = log
  const cwd = directoryOf(log)
  const shown = { title: "", prompts: null, branches: null, updated: "", archived: false, bytes: 0 }
  return { id, cwd, ...shown, ...(agent !== undefined && { agent }) } as SessionSummary
}
