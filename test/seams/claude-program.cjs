// A program that writes into a session of Claude Code as that does, with retcon's hook in its settings: `claude -p`, started by
// `retcon serve`, or by a person beside it. It finds where to continue by the rule of the real program's loader.
// SESSION_FILE: the session. CLAUDE_HOOK: the hook's program. GO: a file for which a prompt that begins with "wait" waits.
const { spawnSync } = require("node:child_process")
const { randomUUID } = require("node:crypto")
const fs = require("node:fs")
const path = require("node:path")

/** Where the program continues a session: the loader of 2.1.197, without compactions. Null: the conversation is empty. */
function leafOf(lines) {
  const rows = new Map()
  let [last, checkpoint, explicit, cleared] = [null, undefined, false, false]
  for (const line of lines) {
    if (line.type === "user" || line.type === "assistant") {
      rows.set(line.uuid, line)
      ;[last, explicit, cleared] = [line.uuid, false, false]
    } else if (line.type === "last-prompt" && typeof line.leafUuid === "string") {
      explicit = line.explicit === true || (explicit && line.leafUuid === checkpoint)
      ;[checkpoint, cleared] = [line.leafUuid, false]
    } else if (line.type === "last-prompt" && line.leafUuid === null && line.explicit === true)
      [cleared, checkpoint] = [true, undefined]
  }
  if (cleared) return null
  if (!rows.has(checkpoint)) return last
  const isBelow = (uuid) => {
    for (let at = uuid; at !== null && at !== undefined; at = rows.get(at)?.parentUuid)
      if (at === checkpoint) return true
    return false
  }
  return !explicit && isBelow(last) ? last : checkpoint
}

/** Whole lines: the last one may be in the making. */
function linesOf(file) {
  const lines = fs.readFileSync(file, "utf8").split("\n")
  return lines.slice(0, -1).map((line) => JSON.parse(line))
}

module.exports = { leafOf, linesOf }

async function main() {
  // An older version: it takes one prompt, and knows no other way.
  if (process.argv.includes("--input-format")) {
    process.stderr.write("error: unknown option '--input-format'\n")
    process.exit(1)
  }
  const file = process.env.SESSION_FILE
  const cwd = process.cwd()
  const prompt = fs.readFileSync(0, "utf8")
  const session = path.basename(file, ".jsonl")
  const say = (line) =>
    process.stdout.write(`${JSON.stringify({ session_id: session, parent_tool_use_id: null, ...line })}\n`)
  const promptId = randomUUID()
  const stat = fs.readFileSync("/proc/self/stat", "latin1")
  const registered = path.join(process.env.HOME, ".claude/sessions", `${process.pid}.json`)
  const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19]
  fs.mkdirSync(path.dirname(registered), { recursive: true })
  fs.writeFileSync(registered, JSON.stringify({ pid: process.pid, sessionId: session, procStart }))
  process.on("exit", () => fs.rmSync(registered, { force: true }))
  for (const signal of ["SIGINT", "SIGTERM"]) process.on(signal, () => process.exit(143))

  let parentUuid = fs.existsSync(file) ? leafOf(linesOf(file)) : null
  const write = (type, message) => {
    const uuid = randomUUID()
    const about = { uuid, timestamp: new Date().toISOString(), cwd, sessionId: session, version: "2.1.325" }
    const line = { parentUuid, isSidechain: false, promptId, type, message, ...about }
    fs.appendFileSync(file, `${JSON.stringify(line)}\n`)
    parentUuid = uuid
  }
  const answer = (block) => {
    const message = { id: `msg_${randomUUID()}`, type: "message", role: "assistant", content: [block], usage: {} }
    write("assistant", message)
    say({ type: "assistant", message })
  }
  const hook = (event, more = {}) => {
    const input = {
      session_id: session,
      transcript_path: file,
      cwd,
      prompt_id: promptId,
      hook_event_name: event,
      ...more,
    }
    const words = [process.env.CLAUDE_HOOK, "claude-code"]
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      input: JSON.stringify(input),
      encoding: "utf8",
    })
    if (status !== 0 || stdout !== "" || stderr !== "") throw new Error(`the hook said ${status} ${stdout}${stderr}`)
  }

  hook("UserPromptSubmit", { prompt })
  write("user", { role: "user", content: prompt })
  say({ type: "system", subtype: "init" })
  const [, name, content] = /create (\S+) with (\S+)/.exec(prompt) ?? []
  if (prompt.startsWith("wait")) {
    answer({ type: "text", text: "I wait." })
    while (!fs.existsSync(process.env.GO)) await new Promise((next) => setTimeout(next, 10))
  }
  if (name !== undefined) {
    const id = `toolu_${randomUUID()}`
    const input = { file_path: path.join(cwd, name), content }
    const call = { tool_name: "Write", tool_use_id: id, tool_input: input }
    hook("PreToolUse", call)
    answer({ type: "tool_use", id, name: "Write", input })
    fs.writeFileSync(input.file_path, content)
    hook("PostToolUse", call)
    write("user", { role: "user", content: [{ tool_use_id: id, type: "tool_result", content: "ok" }] })
  }
  hook("Stop", { stop_hook_active: false })
  answer({ type: "text", text: "Done." })
  const leaf = { type: "last-prompt", lastPrompt: prompt, leafUuid: parentUuid, sessionId: session }
  fs.appendFileSync(file, `${JSON.stringify(leaf)}\n`)
  say({ type: "result", subtype: "success", is_error: false, result: "", permission_denials: [] })
}

if (require.main === module)
  main().catch((error) => {
    process.stderr.write(`${error.stack}\n`)
    process.exit(1)
  })
