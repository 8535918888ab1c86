// What Claude Code's session file says of what its tools changed: `toolUseResult` on the line of a result.
import { readFileSync, statSync } from "node:fs"
import { callEffect } from "../../history/files/call-effect.ts"
import type { SaidCall, SaidChange, SaidFile, SaidHunk } from "../../history/files/said-calls.ts"
import { appliedHunks } from "../../history/files/said-hunks.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { ToolCallPart } from "../../model/record/record.ts"
import type { SaidFiles } from "../port.ts"
import { partsOf } from "../shared/anthropic-parts.ts"
import { filesIn } from "../shared/folder-contents.ts"
import {
  eachLine,
  isoTime,
  listField,
  millis,
  numberField,
  objectField,
  parseLine,
  textField,
} from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { metaOf } from "./place.ts"

const EDITS: ReadonlySet<string> = new Set(["Edit", "MultiEdit", "Write", "NotebookEdit"])
const SHELLS: ReadonlySet<string> = new Set(["Bash", "PowerShell"])

/** Undefined if the line says nothing of what the call changed. */
export function claudeSaid({ name, input }: ToolCallPart, bytes: Buffer): SaidFiles | undefined {
  if (!EDITS.has(name) && !SHELLS.has(name)) return undefined
  const line = parseLine(bytes)
  const result = line?.toolUseResult
  if (EDITS.has(name)) return editSaid(input, result)
  // A command that failed has only its message here; of one in the background nobody knows yet.
  if (!isObject(result) || (isObject(input) && input.run_in_background === true)) return undefined
  const diff = objectField(result, "bashEditDiff")
  const version = textField(line, "version") ?? ""
  if (diff === undefined) return { files: [], elseNone: true, version }
  const said = commandSaid(diff)
  return said && { ...said, version }
}

/** A tool that failed has changed nothing; its result is a text. Of one without a result, only the file is known. */
function editSaid(input: Json, result: Json | undefined): SaidFiles {
  const path = textField(result, "filePath") ?? textField(input, "file_path") ?? textField(input, "notebook_path")
  if (path === undefined || typeof result === "string") return { files: [] }
  if (!isObject(result)) return { files: [{ path }] }
  const change = editChange(result)
  return { files: [{ path, ...(change !== undefined && { change }) }] }
}

/** It tells every line end as LF. */
function editChange(result: JsonObject): SaidChange | undefined {
  const content = textField(result, "content")
  if (result.type === "create")
    return content === undefined ? undefined : { before: null, after: content, lineEnds: "lf" }
  const before = textField(result, "originalFile") ?? textField(result, "originalFileContents")
  // For a file that did not exist, an edit tells an empty one.
  if (before === "" && result.type !== "update") return undefined
  const hunks = hunksIn(result.structuredPatch)
  const after = before === undefined ? undefined : (content ?? appliedHunks(before, hunks))
  if (before !== undefined && after !== undefined) return { before, after, lineEnds: "lf" }
  // A file that is too large to repeat: null, as if it had not existed.
  return hunks.length === 0 ? undefined : { hunks, lineEnds: "lf" }
}

/** It names every file of the repository that git does not ignore, and tells the hunks of the first few. */
function commandSaid(diff: JsonObject): SaidFiles | undefined {
  if (diff.unavailable === true) return undefined
  const told = new Map(listField(diff, "files").map((file) => [textField(file, "filePath"), file]))
  const files = listField(diff, "changedFiles").filter((path) => typeof path === "string")
  const change = (path: string): SaidChange | undefined => {
    const file = told.get(path)
    return isObject(file) ? commandChange(file) : undefined
  }
  return { files: files.map((path): SaidFile => ({ path, ...asGiven(change(path)) })) }
}

function asGiven(change: SaidChange | undefined): { change?: SaidChange } {
  return change === undefined ? {} : { change }
}

function commandChange(file: JsonObject): SaidChange | undefined {
  const hunks = hunksIn(file.hunks)
  const side = (mark: string) => {
    const lines = hunks.flatMap((hunk) => hunk.lines.filter((line) => line.startsWith(mark)))
    return lines.map((line) => `${line.slice(1)}\n`).join("")
  }
  if (file.created === true) return { before: null, after: side("+"), lineEnds: "exact", lastEnd: "unknown" }
  if (file.deleted === true) return { before: side("-"), after: null, lineEnds: "exact", lastEnd: "unknown" }
  return hunks.length === 0 ? undefined : { hunks, lineEnds: "exact", lastEnd: "unknown" }
}

function hunksIn(value: Json | undefined): SaidHunk[] {
  return (Array.isArray(value) ? value : []).flatMap((hunk) => {
    const newStart = numberField(hunk, "newStart")
    const lines = listField(hunk, "lines").filter((line) => typeof line === "string")
    return newStart === undefined ? [] : [{ newStart, lines }]
  })
}

type SaidBeside = Omit<SaidCall, "row">

/** The calls of sub-agents, from their own files, which tell of edits only the input; and the sub-agents of which all is told. */
export function claudeSaidBeside(folder: string, since: number): SaidBeside[] {
  const agents = filesIn(folder, ".jsonl").flatMap((file) =>
    statSync(file).mtimeMs < since ? [] : [subAgentIn(file, since)],
  )
  return [...agents.flatMap(({ said }) => said), ...wholeAgents(agents)]
}

interface SubAgent {
  /** The call that started it. */
  started: string | undefined
  /** When its last call ended. */
  at: string
  said: SaidBeside[]
  /** Calls that may have changed files, of which nothing is told. */
  untold: string[]
}

/** A sub-agent of which each call is told changed nothing else. One may start others. */
function wholeAgents(agents: readonly SubAgent[]): SaidBeside[] {
  const whole = new Map<string, SaidBeside>()
  for (let known = -1; known < whole.size; ) {
    known = whole.size
    for (const { started, at, untold } of agents)
      if (started !== undefined && untold.every((call) => whole.has(call)))
        whole.set(started, { call: started, at, files: [] })
  }
  return [...whole.values()]
}

function subAgentIn(file: string, since: number): SubAgent {
  const calls = new Map<string, ToolCallPart>()
  const found: SaidBeside[] = []
  const untold = new Set<string>()
  let last = ""
  for (const line of eachLine(readFileSync(file), ['"tool_use"', '"tool_result"'])) {
    for (const part of partsOf(objectField(line, "message")?.content)) {
      if (part.type === "tool-call") {
        calls.set(part.call, part)
        if (callEffect(part).kind !== "none") untold.add(part.call)
      }
      const call = part.type === "tool-result" ? calls.get(part.call) : undefined
      if (part.type !== "tool-result" || call === undefined) continue
      if (millis(line.timestamp) < since) {
        untold.delete(part.call)
        continue
      }
      last = isoTime(line.timestamp)
      const told = isObject(line.toolUseResult) ? claudeSaid(call, Buffer.from(JSON.stringify(line))) : undefined
      const said =
        told ?? (EDITS.has(call.name) ? inputSaid(call.input, part.error === true ? "" : part.output) : undefined)
      if (said === undefined || said.elseNone === true) continue
      untold.delete(part.call)
      found.push({ call: part.call, at: last, ...said })
    }
  }
  const started = textField(metaOf(file, readHead), "toolUseId")
  return { started, at: last, said: found, untold: [...untold] }
}

const CREATED = /^File created successfully/

function inputSaid(input: Json, output: string): SaidFiles {
  const path = textField(input, "file_path") ?? textField(input, "notebook_path")
  if (path === undefined || output === "") return { files: [] }
  const [content, replaced, by] = ["content", "old_string", "new_string"].map((field) => textField(input, field))
  if (content !== undefined && CREATED.test(output))
    return { files: [{ path, change: { before: null, after: content, lineEnds: "lf" } }] }
  const all = isObject(input) && input.replace_all === true
  if (replaced === undefined || replaced === "" || by === undefined || all) return { files: [{ path }] }
  return { files: [{ path, change: { replaced, by, lineEnds: "lf" } }] }
}
