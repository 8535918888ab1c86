// opencode's hooks: a plugin in a separate file. It runs our hook with the same input as Claude Code would.
import { join } from "node:path"
import type { AgentHomes } from "../formats/port.ts"
import { textField } from "../formats/shared/json-line.ts"
import { type JsonObject, parseJson } from "../model/json.ts"
import { hookCommand, readCommand } from "./command.ts"
import type { AgentHooks, HookSettings } from "./port.ts"
import { type InputStyle, ROUND_MOMENTS, readInput } from "./read-input.ts"

const INPUT: InputStyle = {
  moments: ROUND_MOMENTS,
  prompt: "prompt_id",
  paths,
}

export const opencodeHooks: AgentHooks = {
  agent: "opencode",
  read: (input) => readInput(input, INPUT),
  // opencode already passes the session's own folder. Its sessions are in a database, which cannot be searched for results.
  startedIn: () => undefined,
  resultMark: (call) => call,
  settings: plugin(),
  note: "opencode loads it when it starts.",
}

function plugin(): HookSettings {
  return {
    file: (homes, cwd) =>
      join(cwd === undefined ? configFolder(homes) : join(cwd, ".opencode"), "plugins", "retcon.js"),
    add: (text, program) =>
      text === "" || commandIn(text) !== undefined
        ? { ok: true, text: source(hookCommand(program, "opencode")) }
        : { ok: false, problem: "it is a plugin that retcon did not write" },
    remove: (text) => ({ ok: true, text: commandIn(text) === undefined ? text : "" }),
    read: (text) => {
      const command = commandIn(text)
      return command === undefined ? [] : EVENTS.map((event) => ({ event, command }))
    },
  }
}

const EVENTS = ["chat.message", "tool.execute.before", "tool.execute.after", "session.idle"]

function configFolder({ home, env }: AgentHomes): string {
  return env.OPENCODE_CONFIG_DIR || join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode")
}

const COMMAND_LINE = /^const COMMAND = (".*")$/m
/** What earlier versions wrote: the command as it is, whatever it contains. */
const RAW_COMMAND = /^const COMMAND = String\.raw`(.*?)`$/ms

function commandIn(text: string): string | undefined {
  const printed = parseJson(COMMAND_LINE.exec(text)?.[1] ?? "")
  const command = printed.ok ? printed.value : RAW_COMMAND.exec(text)?.[1]
  return typeof command === "string" && readCommand(command) !== undefined ? command : undefined
}

/** Contract: never makes the call fail, and says nothing to the model. */
function source(command: string): string {
  return `// Written by retcon: snapshots of what opencode does. Remove it with: retcon hooks uninstall opencode
import { spawn } from "node:child_process"

const COMMAND = ${JSON.stringify(command)}
const READING = new Set(["read", "glob", "grep", "list", "ls", "webfetch", "websearch", "todoread", "todowrite", "question"])

export const Retcon = async ({ directory }) => {
  const prompts = new Map()
  const run = (event, session, more) =>
    new Promise((done) => {
      const child = spawn("/bin/sh", ["-c", COMMAND], { stdio: ["pipe", "ignore", "ignore"] })
      child.on("error", () => done())
      child.on("close", () => done())
      child.stdin.on("error", () => {})
      const about = { hook_event_name: event, session_id: session, cwd: directory, prompt_id: prompts.get(session) }
      child.stdin.end(JSON.stringify({ ...about, ...more }))
    })
  const call = ({ tool, callID }, args) => ({ tool_name: tool, tool_use_id: callID, tool_input: args ?? {} })
  return {
    "chat.message": async ({ sessionID }, output) => {
      prompts.set(sessionID, output?.message?.id)
      await run("UserPromptSubmit", sessionID)
    },
    "tool.execute.before": async (input, output) => {
      if (!READING.has(input.tool)) await run("PreToolUse", input.sessionID, call(input, output?.args))
    },
    "tool.execute.after": async (input) => {
      if (!READING.has(input.tool)) await run("PostToolUse", input.sessionID, call(input, input.args))
    },
    event: async ({ event }) => {
      const session = event?.properties?.sessionID
      if (event?.type === "session.idle" && prompts.has(session)) await run("Stop", session)
    },
  }
}
`
}

const EDITS: ReadonlySet<string> = new Set(["edit", "write", "multiedit"])

function paths(tool: string, input: JsonObject): string[] | undefined {
  const path = textField(input, "filePath")
  return path === undefined || !EDITS.has(tool) ? undefined : [path]
}
