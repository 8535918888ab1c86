// A program that behaves as `claude -p --resume … --output-format stream-json` was seen to: it prints its lines, and adds to
// its file.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/** Writes the program into a folder. `body`: JavaScript with `say(line)`, `prompt`, `args` and `settings`. */
export function fakeClaude(folder: string, body: string): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, "claude")
  writeFileSync(path, `#!${process.execPath}\n${BEFORE};(async () => {\n${body}\n})()\n`)
  chmodSync(path, 0o755)
  return path
}

const BEFORE = `
const fs = require("node:fs")
const args = process.argv.slice(2)
const prompt = fs.readFileSync(0, "utf8")
const at = args.indexOf("--settings")
const settings = at < 0 ? {} : JSON.parse(args[at + 1])
const session = args[args.indexOf("--resume") + 1]
const say = (line) => process.stdout.write(JSON.stringify({ session_id: session, parent_tool_use_id: null, ...line }) + "\\n")
const delta = (delta) => say({ type: "stream_event", event: { type: "content_block_delta", index: 0, delta } })
const text = (text, { id, stored = () => {} } = {}) => {
  const usage = { input_tokens: 100, output_tokens: 1, cache_read_input_tokens: 0 }
  say({ type: "stream_event", event: { type: "message_start", message: { id, usage } } })
  delta({ type: "text_delta", text })
  stored()
  say({ type: "assistant", message: { content: [{ type: "text", text }] } })
  say({ type: "stream_event", event: { type: "message_delta", usage: { output_tokens: 20 } } })
  say({ type: "stream_event", event: { type: "message_stop" } })
}
const call = (id, name, input) => say({ type: "assistant", message: { content: [{ type: "tool_use", id, name, input }] } })
const result = (id, content, is_error = false) =>
  say({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content, is_error }] } })
const end = (more = {}) => say({ type: "result", subtype: "success", is_error: false, result: "", permission_denials: [], ...more })
`

/** In the file that SESSION_FILE names, without a word: adds what Claude Code adds for a prompt and its answer, below the last line that is in the tree. */
export const CLAUDE_RECORDS = `
const file = process.env.SESSION_FILE
const lines = fs.readFileSync(file, "utf8").trimEnd().split("\\n").map((line) => JSON.parse(line))
const checkpoint = lines.findLast(({ type }) => type === "last-prompt")
let parentUuid = checkpoint.leafUuid ?? null
const write = (type, message) => {
  const uuid = require("node:crypto").randomUUID()
  const at = { parentUuid, isSidechain: false, type, message, uuid, timestamp: new Date().toISOString(), sessionId: session, version: "2.1.325" }
  fs.appendFileSync(file, JSON.stringify(at) + "\\n")
  parentUuid = uuid
}
const answer = (words) => {
  const id = "msg_" + lines.length
  const store = () => write("assistant", { id, type: "message", role: "assistant", content: [{ type: "text", text: words }] })
  if (process.env.STORES_FIRST) {
    store()
    // A line between, at which whoever listens reads the file: whatever it has read before, it knows the answer now.
    say({ type: "system", subtype: "status" })
  }
  text(words, { id, stored: process.env.STORES_FIRST ? undefined : store })
  const leaf = { type: "last-prompt", lastPrompt: prompt, leafUuid: parentUuid, sessionId: session }
  fs.appendFileSync(file, JSON.stringify(leaf) + "\\n")
}
write("user", { role: "user", content: prompt })
`

/** The same, and it says that it has begun. */
export const CLAUDE_ANSWERS = `${CLAUDE_RECORDS}; say({ type: "system", subtype: "init" })`

/** A model that does not answer. */
export const WAITS_FOR_A_STOP = `process.on("SIGINT", () => process.exit(130)); setInterval(() => {}, 1000)`
