// GitHub Copilot CLI's sessions: a folder per session, with a line for each event in `events.jsonl`.
import { dirname, join } from "node:path"
import type { JsonObject } from "../../model/json.ts"
import { lineMarks } from "../../model/line-marks.ts"
import type { Part, Usage } from "../../model/record/record.ts"
import { sessionIdOf } from "../ids.ts"
import type { ToldRequest } from "../port.ts"
import { filesIn, foldersIn } from "../shared/folder-contents.ts"
import {
  eachLine,
  firstLine,
  firstTold,
  lastTimestamp,
  listField,
  millis,
  numberField,
  objectField,
  textField,
} from "../shared/json-line.ts"
import { firstPrompt, type LineRules, lineFormat, type SaidLine } from "../shared/line-format.ts"
import { readHead } from "../shared/read-head.ts"

const USAGE = '"session.usage_record"'

const rules: LineRules = {
  agent: "copilot-cli",
  // Each event names the one before it, sub-agents' too: the order of the lines says more.
  fields: { at: "timestamp", id: "id" },

  *find({ home, env }) {
    const folder = env.COPILOT_HOME ?? ""
    for (const session of foldersIn(join(folder === "" ? join(home, ".copilot") : folder, "session-state"))) {
      yield* filesIn(session, "events.jsonl")
    }
  },

  session(first) {
    const data = objectField(first, "data")
    const name = textField(data, "sessionId")
    if (first.type !== "session.start" || name === undefined) return undefined
    return { name, cwd: textField(objectField(data, "context"), "cwd"), version: textField(data, "copilotVersion") }
  },

  /** The title is in the file beside it, which has one from the first prompt on. */
  glance({ path }, { head, tail, read }) {
    const first = firstLine(head)
    const session = first === undefined ? undefined : rules.session(first, { path, main: path })
    if (session === undefined) return undefined
    const [title, updated] = [titleOf(read(workspaceFile(path))), lastTimestamp(tail)]
    return {
      name: session.name,
      cwd: session.cwd,
      id: sessionIdOf("copilot-cli", session.name),
      title: title ?? firstTold(eachLine(head), firstPrompt(rules)),
      ...(updated !== undefined && { updated }),
    }
  },

  classify,

  usageBefore(before) {
    const usage = usageIn(before)
    return usage === undefined ? undefined : usageOf(usage)
  },

  lineMarks: lineMarks([
    ['"type":"user.message"', "you"],
    ['"toolRequests":[{', "call"],
    ['"type":"assistant.message"', "agent"],
    ['"type":"tool.execution_complete"', "result"],
    ['"type":"session.compaction_complete"', "other"],
    ['"type":"', "nobody"],
  ]),

  // Those of sub-agents too.
  requestMarks: [USAGE],

  requests: ({ main }) => ({ files: [main], line: requestIn }),

  asideOf: (line) => textField(line, "agentId") ?? textField(objectField(line, "data"), "parentToolCallId"),

  files: ({ path }) => [workspaceFile(path)],

  opened: ({ path }) => ({ title: titleOf(readHead(workspaceFile(path))) }),

  resume: (name) => ["copilot", `--resume=${name}`],
}

export const copilotCli = lineFormat(rules)

function workspaceFile(path: string): string {
  return join(dirname(path), "workspace.yaml")
}

/** One field of a flat file. */
function titleOf(yaml: Buffer | undefined): string | undefined {
  const name = /^name: *(.+)$/m.exec(yaml?.toString("utf8") ?? "")?.[1]?.trim()
  return name?.replace(/^(["'])(.*)\1$/, "$2")
}

function classify(line: JsonObject): SaidLine | undefined {
  const [type, data] = [textField(line, "type"), objectField(line, "data")]
  if (data === undefined) return undefined
  const why = `type is "${type}"`
  if (type === "user.message") return promptOf(line, data)
  if (type === "assistant.message") {
    const content = answerParts(data)
    const model = textField(data, "model")
    return content.length === 0 ? undefined : { role: "assistant", origin: "agent", why, content, model }
  }
  if (type === "tool.execution_complete") {
    return { role: "tool", origin: "tool", why, content: [resultOf(data)] }
  }
  if (type === "session.compaction_complete" && data.success === true) {
    const text = textField(data, "summaryContent") ?? ""
    const content: Part[] = [{ type: "text", text }]
    return text === "" ? undefined : { role: "user", origin: "summary", why, content, summary: true }
  }
  return undefined
}

/** What is sent has the time in front, and attached files. */
function promptOf(line: JsonObject, data: JsonObject): SaidLine {
  const [typed, sent, source] = ["content", "transformedContent", "source"].map((field) => textField(data, field))
  const content: Part[] = [{ type: "text", text: sent ?? typed ?? "" }]
  const display = typed === sent ? undefined : typed
  if (rules.asideOf?.(line) !== undefined) {
    return { role: "user", origin: "task", why: "agentId is a sub-agent's", content, display }
  }
  if (source !== undefined && source !== "user") {
    return { role: "user", origin: "injection", why: `source is "${source}"`, content, display }
  }
  // Typed while the agent worked.
  const steers = data.delivery === "steering" || data.delivery === "immediate"
  const why = `delivery is "${textField(data, "delivery") ?? ""}"`
  return { role: "user", origin: steers ? "steer" : "prompt", why, content, display }
}

function answerParts(data: JsonObject): Part[] {
  const [thought, text] = [textField(data, "reasoningText") ?? "", textField(data, "content") ?? ""]
  const calls = listField(data, "toolRequests").flatMap((request): Part[] => {
    const [call, name] = [textField(request, "toolCallId"), textField(request, "name")]
    if (call === undefined || name === undefined) return []
    return [{ type: "tool-call", call, name, input: (request as JsonObject).arguments ?? {} }]
  })
  return [
    ...(thought === "" ? [] : [{ type: "reasoning" as const, text: thought }]),
    ...(text === "" ? [] : [{ type: "text" as const, text }]),
    ...calls,
  ]
}

function resultOf(data: JsonObject): Part {
  const [result, error] = [objectField(data, "result"), objectField(data, "error")]
  const failed = data.success === false
  return {
    type: "tool-result",
    call: textField(data, "toolCallId") ?? "",
    output: textField(result, "content") ?? textField(error, "message") ?? "",
    ...(failed && { error: true as const }),
  }
}

/** The cached tokens are among the input's. */
function usageOf(usage: JsonObject): Usage {
  const count = (field: string) => Math.max(0, numberField(usage, field) ?? 0)
  const [cacheRead, cacheWrite] = [count("cacheReadTokens"), count("cacheWriteTokens")]
  return {
    input: Math.max(0, count("inputTokens") - cacheRead - cacheWrite),
    output: count("outputTokens"),
    ...(cacheRead > 0 && { cacheRead }),
    ...(cacheWrite > 0 && { cacheWrite }),
  }
}

function usageIn(line: JsonObject): JsonObject | undefined {
  return line.type === "session.usage_record" ? objectField(objectField(line, "data"), "usage") : undefined
}

function requestIn(line: JsonObject): ToldRequest | undefined {
  const [usage, key] = [usageIn(line), textField(line, "id")]
  if (usage === undefined || key === undefined) return undefined
  return { key, at: millis(line.timestamp), model: textField(usage, "model") ?? "(unknown)", usage: usageOf(usage) }
}
