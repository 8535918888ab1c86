// The first line of a rollout file.
import type { Json, JsonObject } from "../../model/json.ts"
import { firstLine, numberField, objectField, textField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"

/** What a file continues: a part of another file. */
export interface HistoryBase {
  rollout: string
  endOffset: number
}

export interface CodexHeader {
  thread: string
  at: string
  cwd: string
  version: string
  base: HistoryBase | undefined
  /** The thread that this one was forked from. */
  forkedFrom: string | undefined
  /** The thread whose task this one works on. */
  parent: string | undefined
}

/** It contains the instructions, and is rarely longer than this. */
const LONGEST_HEADER = 1024 * 1024

/** No file is longer. */
const LONGEST_FILE = 2 ** 44

export function readHeader(path: string): CodexHeader | undefined {
  const first = firstLine(readHead(path, LONGEST_HEADER))
  return first === undefined ? undefined : codexHeader(first)
}

/** Undefined if the line is not a header. */
export function codexHeader(line: JsonObject): CodexHeader | undefined {
  const payload = objectField(line, "payload")
  if (line.type !== "session_meta" || payload === undefined) return undefined
  const [thread, cwd] = [textField(payload, "id"), textField(payload, "cwd")]
  if (thread === undefined || cwd === undefined) return undefined
  return {
    thread: thread.toLowerCase(),
    at: textField(payload, "timestamp") ?? textField(line, "timestamp") ?? "",
    cwd,
    version: textField(payload, "cli_version") ?? "",
    base: baseOf(payload),
    forkedFrom: textField(payload, "forked_from_id"),
    parent: textField(payload, "parent_thread_id") ?? spawnedBy(payload.source),
  }
}

function baseOf(payload: JsonObject): HistoryBase | undefined {
  const base = objectField(payload, "history_base")
  const [rollout, endOffset] = [textField(base, "thread_id"), numberField(base, "end_byte_offset")]
  if (rollout === undefined || !Number.isSafeInteger(endOffset) || endOffset === undefined) return undefined
  if (endOffset < 0 || endOffset >= LONGEST_FILE) return undefined
  return { rollout: rollout.toLowerCase(), endOffset }
}

/** Older versions record it only here. */
function spawnedBy(source: Json | undefined): string | undefined {
  return textField(objectField(objectField(source, "subagent"), "thread_spawn"), "parent_thread_id")
}

/** Reads what comes before the instructions, if those do not fit into the bytes at hand. */
export function headerInPart(head: Buffer): Pick<CodexHeader, "thread" | "cwd" | "forkedFrom" | "parent"> | undefined {
  const whole = firstLine(head)
  if (whole !== undefined) return codexHeader(whole)
  const text = head.toString("utf8").split("\n", 1)[0] as string
  if (!/^\{[^{}]*"type":"session_meta"/.test(text)) return undefined
  const before = text.slice(0, text.indexOf('"base_instructions"') >>> 0)
  const [thread, cwd] = [fieldIn(before, "id"), fieldIn(before, "cwd")]
  if (thread === undefined || cwd === undefined) return undefined
  const [forkedFrom, parent] = [fieldIn(before, "forked_from_id"), fieldIn(before, "parent_thread_id")]
  return { thread: thread.toLowerCase(), cwd, forkedFrom, parent }
}

function fieldIn(text: string, field: string): string | undefined {
  const found = new RegExp(`[{,]"${field}":("(?:[^"\\\\]|\\\\.)*")`).exec(text)?.[1]
  return found === undefined ? undefined : textField(firstLine(Buffer.from(`{"value":${found}}`)), "value")
}
