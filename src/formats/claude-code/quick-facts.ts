// Reads the facts of the most common lines from a few of their bytes: pieces of answers, tool results, attachments, and lines
// without a place in the tree. Their bodies are not parsed.
//
// Inside a JSON string a quote is always escaped, so `"uuid":"` in the bytes is a key. Which object it belongs to follows from
// the order in which the program writes keys, or from there being only plain values up to the end of the line. Lines in any other
// form are left to `factsOf`, which parses them. Both agree on every line that is valid JSON.
import { matches } from "../../model/bytes.ts"
import { readIdWords } from "../../model/id-words.ts"
import { isOwnAttachment } from "./attachment.ts"
import type { LineMeaning } from "./classify.ts"
import type { LineFacts } from "./line-facts.ts"
import { Pairs } from "./pairs.ts"

const QUOTE = 34
const LIST = 91
const OPEN = 123
const CLOSE = 125
const ID_LENGTH = 36
/** How many bytes at the end of a line to search for the fields that every version writes last. */
const TAIL = 1024

const AT_TYPE = Buffer.from('{"type":"')
const AT_PARENT = Buffer.from('{"parentUuid":')
const NULL = Buffer.from("null")
const TRUE = Buffer.from("true")
const UUID = Buffer.from('"uuid":"')
const RESULT_UUID = Buffer.from(']},"uuid":"')
const ANSWER_UUID = Buffer.from('"type":"assistant","uuid":"')
const ATTACHED_UUID = Buffer.from('"type":"attachment","uuid":"')
const TURN_DURATION = Buffer.from('"system","subtype":"turn_duration",')
const TIMESTAMP = Buffer.from('","timestamp":"')
const SESSION = Buffer.from('"sessionId":"')
const [USER, ASSISTANT, PROGRESS, RESULT, CALL, SYNTHETIC] = [
  "user",
  "assistant",
  "progress",
  "tool_result",
  "tool_use",
  "<synthetic>",
].map((word) => Buffer.from(`"${word}"`)) as [Buffer, Buffer, Buffer, Buffer, Buffer, Buffer]
const KEY = Object.fromEntries(
  ["message", "attachment", "data", "isSidechain", "type", "uuid", "content", "id", "role", "model"].map((key) => [
    key,
    Buffer.from(key),
  ]),
) as Record<
  "message" | "attachment" | "data" | "isSidechain" | "type" | "uuid" | "content" | "id" | "role" | "model",
  Buffer
>

/** Types that matter, of lines that begin with their type. All others are ignored. */
const TELLING = ["user", "assistant", "attachment", "system", "progress", "last-prompt", "summary", "custom-title"]
  .concat("ai-title")
  .map((type) => Buffer.from(`${type}"`))

const SAID_BY_TOOL: LineMeaning = { kind: "message", role: "tool", origin: "tool", why: "" }
const SAID_BY_AGENT: LineMeaning = { kind: "message", role: "assistant", origin: "agent", why: "" }
const OTHER: LineMeaning = { kind: "other", why: "" }

const pairs = new Pairs()

/** `row`: the facts are filled in. `nothing`: the line has no place in the tree. `ask`: it must be parsed. */
export function quickFacts(bytes: Buffer, start: number, end: number, facts: LineFacts): "row" | "nothing" | "ask" {
  if (bytes[end - 1] !== CLOSE) return "ask"
  if (matches(bytes, start, AT_TYPE)) return TELLING.some((type) => matches(bytes, start + 9, type)) ? "ask" : "nothing"
  if (!matches(bytes, start, AT_PARENT)) return "ask"
  let at = start + AT_PARENT.length
  facts.hasParent = bytes[at] === QUOTE
  if (facts.hasParent) {
    if (!readIdWords(bytes, at + 1, facts.parent) || bytes[at + 1 + ID_LENGTH] !== QUOTE) return "ask"
    at += ID_LENGTH + 2
  } else if (matches(bytes, at, NULL)) at += NULL.length
  else return "ask"
  facts.type = ""
  facts.sidechain = false
  facts.answer = undefined
  facts.calls = false
  return readLine(bytes, at, end, facts) ? "row" : "ask"
}

function readLine(bytes: Buffer, start: number, end: number, facts: LineFacts): boolean {
  pairs.from(bytes, start, end)
  while (pairs.next()) {
    if (pairs.keyIs(KEY.message)) return readMessage(bytes, end, facts)
    if (pairs.keyIs(KEY.attachment)) return readAttachment(bytes, end, facts)
    if (pairs.keyIs(KEY.data)) return facts.type === "progress" && readTail(bytes, UUID, end, facts, OTHER)
    if (pairs.keyIs(KEY.isSidechain)) facts.sidechain = matches(bytes, pairs.at, TRUE)
    else if (pairs.keyIs(KEY.type)) {
      if (matches(bytes, pairs.at, USER)) facts.type = "user"
      else if (matches(bytes, pairs.at, PROGRESS)) facts.type = "progress"
      else return matches(bytes, pairs.at, TURN_DURATION) && readPlain(bytes, end, facts)
    } else if (pairs.keyIs(KEY.uuid)) return false
    if (!pairs.skip()) return false
  }
  return false
}

/** Reads a line with only plain values, such as how long a turn took. */
function readPlain(bytes: Buffer, end: number, facts: LineFacts): boolean {
  facts.type = "system"
  return readTail(bytes, UUID, end, facts, OTHER)
}

function readMessage(bytes: Buffer, end: number, facts: LineFacts): boolean {
  if (bytes[pairs.at] !== OPEN) return false
  pairs.at++
  let assistant = false
  while (pairs.next()) {
    if (pairs.keyIs(KEY.content)) break
    const value = pairs.at
    if (pairs.keyIs(KEY.role)) assistant = matches(bytes, value, ASSISTANT)
    else if (pairs.keyIs(KEY.model) && matches(bytes, value, SYNTHETIC)) return false
    const id = pairs.keyIs(KEY.id)
    if (!pairs.skip()) return false
    if (id) facts.answer = bytes.toString("latin1", value + 1, pairs.at - 1)
  }
  if (bytes[pairs.at] !== LIST || bytes[pairs.at + 1] !== OPEN) return false
  const content = pairs.at
  const block = blockType(bytes)
  if (facts.type === "user") {
    if (assistant || !matches(bytes, block, RESULT)) return false
    facts.answer = undefined
    return readAfter(bytes, forward(bytes, RESULT_UUID, content, end), RESULT_UUID, end, facts)
  }
  if (facts.type !== "" || !assistant || facts.answer === undefined || facts.answer.includes("\\")) return false
  facts.type = "assistant"
  facts.calls = matches(bytes, block, CALL)
  return readTail(bytes, ANSWER_UUID, end, facts, SAID_BY_AGENT)
}

/** The offset of the first block's type; -1 unless it comes before anything long. */
function blockType(bytes: Buffer): number {
  pairs.at += 2
  while (pairs.next()) {
    if (pairs.keyIs(KEY.type)) return pairs.at
    if (pairs.keyIs(KEY.content) || !pairs.skip()) return bytes.length
  }
  return bytes.length
}

function readAttachment(bytes: Buffer, end: number, facts: LineFacts): boolean {
  if (facts.type !== "" || bytes[pairs.at] !== OPEN) return false
  const body = pairs.at++
  if (!pairs.next() || !pairs.keyIs(KEY.type) || bytes[pairs.at] !== QUOTE) return false
  const type = pairs.at + 1
  if (!pairs.skip() || !isOwnAttachment(bytes.toString("latin1", type, pairs.at - 1))) return false
  facts.type = "attachment"
  const found = readAfter(bytes, backward(bytes, ATTACHED_UUID, body, end), ATTACHED_UUID, end, facts)
  facts.said = OTHER
  return found
}

/** Reads the id after a key that other than plain values may follow. The line must end as expected. */
function readAfter(bytes: Buffer, found: number, key: Buffer, end: number, facts: LineFacts): boolean {
  if (found === -1) return false
  facts.said = SAID_BY_TOOL
  const id = found + key.length
  if (!readIdWords(bytes, id, facts.id) || !matches(bytes, id + ID_LENGTH, TIMESTAMP)) return false
  const tail = Math.max(id + ID_LENGTH, end - TAIL)
  const session = backward(bytes, SESSION, tail, end)
  if (session === -1) return false
  pairs.from(bytes, session, end)
  return pairs.isPlainToEnd()
}

/** Reads the id after a key that only plain values follow. */
function readTail(bytes: Buffer, key: Buffer, end: number, facts: LineFacts, said: LineMeaning): boolean {
  const found = backward(bytes, key, Math.max(pairs.at, end - TAIL), end)
  if (found === -1) return false
  const id = found + key.length
  if (!readIdWords(bytes, id, facts.id)) return false
  facts.said = said
  pairs.from(bytes, id - UUID.length, end)
  return pairs.isPlainToEnd()
}

/** How many searches ran past the bounds of their line. A hostile file may cause many. */
let strays = 0
const MOST_STRAYS = 256

/** The first offset of a key between two bounds, or -1. A search within bounds needs a view of the bytes, which is the main cost. */
function forward(bytes: Buffer, key: Buffer, from: number, end: number): number {
  if (strays > MOST_STRAYS) {
    const found = bytes.subarray(from, end).indexOf(key)
    return found === -1 ? -1 : from + found
  }
  const found = bytes.indexOf(key, from)
  if (found !== -1 && found < end) return found
  strays++
  return -1
}

/** The same, for the last occurrence. */
function backward(bytes: Buffer, key: Buffer, from: number, end: number): number {
  if (strays > MOST_STRAYS) {
    const found = bytes.subarray(from, end).lastIndexOf(key)
    return found === -1 ? -1 : from + found
  }
  const found = bytes.lastIndexOf(key, end - key.length)
  if (found >= from) return found
  strays++
  return -1
}
