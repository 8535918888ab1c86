// What another agent's own files tell of the workspace's files: copies of them, and what its calls changed. Paths are relative to
// the session's folder.
import { realpathSync } from "node:fs"
import { isAbsolute, relative, resolve, sep } from "node:path"
import type { FileHistory, PromptCommits, SaidFiles } from "../../formats/port.ts"
import type { SaidCall } from "../../history/files/said-calls.ts"
import { type History, NONE, prompts, type Row } from "../../history/tree/tree.ts"
import { agentTitle } from "../../model/agent-title.ts"
import type { EntryId } from "../../model/id.ts"
import { KIND, type MessageRecord, type ToolCallPart } from "../../model/record/record.ts"
import type { ForeignLog } from "./foreign-log.ts"

export interface AgentCopies {
  before(prompt: Row, until?: Row): Promise<{ path: string; bytes: Uint8Array | null }[]>
  commits?(prompt: Row, until?: Row): { prompt: Row; from: string; to: string }[]
  calls(since: Row): SaidCall[]
  words?: string
}

/** Undefined if the agent's files tell nothing of other files. `folder`: the session's folder, absolute. */
export function agentCopies(log: ForeignLog, folder: string): AgentCopies | undefined {
  const { opened, history, agent } = log
  const copies = opened.fileHistory?.()
  if ((copies === undefined && opened.said === undefined) || !isAbsolute(folder)) return undefined
  const kept = copies ?? NO_COPIES
  const reach = kept.reaches === "everything" ? "what it covers itself" : "what its own tools edited"
  const { commits } = kept
  const beside =
    commits === undefined ? "" : ` Commits that ${commits.by} recorded add what was committed in each round.`
  return {
    ...(copies !== undefined && {
      words: `These are copies that ${agentTitle(agent)} made; it keeps only ${reach}.${beside}`,
    }),
    ...(commits !== undefined && {
      commits: (prompt, until = history.size) => noted(history, commits.ofPrompts, prompt, until),
    }),
    /** A file first changed by a later prompt was the same until then. */
    async before(prompt, until = history.size) {
      const found = new Map<string, Uint8Array | null>()
      for (const row of prompts(history, history.head).filter((each) => each >= prompt && each < until))
        await addMissing(found, kept, history.id(row) as EntryId, folder)
      return [...found].map(([path, bytes]) => ({ path, bytes }))
    },
    calls: (since) => saidCalls(log, since, (path) => reallyInside(folder, path)),
  }
}

const NO_COPIES: FileHistory = { reaches: "tool edits", before: async () => [] }

/** If a round's end was not recorded, it ended where the next one began. The last round is then left out. */
function noted(
  history: History,
  ofPrompts: ReadonlyMap<number, PromptCommits>,
  first: Row,
  until: Row,
): { prompt: Row; from: string; to: string }[] {
  const places = new Map<Row, number>()
  for (let row = 0; row < history.size; row++) if (history.isPrompt(row)) places.set(row, places.size)
  const rounds = prompts(history, history.head).map((prompt) => ({
    prompt,
    ...ofPrompts.get(places.get(prompt) ?? -1),
  }))
  return rounds.flatMap(({ prompt, before: from, after }, i) => {
    const to = after ?? rounds[i + 1]?.before
    return prompt < first || prompt >= until || from === undefined || to === undefined ? [] : [{ prompt, from, to }]
  })
}

async function addMissing(
  found: Map<string, Uint8Array | null>,
  kept: FileHistory,
  prompt: EntryId,
  folder: string,
): Promise<void> {
  for (const { path, bytes } of await kept.before(prompt)) {
    const own = inside(folder, path)
    if (own === undefined || found.has(own)) continue
    // A missing copy does not mean that the file was missing.
    const read = await bytes().catch(() => undefined)
    if (read !== undefined) found.set(own, read)
  }
}

/** What a write to a path changes, which may be behind a link: relative to the folder, or absolute if it is not in it. */
function reallyInside(folder: string, path: string): string {
  const whole = resolve(folder, path)
  try {
    return inside(realpathSync.native(folder), realpathSync.native(whole)) ?? whole
  } catch {
    return inside(folder, whole) ?? whole
  }
}

/** Relative to the folder; undefined if it is not in it. */
function inside(folder: string, path: string): string | undefined {
  const own = isAbsolute(path) ? relative(folder, path) : path
  return own === "" || own.split(sep).includes("..") || isAbsolute(own) ? undefined : own
}

type Told = Pick<SaidCall, "call" | "row" | "at"> & SaidFiles & { tool: string }

/**
 * The calls of a session of which its agent's own files tell what they changed. Those after the row `since`, in the
 * order of their time, with paths as `named` gives them. Reads the rows since then.
 */
export function saidCalls(
  { opened, history }: Pick<ForeignLog, "opened" | "history">,
  since: Row,
  named: (path: string) => string,
): SaidCall[] {
  if (opened.said === undefined) return []
  const from = since === NONE ? 0 : since
  const { told, times, results } = toldIn({ opened, history }, from, history.size)
  const isTold = new Set(told.flatMap(tellerOf))
  // Whether a tool tells what it changed does not depend on where we look from.
  if (told.some((each) => each.elseNone === true && !isTold.has(keyOf(each))))
    for (const teller of toldIn({ opened, history }, 0, from).told.flatMap(tellerOf)) isTold.add(teller)
  const own = told.filter((each) => each.elseNone !== true || isTold.has(keyOf(each)))
  const known = new Set(own.map(({ call }) => call))
  const first = times[0]?.at
  const beside = (first === undefined ? [] : (opened.saidBeside?.(Date.parse(first) - TOLD_BEFORE) ?? []))
    .filter(({ call, at }) => !known.has(call) && (results.has(call) || at >= (first ?? "")))
    .map((call) => ({
      ...call,
      row: results.get(call.call) ?? times.findLast(({ at }) => at <= call.at)?.row ?? since,
    }))
  return [...own, ...beside]
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.row - b.row))
    .map(({ call, row, at, files }) => ({
      call,
      row,
      at,
      files: files.map((file) => ({ ...file, path: named(file.path) })),
    }))
}

function keyOf({ tool, version = "" }: Told): string {
  return `${tool} ${version}`
}

function tellerOf(each: Told): string[] {
  return each.elseNone === true ? [] : [keyOf(each)]
}

interface ToldRows {
  told: Told[]
  /** When each row was written, as far as it matters: at prompts and at results. */
  times: { row: Row; at: string }[]
  results: Map<string, Row>
}

/** Reads the rows between. */
function toldIn({ opened, history }: Pick<ForeignLog, "opened" | "history">, from: Row, until: Row): ToldRows {
  const found: ToldRows = { told: [], times: [], results: new Map() }
  const { told, times, results } = found
  const calls = new Map<string, ToolCallPart>()
  for (let row = from; row < until; row++) {
    const record = messageAt(history, row)
    if (record === undefined) continue
    if (history.isPrompt(row) || record.role === "tool") times.push({ row, at: record.at })
    for (const part of record.content) {
      if (part.type === "tool-call") calls.set(part.call, part)
      if (part.type !== "tool-result") continue
      results.set(part.call, row)
      const call = calls.get(part.call) ?? callAbove(history, row, part.call)
      if (call === undefined) continue
      // A later version of the line may only repeat what the model gets.
      const said = opened.said?.(call, history.body(row)) ?? opened.said?.(call, history.line(row))
      if (said === undefined || isRepeated(part.call, said, times[0]?.at ?? "", told)) continue
      told.push({ call: part.call, tool: call.name, row, at: record.at, ...said })
    }
  }
  return found
}

/** How many milliseconds before its result a call may be told on another line. */
const TOLD_BEFORE = 60_000

/** Whether a result only says again what happened before, or what an earlier row says. */
function isRepeated(call: string, { at }: SaidFiles, first: string, told: readonly Told[]): boolean {
  if (at === undefined) return false
  return at < first || told.some((each) => each.call === call && each.at === at)
}

/** How far above its result a call may be: other results, and what was attached to them, come between. */
const MOST_BETWEEN = 64

function callAbove(history: ForeignLog["history"], row: Row, call: string): ToolCallPart | undefined {
  let above = history.parent(row)
  for (let i = 0; i < MOST_BETWEEN && above !== NONE; i++, above = history.parent(above)) {
    const part = messageAt(history, above)?.content.find((each) => each.type === "tool-call" && each.call === call)
    if (part?.type === "tool-call") return part
  }
  return undefined
}

function messageAt(history: ForeignLog["history"], row: Row): MessageRecord | undefined {
  const record = history.kind(row) === KIND.message ? history.record(row) : undefined
  return record?.type === "message" ? record : undefined
}
