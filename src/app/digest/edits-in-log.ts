// Which files a session's calls changed: as the agent's own files tell it, otherwise from the input of an edit that succeeded.
import { isAbsolute, resolve } from "node:path"
import { callEffect } from "../../history/files/call-effect.ts"
import type { SaidChange } from "../../history/files/said-calls.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import { entryText } from "../../model/record/entry-text.ts"
import { KIND, type ToolCallPart } from "../../model/record/record.ts"
import { editDiff, linesOf } from "../../model/text/edit-diff.ts"
import { printHunks } from "../../model/text/hunks.ts"
import { oneLine } from "../../model/text/one-line.ts"
import type { SessionLog } from "../../store/port.ts"
import { loadAgentCopies } from "../open/load-agent-copies.ts"

/** A change of one file by one call. */
export interface CallEdit {
  /** ISO time. */
  at: string
  /** Absolute, if the session's folder is. */
  path: string
  call: string
  /** The message with the call, and the prompt of its round. */
  entry: EntryId
  prompt: EntryId | null
  /** What the person asked there. */
  asked: string
  /** Lines; both 0 if only the name of the file is known. */
  added: number
  removed: number
}

const LONGEST_ASKED = 200

/** Contract: reads the messages. In the order of the calls; those that failed, or have no result yet, changed nothing. */
export async function editsInLog(log: SessionLog): Promise<{ edit: CallEdit; diff: string }[]> {
  const { history } = log
  const folder = directoryOf(log)
  const told = new Map<string, Told>()
  for (const { call, files } of (await loadAgentCopies(log))?.calls(NONE) ?? []) told.set(call, files)
  const found: { edit: CallEdit; diff: string }[] = []
  const open = new Map<string, { part: ToolCallPart; row: Row }>()
  for (let row = 0; row < history.size; row++) {
    const record = history.kind(row) === KIND.message ? history.record(row) : undefined
    if (record?.type !== "message") continue
    for (const part of record.content) {
      if (part.type === "tool-call") open.set(part.call, { part, row })
      if (part.type !== "tool-result") continue
      const call = open.get(part.call)
      open.delete(part.call)
      if (call === undefined || part.error === true) continue
      for (const { path, diff = "" } of toldEdits(told.get(part.call), call.part)) {
        const prompt = history.prompt(call.row)
        const asked = prompt === NONE ? undefined : history.record(prompt)
        const edit: CallEdit = {
          at: record.at,
          path: isAbsolute(folder) ? resolve(folder, path) : path,
          call: part.call,
          entry: history.id(call.row) as EntryId,
          prompt: prompt === NONE ? null : (history.id(prompt) as EntryId),
          asked: oneLine((asked && entryText(asked)) ?? "", LONGEST_ASKED),
          ...countsIn(diff),
        }
        found.push({ edit, diff })
      }
    }
  }
  return found
}

/** An agent may tell only the name of the file: then the input of the call has what changed. */
function toldEdits(told: Told | undefined, part: ToolCallPart): { path: string; diff?: string | undefined }[] {
  const own = editsOfCall(part)
  if (told === undefined) return own
  return told.map(({ path, change }) => {
    if (change !== undefined) return { path, diff: changeDiff(change) }
    return { path, diff: told.length === 1 && own.length === 1 ? own[0]?.diff : undefined }
  })
}

type Told = readonly { path: string; change?: SaidChange }[]

function editsOfCall(part: ToolCallPart): { path: string; diff?: string }[] {
  const effect = callEffect(part)
  if (effect.kind !== "edit") return []
  const [path] = effect.paths
  const diff = effect.paths.length === 1 ? editDiff(part.input) : undefined
  return diff === undefined || path === undefined
    ? effect.paths.map((each) => ({ path: each }))
    : [{ path, diff: withoutNames(diff) }]
}

function withoutNames(diff: string): string {
  return diff.replace(/^--- .*\n\+\+\+ .*\n/, "")
}

/** Hunks, without the names of the files. */
function changeDiff(change: SaidChange): string {
  if ("hunks" in change)
    return change.hunks
      .map(({ newStart, lines }) => {
        const count = (mark: string) => lines.filter((line) => !line.startsWith(mark)).length
        const body = lines.map((line) => `${line.replace(/\n$/, "")}\n`).join("")
        return `@@ -${newStart},${count("+")} +${newStart},${count("-")} @@\n${body}`
      })
      .join("")
  if ("replaced" in change) return printHunks(linesOf(change.replaced), linesOf(change.by))
  return printHunks(linesOf(change.before ?? ""), linesOf(change.after ?? ""))
}

function countsIn(diff: string): { added: number; removed: number } {
  let [added, removed] = [0, 0]
  for (const line of diff.split("\n")) {
    if (line.startsWith("+")) added++
    else if (line.startsWith("-")) removed++
  }
  return { added, removed }
}
