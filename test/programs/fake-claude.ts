// A program that behaves as Claude Code was seen to, with `-p --output-format stream-json`: it prints its lines, and adds to its
// file.
import { chmodSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"

/**
 * Writes the program into a folder. `body`: JavaScript for one prompt, with `say(line)`, `prompt`, `args`, `settings`, `ask`.
 * `once`: an older version, which takes one prompt and knows no other mode. `start`: JavaScript to run before anything else.
 */
export function fakeClaude(folder: string, body: string, { once = false, start = "" } = {}): string {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, "claude")
  const turn = `const turn = async ({ prompt, print, ask, content }) => {\n${TURN}\n${body}\n}`
  writeFileSync(path, `#!${process.execPath}\n${BEFORE}\n${start}\n${turn}\n${once ? ONCE : TWO_WAY}\n`)
  chmodSync(path, 0o755)
  return path
}

const BEFORE = `
const fs = require("node:fs")
const args = process.argv.slice(2)
const at = args.indexOf("--settings")
const settings = at < 0 ? {} : JSON.parse(args[at + 1])
const session = args[args.indexOf(args.includes("--resume") ? "--resume" : "--session-id") + 1]
const out = (line) => process.stdout.write(JSON.stringify({ session_id: session, parent_tool_use_id: null, ...line }) + "\\n")
const result = { type: "result", subtype: "success", is_error: false, result: "", permission_denials: [] }
`

const ONCE = `
if (args.includes("--input-format")) { process.stderr.write("error: unknown option '--input-format'\\n"); process.exit(1) }
turn({ prompt: fs.readFileSync(0, "utf8"), print: out, ask: async () => ({ behavior: "deny" }) })
`

const TWO_WAY = `
const asked = new Map()
const waiting = []
let [asks, running] = [0, undefined]
const print = (line) => out(line)
const respond = (id, response) => print({ type: "control_response", response: { request_id: id, ...response } })
async function next() {
  const message = waiting.shift()
  if (message === undefined || running !== undefined) return
  const own = (running = { print: (line) => running === own && print(line), asked: undefined })
  const { content } = message.message
  print({ type: "user", message: message.message, uuid: message.uuid, isReplay: true })
  const prompt = content.filter(({ type }) => type === "text").map(({ text }) => text).join("\\n")
  const ask = (tool_name, input, more = {}) => new Promise((settle) => {
    const id = "ask-" + ++asks
    own.asked = id
    asked.set(id, settle)
    own.print({ type: "control_request", request_id: id, request: { subtype: "can_use_tool", tool_name, input, ...more } })
  })
  await turn({ prompt, content, ask, print: (line) => {
    own.print(line)
    if (line.type === "result" && running === own) { running = undefined; setImmediate(next) }
  } })
}
const controls = {
  initialize: () => ({ subtype: "success", response: { commands: [{ name: "review", description: "Review it", argumentHint: "[path]" }, { name: "clear", description: "" }], models: [{ value: "opus", displayName: "Opus", description: "Large" }], current_permission_mode: "default" } }),
  interrupt() {
    if (process.env.DEAF) return undefined
    if (running?.asked !== undefined) print({ type: "control_cancel_request", request_id: running.asked })
    if (running !== undefined) setImmediate(() => print({ ...result, subtype: "error_during_execution", is_error: true }))
    running = undefined
    return { subtype: "success", response: {} }
  },
  set_model: () => ({ subtype: "success", response: {} }),
  set_permission_mode: ({ mode }) => mode === "plan" ? { subtype: "success", response: { mode } } : { subtype: "error", error: "must be one of default, plan" },
}
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line)
  if (message.type === "control_request") {
    const answer = controls[message.request.subtype]?.(message.request)
    if (answer !== undefined) respond(message.request_id, answer)
  }
  if (message.type === "control_response") {
    const { request_id, response } = message.response
    asked.get(request_id)?.(response ?? message.response)
  }
  if (message.type === "user") { waiting.push(message); next() }
}).on("close", () => process.exit(0))
`

const TURN = `
const say = (line) => print({ session_id: session, parent_tool_use_id: null, ...line })
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
const tool = (id, content, is_error = false) =>
  say({ type: "user", message: { content: [{ type: "tool_result", tool_use_id: id, content, is_error }] } })
const end = (more = {}) => say({ ...result, ...more })
`

/** In the file that SESSION_FILE names, without a word: adds what Claude Code adds for a prompt and its answer, below the last line that is in the tree. */
export const CLAUDE_RECORDS = `
const file = process.env.SESSION_FILE || process.env.SESSION_FOLDER + "/" + session + ".jsonl"
const lines = !fs.existsSync(file) ? [] : fs.readFileSync(file, "utf8").trimEnd().split("\\n").map((line) => JSON.parse(line))
const checkpoint = lines.findLast(({ type }) => type === "last-prompt")
let parentUuid = checkpoint?.leafUuid ?? null
const write = (type, message) => {
  const uuid = require("node:crypto").randomUUID()
  const at = { parentUuid, isSidechain: false, cwd: process.cwd(), type, message, uuid, timestamp: new Date().toISOString(), sessionId: session, version: "2.1.325" }
  fs.appendFileSync(file, JSON.stringify(at) + "\\n")
  parentUuid = uuid
}
const calling = (id, name, input) =>
  write("assistant", { id: "msg_" + id, type: "message", role: "assistant", content: [{ type: "tool_use", id, name, input }] })
const done = (id) => {
  write("user", { role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "done" }] })
  tool(id, "done")
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
export const WAITS_FOR_A_STOP = `await new Promise((settle) => setTimeout(settle, 60_000))`
