// retcon doctor: opens the sessions of other agents, of one directory or all, and checks what is wrong with them.

import { resolve } from "node:path"
import { isOurs } from "../../foreign/any-store.ts"
import type { ListedSession } from "../../foreign/list/list-agent.ts"
import type { ForeignLog } from "../../foreign/log/foreign-log.ts"
import { FLAG } from "../../history/rows/columns.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isEntryKind, KIND } from "../../model/record/record.ts"
import { shellAdvice } from "../../protocol/shell-advice.ts"
import type { Examined, Finding } from "../../store/file/doctor/finding.ts"
import type { SessionSummary } from "../../store/port.ts"
import type { ForeignReport } from "../open/foreign-report.ts"
import { isTwice } from "../open/foreign-report.ts"
import type { AppDeps } from "../port/app-deps.ts"
import { idNamed, isPath } from "./named-session.ts"

/** Called with the share that is done, from 0 to 1. */
type Shown = (share: number) => Promise<void>

export async function examineForeign(deps: AppDeps, which: { cwd?: string }, shown: Shown): Promise<Examined[]> {
  const listed = await deps.store.foreign.list(which)
  const all = listed.reduce((sum, { bytes }) => sum + bytes, 0)
  const examined: Examined[] = []
  let done = 0
  for (const session of listed) {
    examined.push(await examineOne(deps, session))
    done += session.bytes
    await shown(done / Math.max(1, all))
  }
  return examined
}

async function examineOne(deps: AppDeps, session: SessionSummary): Promise<Examined> {
  const about = { path: session.file ?? session.id, session: session.id }
  let log: ForeignLog
  try {
    log = (await deps.store.foreign.unread(session)).log()
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    return { ...about, lines: 0, findings: [whyNotRead(error)] }
  }
  try {
    return { ...about, lines: log.history.size, findings: [...findings(log)] }
  } finally {
    await log.close()
  }
}

/** A format that refuses something it recognises says what to do; everything else is a failure of the disk. */
function whyNotRead({ failure, message }: RetconError): Finding {
  if (failure.code !== "invalid") return { kind: "cannot-read", problem: message }
  return { kind: "not-read", problem: failure.problem, advice: shellAdvice(failure.advice) }
}

/** One for each kind of problem, with the lines concerned. */
function* findings(log: ForeignLog): Generator<Finding> {
  const { history, agent, id } = log
  const lines = { damaged: [] as number[], twice: [] as number[], orphan: [] as number[] }
  for (let row = 0; row < history.size; row++) {
    const kind = history.kind(row)
    if (kind === KIND.damaged) (isTwice(log, row) ? lines.twice : lines.damaged).push(log.lineNumber(row))
    else if (isEntryKind(kind) && history.flag(row, FLAG.lost)) lines.orphan.push(log.lineNumber(row))
  }
  for (const what of ["damaged", "twice", "orphan"] as const) {
    if (lines[what].length > 0) yield { kind: "foreign", agent, id, wrong: what, lines: lines[what] }
  }
}

export interface Resuming {
  /** A process that is working on it. */
  pid?: number
  /** Absent: it is not where its agent looks. */
  command?: string[]
}

export interface ExaminedForeign {
  log: ForeignLog
  report: ForeignReport
  resuming: Resuming
}

/** By its id or its file. Undefined: it is not another agent's, or its file cannot be opened. */
export async function openForeign(deps: AppDeps, name: string): Promise<ForeignLog | undefined> {
  if (!isPath(name)) {
    const id = await idNamed(deps, name)
    return deps.store.fileOf(id) === undefined ? deps.store.foreign.open(id) : undefined
  }
  const file = resolve(deps.cwd, name)
  if (isOurs(file)) return undefined
  try {
    return await deps.store.foreign.openPath(file)
  } catch (error) {
    // The doctor for our own sessions reports what cannot be opened.
    if (error instanceof RetconError) return undefined
    throw error
  }
}

/** Where its agent would find it, and who is working on it. */
export async function resumingOf(deps: Pick<AppDeps, "store">, log: ForeignLog): Promise<Resuming> {
  const holder = log.opened.holder()
  const pid = holder === undefined || holder === "unknown" ? undefined : holder.pid
  const busy = pid === undefined ? {} : { pid }
  // Sessions of two agents can have one id.
  const isIt = ({ format, summary }: ListedSession) => summary.id === log.id && format.agent === log.agent
  const found = log.gone === undefined ? (await deps.store.foreign.places()).find(isIt) : undefined
  if (found === undefined) return { ...busy }
  return { ...busy, command: found.format.resume(found.place, log.opened.name) }
}
