// A conversation of Cline or a descendant as lines: first the session, then its messages. One that has both results and what a person
// typed becomes two.
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import type { SessionPlace } from "../port.ts"
import { isoTime, listField, numberField, objectField, parseLine, textField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { besideOf, nameOf } from "./place.ts"

/** Larger files are not read: a whole file has to be in memory. */
const MOST = 256 * 1024 * 1024

export function linesAt({ main: path }: SessionPlace): Buffer {
  const parsed = parseJson(readHead(path, MOST).toString("utf8"))
  if (!parsed.ok) return Buffer.from("the file is not JSON, or has more than 256 MB\n")
  const messages = Array.isArray(parsed.value) ? parsed.value : listField(parsed.value, "messages")
  const facts = factsOf(path, (file) => readHead(file))
  const at = numberField(messages[0], "ts") ?? facts.at
  const session = {
    type: "session",
    name: nameOf(path),
    ...facts,
    ts: at,
    cwd: facts.cwd ?? toldFolder(messages) ?? null,
  }
  const lines = [session, ...messages.flatMap((message, n) => split(message, n))]
  return Buffer.from(lines.map(printed).join(""))
}

/** What the files beside it say of a session. */
export function factsOf(path: string, read: (file: string) => Buffer | undefined) {
  const [first] = besideOf(path)
  const item = parseLine(read(first ?? "") ?? Buffer.alloc(0))
  const title =
    textField(objectField(item, "metadata"), "title") ?? textField(item, "task") ?? textField(item, "prompt")
  const cwd = textField(item, "cwd") ?? textField(item, "workspace") ?? textField(item, "cwdOnTaskInitialization")
  const at = numberField(item, "ts") ?? Date.parse(textField(item, "started_at") ?? "")
  return {
    ...(title !== undefined && { title }),
    ...(cwd !== undefined && { cwd }),
    ...(Number.isFinite(at) && { at: isoTime(at) }),
  }
}

/** The extension tells the model the folder, and nobody else. */
function toldFolder(messages: readonly Json[]): string | undefined {
  const text = listField(messages[0], "content")
    .map((block) => textField(block, "text") ?? "")
    .join("\n")
  return /^# Current (?:Working Directory|Workspace Directory) \((.+)\) Files/m.exec(text)?.[1]
}

function split(message: Json, n: number): JsonObject[] {
  if (!isObject(message)) return [{ type: "unknown", n }]
  const { content } = message
  const blocks = Array.isArray(content) ? content : []
  const results = blocks.filter(isResult)
  const rest = blocks.filter((block) => !isResult(block))
  const line = (more: JsonObject, key: string): JsonObject => ({
    ...message,
    ...more,
    type: "message",
    n: `${n}${key}`,
  })
  if (results.length === 0) return [line({}, "")]
  const told = rest.length === 0 ? [] : [line({ content: rest }, " text")]
  return [line({ content: results.map(asText) }, ""), ...told]
}

function isResult(block: Json): boolean {
  return isObject(block) && block.type === "tool_result"
}

/** A result that is neither a text nor blocks is sent as JSON. */
function asText(result: Json): Json {
  const content = isObject(result) ? result.content : undefined
  const isBlocks = Array.isArray(content) && content.every((block) => textField(block, "type") !== undefined)
  if (content === undefined || typeof content === "string" || isBlocks) return result
  return { ...(result as JsonObject), content: JSON.stringify(content) }
}

/** Leaves out a value that is nested too deeply to print. */
function printed(value: object): string {
  try {
    return `${JSON.stringify(value)}\n`
  } catch {
    return "a message that is nested too deeply\n"
  }
}
