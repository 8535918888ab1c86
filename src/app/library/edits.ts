// What the agents changed lately, over all sessions: a feed, the newest first.
import { isAbsolute, relative, resolve, sep } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EditedFile, EditsAnswer, EditsQuery, Job } from "../../protocol/library.ts"
import type { SessionSummary } from "../../store/port.ts"
import { type CallEdit, editsInLog } from "../digest/edits-in-log.ts"
import { openOnDisk } from "../digest/on-disk.ts"
import { sessionEdits } from "../digest/session-edits.ts"
import type { AppDeps } from "../port/app-deps.ts"

const OURS = "retcon"
const MOST = 100

/** Contract: opens only sessions that were used since; with `diff` also those of the edits that it answers. */
export async function edits(deps: AppDeps, query: EditsQuery, job: Job = {}): Promise<EditsAnswer> {
  const { since = "", until = "\uffff", agent, project, session: only, limit = MOST, after } = query
  const path = query.path === undefined ? undefined : resolve(query.cwd ?? deps.cwd, query.path)
  const used = (session: SessionSummary) =>
    session.updated >= since &&
    (agent === undefined || (session.agent ?? OURS) === agent) &&
    (only === undefined || session.id === only) &&
    (project === undefined || session.cwd.includes(project))
  const sessions = await sessionEdits(deps, used, job)
  const all = sessions.flatMap(({ session, edits: made }) =>
    made
      .filter(({ at, path: changed }) => at >= since && at < until && (path === undefined || isIn(path, changed)))
      .map((edit) => ({ session, edit })),
  )
  // A copy of a session has the same calls.
  const once = new Map<string, { session: SessionSummary; edit: CallEdit }>()
  for (const each of all.sort(oldestFirst)) {
    const key = `${each.edit.call} ${each.edit.path} ${each.edit.at}`
    if (!once.has(key)) once.set(key, each)
  }
  const newest = [...once.values()].reverse()
  const from = after === undefined ? 0 : newest.findIndex((each) => cursorOf(each) === after) + 1
  if (after !== undefined && from === 0)
    throw new RetconError({ code: "invalid", problem: "These edits are no longer there.", advice: "Begin anew." })
  const shown = newest.slice(from, from + limit)
  const diffs = query.diff === true ? await diffsOf(deps, shown, job) : undefined
  const last = from + shown.length < newest.length ? shown.at(-1) : undefined
  return {
    edits: shown.map((each) => {
      const diff = diffs?.get(cursorOf(each))
      return { ...fileOf(each), ...(diff !== undefined && { diff }) }
    }),
    total: newest.length,
    next: last === undefined ? null : cursorOf(last),
    leftOut: sessions.flatMap(({ session, problem }) =>
      problem === undefined
        ? []
        : [{ session: session.id, agent: session.agent ?? OURS, file: session.file ?? null, problem }],
    ),
  }
}

interface Made {
  session: SessionSummary
  edit: CallEdit
}

function oldestFirst(a: Made, b: Made): number {
  if (a.edit.at !== b.edit.at) return a.edit.at < b.edit.at ? -1 : 1
  // Of two that have the same call, the one that is no copy.
  return Number(a.session.from !== undefined) - Number(b.session.from !== undefined)
}

function cursorOf({ session, edit }: Made): string {
  return `${edit.at} ${session.id} ${edit.call} ${edit.path}`
}

function fileOf({ session, edit }: Made): EditedFile {
  const { id, agent = OURS, title, cwd } = session
  const { at, path, entry, prompt, asked, added, removed } = edit
  return { at, session: id, agent, title, project: cwd, path, entry, prompt, asked, added, removed }
}

/** The file itself, or one in this folder. */
export function isIn(path: string, changed: string): boolean {
  const way = relative(path, changed)
  return way === "" || (way !== ".." && !way.startsWith(`..${sep}`) && !isAbsolute(way))
}

async function diffsOf(deps: AppDeps, shown: readonly Made[], { signal }: Job): Promise<Map<string, string>> {
  const diffs = new Map<string, string>()
  for (const session of new Set(shown.map((each) => each.session))) {
    signal?.throwIfAborted()
    const log = await openOnDisk(deps, session)
    try {
      for (const { edit, diff } of await editsInLog(log)) {
        if (diff !== "") diffs.set(cursorOf({ session, edit }), diff)
      }
    } finally {
      await log.close()
    }
  }
  return diffs
}
