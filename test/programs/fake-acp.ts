// A program that speaks the Agent Client Protocol as real ones were seen to, with their faults. It does what a prompt says.
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { type AcpProgramOptions, acpProgram } from "../../src/programs/acp/client.ts"
import type { AcpLaunch } from "../../src/programs/acp/launch.ts"
import type { AgentProgram } from "../../src/programs/port.ts"
import { temporaryFolder } from "../formats/read-session.ts"

export const FAKE_LAUNCH: AcpLaunch = {
  agent: "kimi-code",
  command: ["fake-acp", "acp"],
  install: "npm install fake-acp",
  login: "fake-acp login",
  env: /^FAKE_/,
  greets: true,
  callPrefix: /^\d+:/,
}

/** `start`: as in the contract of programs. `can`: its session capabilities. */
export function fakeAcp(start = "as usual", more: Partial<AcpProgramOptions> = {}, can: object = {}): AgentProgram {
  const program = join(temporaryFolder(), "fake-acp")
  writeFileSync(program, `#!${process.execPath}\n${FAKE_ACP}`)
  chmodSync(program, 0o755)
  const env = { PATH: process.env.PATH, FAKE_START: start, FAKE_CAN: JSON.stringify(can), ...more.env }
  return acpProgram({ launch: FAKE_LAUNCH, program, version: "0", now: () => Date.now(), ...more, env })
}

/** Its text. */
export const FAKE_ACP = `
const { spawn } = require("node:child_process")
const start = process.env.FAKE_START
if (start === "dies") { console.error("no such thing"); process.exit(4) }
if (start === "stays when asked to end") { process.on("SIGTERM", () => {}); setInterval(() => {}, 1000) }
console.log("A banner that is no JSON")
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n")
const update = (update) => send({ method: "session/update", params: { sessionId: "s1", update } })
const text = (text, sessionUpdate = "agent_message_chunk") => update({ sessionUpdate, content: { type: "text", text } })
let [next, prompt] = [0, undefined]
const waiting = new Map()
const ask = (method, params) => new Promise((settle) => { waiting.set(++next, settle); send({ id: next, method, params }) })
const options = [
  { optionId: "yes", name: "Yes", kind: "allow_once" },
  { optionId: "all", name: "Yes, and do not ask again", kind: "allow_always" },
  { optionId: "no", name: "No", kind: "reject_once" },
]
const permission = async (toolCall, offered = options) =>
  (await ask("session/request_permission", { sessionId: "s1", toolCall, options: offered })).result.outcome
const TOUCH = { toolCallId: "c1", title: "touch x", kind: "execute", rawInput: { command: "touch x" } }

/** As pi records it, in the file that FAKE_PI names. */
function record(message) {
  const fs = require("node:fs")
  const last = JSON.parse(fs.readFileSync(process.env.FAKE_PI, "utf8").trimEnd().split("\\n").at(-1))
  const id = require("node:crypto").randomBytes(4).toString("hex")
  const line = { type: "message", id, parentId: last.id, timestamp: new Date().toISOString(), message }
  fs.appendFileSync(process.env.FAKE_PI, JSON.stringify(line) + "\\n")
}
function writes(words, path) {
  const said = (text) => [{ type: "text", text }]
  record({ role: "user", content: said(words) })
  const input = { path, content: "new" }
  record({ role: "assistant", content: [{ type: "toolCall", id: "w1", name: "write", arguments: input }] })
  update({ sessionUpdate: "tool_call", toolCallId: "w1", title: "write", kind: "edit", status: "in_progress", rawInput: input })
  require("node:fs").writeFileSync(path, "new")
  record({ role: "toolResult", toolCallId: "w1", toolName: "write", content: said("Done."), isError: false })
  update({ sessionUpdate: "tool_call_update", toolCallId: "w1", status: "completed" })
  record({ role: "assistant", content: said("It is written.") })
  text("It is written.")
}

async function work(words) {
  const [, path] = /^write (.*)$/.exec(words) ?? []
  if (path !== undefined) return writes(words, path)
  const [, told] = /^say ([^]*)$/.exec(words) ?? []
  if (told !== undefined) return text(told)
  if (words === "record") { record({ role: "user", content: [{ type: "text", text: words }] }); return new Promise(() => {}) }
  if (words === "silent" || words === "deaf") return new Promise(() => {})
  if (words === "dies") process.exit(3)
  if (words === "huge") { const more = () => process.stdout.write("x".repeat(1 << 20), more); more(); return new Promise(() => {}) }
  if (words === "child") return text(String(spawn("sleep", ["600"], { stdio: "ignore" }).pid))
  if (words === "asks then dies") { void permission(TOUCH); setTimeout(() => process.exit(3), 50); return new Promise(() => {}) }
  if (words === "ask") {
    const { outcome, optionId } = await permission(TOUCH)
    return text(outcome === "cancelled" ? "cancelled" : { yes: "allowed", all: "always", no: "refused" }[optionId])
  }
  if (words === "odd") {
    console.log("not JSON")
    update({ sessionUpdate: "from_the_future", of: 1 })
    update({ sessionUpdate: "tool_call_update" })
    send({ method: "_vendor/status", params: {} })
    const { error } = await ask("_vendor/please", {})
    return text("odd: " + (error?.code === -32601 ? "refused" : "answered"))
  }
  if (words === "files") {
    // Although it was told that there is no such method.
    const { error } = await ask("fs/write_text_file", { sessionId: "s1", path: "/x", content: "" })
    return text("wrote it myself: " + error.code)
  }
  if (words === "steps") {
    text("Hm.", "agent_thought_chunk")
    text("First ")
    text("this.")
    update({ sessionUpdate: "tool_call", ...TOUCH, toolCallId: "1:c1", status: "pending" })
    update({ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "in_progress" })
    update({ sessionUpdate: "tool_call_update", toolCallId: "c1", status: "completed", content: [{ type: "content", content: { type: "text", text: "done" } }] })
    update({ sessionUpdate: "usage_update", used: 10, size: 100 })
    return text("Then that.")
  }
  if (words === "edit")
    // No call before the question, and a path that is relative.
    return permission({ toolCallId: "e1", title: "Edit a.txt", kind: "edit", content: [{ type: "diff", path: "a.txt", oldText: "one\\n", newText: "two\\n" }] })
  if (words === "asks nothing known") {
    const { outcome } = await permission({ toolCallId: "p1", title: "Which plan?" }, [{ optionId: "a", name: "Plan A", kind: "plan" }])
    return text(outcome)
  }
  if (words === "vague") return permission({ toolCallId: "v1", title: "Proposed amendment", content: [{ type: "content", content: { type: "text", text: "rm -rf x" } }] })
  throw new Error("overloaded")
}

async function answer({ id, method, params, result, error }) {
  if (method === undefined) { waiting.get(id)?.({ result, error }); return }
  if (start === "mute") return
  const reply = (result) => send({ id, result })
  if (method === "initialize") {
    if (JSON.stringify(params.clientCapabilities) !== '{"fs":{"readTextFile":false,"writeTextFile":false},"terminal":false}') process.exit(9)
    return reply({ protocolVersion: 1, agentCapabilities: { loadSession: true, promptCapabilities: { image: true }, sessionCapabilities: JSON.parse(process.env.FAKE_CAN ?? "{}") } })
  }
  if (method === "session/new") {
    if (start === "not logged in") return send({ id, error: { code: -32000, message: "Authentication required" } })
    send({ method: "_auth/status_update", params: {} })
    const modes = { currentModeId: "plan", availableModes: [{ id: "plan", name: "Plan", description: "reads only" }, { id: "do", name: "Do" }] }
    const configOptions = [{ id: "m", name: "Model", category: "model", type: "select", currentValue: "big", options: [{ name: "Ours", options: [{ value: "big", name: "Big" }, { value: "small", name: "Small" }] }] }]
    reply({ sessionId: "s1", modes, configOptions })
    text("Welcome to the agent!")
    return update({ sessionUpdate: "available_commands_update", availableCommands: [{ name: "init", description: "Set up", input: { hint: "where" } }] })
  }
  if (method === "session/load") { text("an old answer"); update({ sessionUpdate: "tool_call", ...TOUCH, status: "completed" }); return reply({}) }
  if (method === "session/resume") return reply({})
  if (method === "session/set_mode") return params.modeId === "do" ? reply({}) : send({ id, error: { code: -32602, message: "No such mode" } })
  if (method === "session/set_config_option") return reply({ configOptions: [{ id: "m", category: "model", options: [{ value: "small" }], currentValue: params.value }] })
  if (method === "session/cancel") {
    if (prompt?.words !== "deaf") prompt?.stop()
    return
  }
  if (method !== "session/prompt") return send({ id, error: { code: -32601, message: "Method not found" } })
  const words = params.prompt.map((block) => block.text ?? block.mimeType).join("+")
  const stopped = new Promise((stop) => { prompt = { words, stop: () => stop("cancelled") } })
  try {
    const stopReason = await Promise.race([work(words).then(() => "end_turn"), stopped])
    reply({ stopReason, usage: { inputTokens: 7, outputTokens: 3 } })
  } catch ({ message }) {
    send({ id, error: { code: -32603, message: "Internal error", data: { details: message } } })
  }
}
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => void answer(JSON.parse(line)))
`
