// Who wrote a line, or made a commit, and what they were asked: as far as it is recorded, said in a session, or likely.
import { realpathSync } from "node:fs"
import { resolve } from "node:path"
import { ourLogFile } from "../../foreign/log/our-paths.ts"
import { AGENTS } from "../../formats/all/formats.ts"
import { roundCommits } from "../../history/files/round-commits.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import { entryText } from "../../model/record/entry-text.ts"
import { KIND } from "../../model/record/record.ts"
import { count } from "../../model/text/amounts.ts"
import { oneLine } from "../../model/text/one-line.ts"
import type { Job, WhyAnswer, WhyRequest, WhyWriter } from "../../protocol/library.ts"
import { orNothing } from "../../store/file/disk/problems.ts"
import type { SessionLog, SessionSummary } from "../../store/port.ts"
import {
  type CommitFacts,
  commitChanges,
  commitNamed,
  isBetween,
  lineOrigin,
} from "../../workspace/git/project/line-origin.ts"
import { editsInLog } from "../digest/edits-in-log.ts"
import { openOnDisk } from "../digest/on-disk.ts"
import { sessionEdits } from "../digest/session-edits.ts"
import { loadAgentCopies } from "../open/load-agent-copies.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { isIn } from "./edits.ts"
import { blame, fileHas } from "./who-wrote.ts"

const OURS = "retcon"
const LONGEST_ASKED = 200
const DAY = 24 * 60 * 60 * 1000

/** Contract: `recorded` only where snapshots or an agent's own notes show it. Throws `not-found`, `invalid`. */
export async function why(deps: AppDeps, request: WhyRequest, job: Job = {}): Promise<WhyAnswer> {
  const { file, line, commit, cwd = deps.cwd } = request
  if (file !== undefined && line !== undefined) return whyLine(deps, { file: resolve(cwd, file), line }, job)
  if (commit === undefined || file !== undefined) {
    const advice = "Name a line, such as src/cart.ts:12, or a commit."
    throw new RetconError({ code: "invalid", problem: "There is nothing to ask about.", advice })
  }
  const facts = commitNamed(cwd, commit)
  if (facts === undefined) throw new RetconError({ code: "not-found", what: "commit", name: commit })
  return { line: null, commit: facts, writers: await whyCommit(deps, facts, job) }
}

async function whyLine(deps: AppDeps, at: { file: string; line: number }, job: Job): Promise<WhyAnswer> {
  const answer = await blame(deps, { file: at.file }, job)
  const blamed = answer.lines[at.line - 1]
  if (blamed === undefined) {
    const problem = `${at.file} has only ${count(answer.lines.length, "line")}.`
    throw new RetconError({ code: "invalid", problem, advice: "Name one of them." })
  }
  const text = blamed.text.replace(/\r?\n$/, "")
  const line = { ...at, text }
  const { prompt, session, asked, known } = blamed
  const commit = /[\p{L}\p{N}]/u.test(text) ? (lineOrigin(realFile(at.file), text) ?? null) : null
  if (prompt !== null && session !== null) {
    const { agent = OURS, title = "", cwd = "" } = answer.sessions.find((each) => each.session === session) ?? {}
    const recorded = known === "snapshots"
    const because = recorded
      ? "snapshots before and after the call show it"
      : "a call that names the file has this line"
    const shown = {
      session,
      agent,
      title,
      project: cwd,
      prompt,
      entry: prompt,
      asked: oneLine(asked ?? "", LONGEST_ASKED),
    }
    return { line, commit, writers: [{ grade: recorded ? "recorded" : "said", because, at: null, ...shown }] }
  }
  return { line, commit, writers: commit === null ? [] : await whyCommit(deps, commit, job, text) }
}

function realFile(file: string): string {
  return orNothing(() => realpathSync(file)) ?? file
}

/** The best grade that there is, the most certain first. `line`: only those who wrote it, if its writers are only likely. */
async function whyCommit(deps: AppDeps, facts: CommitFacts, job: Job, line?: string): Promise<WhyWriter[]> {
  const listed = await deps.store.list({ agents: "all" })
  const made = Date.parse(facts.at)
  const near = listed.filter(({ cwd, updated }) => {
    return cwd !== "" && (isIn(facts.top, cwd) || isIn(cwd, facts.top)) && Date.parse(updated) >= made - 1000
  })
  const [recorded, said]: [WhyWriter[], WhyWriter[]] = [[], []]
  for (const [done, session] of near.entries()) {
    await job.tick?.(done / (near.length + 1))
    job.signal?.throwIfAborted()
    const names = await namesCommit(deps, session, facts.commit)
    if (!names) continue
    const log = await orUndefined(openOnDisk(deps, session))
    if (log === undefined) continue
    try {
      const [first] = await recordedIn(log, facts)
      if (first !== undefined) recorded.push(writerAt(log, session, first, RECORDED))
      else said.push(...saidIn(log, session, facts))
    } finally {
      await log.close()
    }
  }
  if (recorded.length > 0) return once(recorded)
  if (said.length > 0) return once(said)
  return likely(deps, facts, job, line)
}

/** A copy of a session has the same prompts. */
function once(writers: readonly WhyWriter[]): WhyWriter[] {
  const first = new Map<string, WhyWriter>()
  for (const each of writers) if (!first.has(each.prompt ?? each.session)) first.set(each.prompt ?? each.session, each)
  return [...first.values()]
}

async function orUndefined<Value>(work: Promise<Value>): Promise<Value | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof RetconError) return undefined
    throw error
  }
}

const SHORTEST_NAME = 7

/** Whether its files have the commit's id, or the short form that git prints. */
async function namesCommit(deps: AppDeps, session: SessionSummary, commit: string): Promise<boolean> {
  const names = [commit.slice(0, SHORTEST_NAME)]
  const agent = AGENTS.find((each) => each === session.agent)
  if (agent === undefined) return session.file === undefined || fileHas(session.file, names)
  if (fileHas(ourLogFile(deps.home, agent, session.id), names)) return true
  const unread = await orUndefined(deps.store.foreign.unread(session))
  return unread?.files().some(({ file, load }) => load !== undefined || fileHas(file, names)) ?? false
}

const RECORDED = { grade: "recorded", because: "the repository came to this commit in that round" } as const

/** The prompts in whose rounds the repository came to the commit. */
async function recordedIn(log: SessionLog, { commit, top }: CommitFacts): Promise<Row[]> {
  const { history } = log
  const folder = directoryOf(log)
  const isThis = (path: string) =>
    realFile(resolve(folder, path)) === realFile(top) || (path === "" && isIn(top, folder))
  const found: Row[] = []
  for (const [prompt, repositories] of roundCommits(history, NONE)) {
    const came = repositories.some(
      ({ path, before, after }) =>
        after !== null && isThis(path) && isBetween(top, commit, { from: before, to: after }),
    )
    if (came) found.push(history.rowOf(prompt))
  }
  for (const { prompt, from, to } of (await loadAgentCopies(log))?.commits?.(NONE) ?? [])
    if (isBetween(top, commit, { from, to })) found.push(prompt)
  return found.filter((row) => row !== NONE)
}

/** `git commit` answers `[main 1a2b3c4] The subject`. */
function saidIn(log: SessionLog, session: SessionSummary, { commit }: CommitFacts): WhyWriter[] {
  const { history } = log
  for (let row = 0; row < history.size; row++) {
    const record = history.kind(row) === KIND.message ? history.record(row) : undefined
    if (record?.type !== "message") continue
    for (const part of record.content) {
      if (part.type !== "tool-result") continue
      const short = /\[[^\]\n]* ([0-9a-f]{7,64})\]/.exec(part.output)?.[1]
      if (short === undefined || !commit.startsWith(short)) continue
      return [writerAt(log, session, row, { grade: "said", because: "git answered with this commit in that round" })]
    }
  }
  return []
}

function writerAt(
  { history }: SessionLog,
  session: SessionSummary,
  row: Row,
  graded: Pick<WhyWriter, "grade" | "because">,
): WhyWriter {
  const prompt = history.isPrompt(row) ? row : history.prompt(row)
  const asked = prompt === NONE ? undefined : history.record(prompt)
  const { id, agent = OURS, title, cwd } = session
  return {
    ...graded,
    at: history.record(row)?.at ?? null,
    session: id,
    agent,
    title,
    project: cwd,
    prompt: prompt === NONE ? null : (history.id(prompt) as EntryId),
    entry: history.id(row) as EntryId,
    asked: oneLine((asked && entryText(asked)) ?? "", LONGEST_ASKED),
  }
}

const MOST_DAYS = 30
const MOST_SESSIONS = 20
const MOST_WRITERS = 5
/** Less may be chance: a line that many files have. */
const LEAST_SHARE = 0.1

/** Edits of the commit's files before it was made, whose lines it has. */
async function likely(deps: AppDeps, facts: CommitFacts, job: Job, line?: string): Promise<WhyWriter[]> {
  const made = Date.parse(facts.at)
  const files = new Map(commitChanges(facts).map(({ path, added }) => [path, new Set(added.filter(saysSomething))]))
  const total = [...files.values()].reduce((sum, { size }) => sum + size, 0)
  if (total === 0) return []
  const near = (session: SessionSummary) =>
    Date.parse(session.updated) >= made - MOST_DAYS * DAY &&
    session.cwd !== "" &&
    (isIn(facts.top, session.cwd) || isIn(session.cwd, facts.top))
  const limit = new Date(made + 1000).toISOString()
  const sessions = (await sessionEdits(deps, near, job))
    .map(({ session, edits }) => {
      return { session, hits: edits.filter(({ path, at }) => files.has(realFile(path)) && at <= limit).length }
    })
    .filter(({ hits }) => hits > 0)
    .sort((a, b) => b.hits - a.hits)
    .slice(0, MOST_SESSIONS)
  const writers = new Map<string, { writer: WhyWriter; lines: Set<string>; wrote: boolean }>()
  for (const { session } of sessions) {
    const log = await orUndefined(openOnDisk(deps, session))
    if (log === undefined) continue
    try {
      for (const { edit, diff } of await editsInLog(log)) {
        const added = files.get(realFile(edit.path))
        if (added === undefined || edit.at > limit) continue
        const own = diff.split("\n").flatMap((each) => (each.startsWith("+") ? [each.slice(1).replace(/\r$/, "")] : []))
        const key = edit.prompt ?? `${session.id} ${edit.entry}`
        const known = writers.get(key) ?? { writer: likelyWriter(session, edit), lines: new Set(), wrote: false }
        for (const each of own) if (added.has(each)) known.lines.add(`${edit.path}\n${each}`)
        known.wrote ||= line !== undefined && own.includes(line)
        writers.set(key, known)
      }
    } finally {
      await log.close()
    }
  }
  return [...writers.values()]
    .filter(({ lines, wrote }) => (line === undefined ? lines.size / total >= LEAST_SHARE : wrote))
    .sort((a, b) => b.lines.size - a.lines.size)
    .slice(0, MOST_WRITERS)
    .map(({ writer, lines }) => ({
      ...writer,
      because: `its edits before the commit have ${lines.size} of the ${count(total, "line")} that it added`,
    }))
}

function saysSomething(line: string): boolean {
  return /[\p{L}\p{N}]/u.test(line)
}

function likelyWriter(
  { id, agent = OURS, title, cwd }: SessionSummary,
  { at, prompt, entry, asked }: Pick<WhyWriter, "at" | "prompt" | "asked"> & { entry: EntryId },
): WhyWriter {
  return { grade: "likely", because: "", at, session: id, agent, title, project: cwd, prompt, entry, asked }
}
