// Cursor's agent transcripts: one file per session, with a line for each message, without times, ids or results.
import { basename, dirname, join } from "node:path"
import type { Json, JsonObject } from "../../model/json.ts"
import { lineMarks } from "../../model/line-marks.ts"
import type { Part } from "../../model/record/record.ts"
import { sessionIdOf } from "../ids.ts"
import type { SessionPlace } from "../port.ts"
import { partsOf } from "../shared/anthropic-parts.ts"
import { contentsOf, foldersIn } from "../shared/folder-contents.ts"
import { eachLine, firstLine, firstTold, listField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { firstPrompt, type LineRules, lineFormat, type SaidLine } from "../shared/line-format.ts"
import { readHead } from "../shared/read-head.ts"

const TRANSCRIPTS = "agent-transcripts"
const MOST = 64 * 1024 * 1024

const rules: LineRules = {
  agent: "cursor",
  fields: { at: "timestamp" },

  *find({ home }) {
    for (const project of foldersIn(join(home, ".cursor", "projects"))) {
      const { files, folders } = contentsOf(join(project, TRANSCRIPTS), ".jsonl")
      yield* files
      for (const session of folders) {
        yield* contentsOf(session, ".jsonl").files
        yield* contentsOf(join(session, "subagents"), ".jsonl").files
      }
    }
  },

  session(first, { path }) {
    if (!isMessage(first)) return undefined
    const asker = askerOf(path)
    const cwd = folderIn(readHead(trustFile(path)))
    return { name: basename(path, ".jsonl"), cwd, ...(asker !== undefined && { from: { name: asker, as: "task" } }) }
  },

  glance(place, { head, read }) {
    const first = firstLine(head)
    if (first === undefined || !isMessage(first)) return undefined
    const [name, asker] = [basename(place.path, ".jsonl"), askerOf(place.path)]
    const title = firstTold(eachLine(head), firstPrompt(rules))
    const from = asker === undefined ? {} : { from: { name: asker, as: "task" as const } }
    return { name, id: sessionIdOf("cursor", name), cwd: folderIn(read(trustFile(place.path))), title, ...from }
  },

  classify,

  lineMarks: lineMarks([['"role":"results"', "nobody"]]),

  load: (place) => () => linesAt(place),

  files: ({ path }) => [trustFile(path)],

  resume: (name, { path }) => ["cursor-agent", "--resume", askerOf(path) ?? name],
}

export const cursor = lineFormat(rules)

/** It has a role and blocks, and nothing that others have. */
function isMessage(line: JsonObject): boolean {
  const { role, message, type, uuid } = line
  const ours = (role === "user" || role === "assistant") && type === undefined && uuid === undefined
  return ours && Array.isArray(objectField({ message: message ?? null }, "message")?.content)
}

/** The folder of the project, with the file that says where it is. */
function trustFile(path: string): string {
  const at = path.lastIndexOf(`/${TRANSCRIPTS}/`)
  return join(at === -1 ? dirname(path) : path.slice(0, at), ".workspace-trusted")
}

function folderIn(bytes: Buffer | undefined): string | undefined {
  return bytes === undefined ? undefined : textField(parseLine(bytes), "workspacePath")
}

/** The session whose task a sub-agent works on. */
function askerOf(path: string): string | undefined {
  const folder = dirname(path)
  return basename(folder) === "subagents" ? basename(dirname(folder)) : undefined
}

/** The transcript, with ids for calls, and a line where their results would be: otherwise they would look interrupted. */
function linesAt({ path }: SessionPlace): Buffer {
  const task = askerOf(path) !== undefined
  const lines: string[] = []
  let calls = 0
  for (const text of readHead(path, MOST).toString("utf8").split("\n")) {
    if (text.trim() === "") continue
    const line = parseLine(Buffer.from(text))
    const content = listField(objectField(line, "message"), "content")
    if (line === undefined || !content.some(isCall)) {
      lines.push(line === undefined || !task ? text : JSON.stringify({ ...line, task }))
      continue
    }
    const named = content.map((block) => (isCall(block) ? { id: `call ${++calls}`, ...(block as JsonObject) } : block))
    const ids = named.flatMap((block) => (isCall(block) ? (textField(block, "id") ?? []) : []))
    lines.push(JSON.stringify({ ...line, message: { ...objectField(line, "message"), content: named } }))
    lines.push(JSON.stringify({ role: "results", calls: ids }))
  }
  return Buffer.from(lines.map((line) => `${line}\n`).join(""))
}

function isCall(block: Json): boolean {
  return textField(block, "type") === "tool_use"
}

const NOT_THERE = "Cursor's transcript does not have this result."

function classify(line: JsonObject): SaidLine | undefined {
  const why = `role is "${textField(line, "role") ?? ""}"`
  if (line.role === "results") {
    const calls = listField(line, "calls").filter((call) => typeof call === "string")
    const content = calls.map((call): Part => ({ type: "tool-result", call, output: NOT_THERE }))
    return { role: "tool", origin: "tool", why: "results are not in the transcript", content }
  }
  const content = partsOf(objectField(line, "message")?.content)
  if (content.length === 0) return undefined
  if (line.role === "assistant") return { role: "assistant", origin: "agent", why, content }
  if (line.role !== "user") return undefined
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : [])).join("\n")
  const [, typed] = /<user_query>\n?([\s\S]*?)\n?<\/user_query>/.exec(texts) ?? []
  if (line.task === true) return { role: "user", origin: "task", why: "it is a sub-agent's", content, display: typed }
  if (typed !== undefined)
    return { role: "user", origin: "prompt", why: "it has <user_query>", content, display: typed }
  const injected = /^\s*<(?:system_reminder|system-reminder|system_notification)>/.test(texts)
  return { role: "user", origin: injected ? "injection" : "prompt", why: injected ? "it is a reminder" : why, content }
}
