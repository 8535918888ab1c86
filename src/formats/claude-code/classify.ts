// What a line of Claude Code means in the tree, and who said it: judged by its fields first, then by marks in its text.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { Origin, Role } from "../../model/record/origin.ts"
import { listField, objectField, textField } from "../shared/json-line.ts"
import { retconMark } from "../shared/retcon-mark.ts"
import { attachmentOrigin } from "./attachment.ts"

/** A place in the tree. */
export interface LineMeaning {
  kind: "message" | "compaction" | "other"
  role?: Role
  origin?: Origin
  /** A slash command that starts a turn. */
  turn?: boolean
  /** The field or the text that decided it. */
  why: string
}

/** Types of lines that have a place in the tree of messages. */
export const CHAIN_TYPES: ReadonlySet<string> = new Set(["user", "assistant", "attachment", "system", "progress"])

export function classify(line: JsonObject): LineMeaning {
  return BY_TYPE[textField(line, "type") ?? ""]?.(line) ?? other(`type is "${textField(line, "type") ?? ""}"`)
}

const BY_TYPE: Readonly<Record<string, (line: JsonObject) => LineMeaning>> = {
  user: ofUser,
  assistant: ofAssistant,
  attachment: ofAttachment,
  system: ofSystem,
}

function ofSystem(line: JsonObject): LineMeaning {
  const why = `type is "system", subtype is "${textField(line, "subtype") ?? ""}"`
  return line.subtype === "local_command" ? said("command", why) : other(why)
}

function ofAssistant(line: JsonObject): LineMeaning {
  if (objectField(line, "message") === undefined) return other("it has no message")
  // Shown to the person but never sent.
  const made = textField(objectField(line, "message"), "model") === "<synthetic>"
  if (made && line.isApiErrorMessage === true) return other("isApiErrorMessage is true")
  return { kind: "message", role: "assistant", origin: "agent", why: 'type is "assistant"' }
}

function ofAttachment(line: JsonObject): LineMeaning {
  const origin = attachmentOrigin(line)
  const why = `attachment.type is "${textField(objectField(line, "attachment"), "type") ?? ""}"`
  return origin === undefined ? other(why) : said(origin, why)
}

/** From the most certain sign to the least: a field that only one kind has, then a mark that the program itself writes. */
function ofUser(line: JsonObject): LineMeaning {
  const message = objectField(line, "message")
  if (message === undefined) return other("it has no message")
  if (isResult(message)) return { kind: "message", role: "tool", origin: "tool", why: "its content is a tool_result" }
  if (line.isCompactSummary === true) return { kind: "compaction", why: "isCompactSummary is true" }
  const own = retconMark(line)
  if (own.origin !== undefined)
    return { ...said(own.origin, "retcon wrote it"), ...(own.turn === true && { turn: true }) }
  const text = firstText(message.content)
  if (text.startsWith("[Request interrupted by user"))
    return said("interrupt", "it says that the request was interrupted")
  if (line.isMeta === true) return ofMeta(line, text)
  const source = textField(line, "promptSource")
  if (source === "typed") return said("prompt", 'promptSource is "typed"')
  const marked = ofMark(text)
  if (marked !== undefined) return marked
  const kind = textField(objectField(line, "origin"), "kind")
  if (kind !== undefined && kind !== "human") return said("notification", `origin.kind is "${kind}"`)
  if (line.isSidechain === true) return said("task", "isSidechain is true")
  if (line.isVisibleInTranscriptOnly === true) return said("injection", "isVisibleInTranscriptOnly is true")
  if (kind !== undefined) return said("prompt", `origin.kind is "${kind}"`)
  return said("prompt", source === undefined ? "nothing says that the program wrote it" : `promptSource is "${source}"`)
}

function ofMeta(line: JsonObject, text: string): LineMeaning {
  if (typeof line.sourceToolUseID === "string") return said("skill", "isMeta is true, and sourceToolUseID names a call")
  if (/^[A-Za-z]+ hook feedback:/.test(text)) return said("hook", "isMeta is true, and it is a hook's feedback")
  return said("injection", "isMeta is true")
}

/** Marks that distinguish the program's own words from a person's. */
function ofMark(text: string): LineMeaning | undefined {
  if (text.startsWith("<command-message>")) {
    return { ...said("command", "it begins with <command-message>"), turn: true }
  }
  for (const [mark, origin] of MARKS) if (text.startsWith(mark)) return said(origin, `it begins with ${mark}`)
  for (const [mark, origin] of MARKS_WITHIN) if (text.includes(mark)) return said(origin, `it contains ${mark}`)
  return undefined
}

const MARKS: readonly [string, Origin][] = [
  ["<command-name>", "command"],
  ["<local-command-caveat>", "injection"],
  ["<bash-input>", "shell"],
  ["<teammate-message ", "notification"],
  ["<user-prompt-submit-hook>", "hook"],
]

const MARKS_WITHIN: readonly [string, Origin][] = [
  ["<local-command-stdout>", "command"],
  ["<local-command-stderr>", "command"],
  ["<bash-stdout>", "shell"],
  ["<bash-stderr>", "shell"],
  ["<task-notification>", "notification"],
  ["<tick>", "notification"],
]

function said(origin: Origin, why: string): LineMeaning {
  return { kind: "message", role: "user", origin, why }
}

function other(why: string): LineMeaning {
  return { kind: "other", why }
}

function isResult(message: JsonObject): boolean {
  const first = listField(message, "content")[0]
  return isObject(first) && first.type === "tool_result"
}

/** The first text of a message, leaving out what an editor adds. */
export function firstText(content: Json | undefined): string {
  if (typeof content === "string") return content
  const texts = Array.isArray(content) ? content.map((block) => textField(block, "text")) : []
  return texts.find((text) => text !== undefined && !isAdded(text)) ?? texts.find((text) => text !== undefined) ?? ""
}

/** Whether an editor added this block to what the person typed: the open file, the selected lines. */
export function isAdded(text: string): boolean {
  return /^<(?:ide_[a-z_]+|system-reminder)>/.test(text)
}
