// Where Claude Code keeps its files, and which session a file belongs to: by its path and its first lines.
import { basename, dirname, join } from "node:path"
import { isObject, type JsonObject, parseJson } from "../../model/json.ts"
import { uuidWords } from "../ids.ts"
import type { AgentHomes } from "../port.ts"
import { objectField, textField } from "../shared/json-line.ts"

export function configFolder({ home, env }: AgentHomes): string {
  return env.CLAUDE_CONFIG_DIR || join(home, ".claude")
}

/** The configuration folder that contains a session; undefined for a file elsewhere. */
export function configFolderOf(path: string): string | undefined {
  const folder = dirname(path)
  const project = basename(folder) === "subagents" ? dirname(dirname(folder)) : folder
  return basename(dirname(project)) === "projects" ? dirname(dirname(project)) : undefined
}

/** The folder of a project: every character except ASCII letters and digits becomes a dash. */
export function projectFolder(config: string, cwd: string): string {
  return join(config, "projects", cwd.replaceAll(/[^A-Za-z0-9]/g, "-"))
}

/** What the first lines of a file say about its session. */
export interface ClaudeHeader {
  /** The id of the session; for a sub-agent, that of its parent session. */
  session: string
  /** For a sub-agent, the name of its file: `agent-` and its id. */
  agent: string | undefined
  cwd: string | undefined
  at: string | undefined
  version: string | undefined
  forkedFrom: string | undefined
}

/** Undefined if no line is from Claude Code. */
export function claudeHeader(path: string, lines: Iterable<JsonObject>): ClaudeHeader | undefined {
  const { row, some } = tellingLines(lines)
  const name = basename(path, ".jsonl")
  const session = textField(some, "sessionId")
  if (some === undefined || session === undefined) return undefined
  const agent = textField(row, "agentId")
  const aside = row?.isSidechain === true && agent !== undefined
  return {
    session: !aside && uuidWords(name) !== undefined ? name : session,
    agent: aside ? `agent-${agent}` : undefined,
    cwd: textField(row, "cwd"),
    at: textField(row, "timestamp") ?? textField(some, "timestamp"),
    version: textField(row, "version"),
    forkedFrom: textField(objectField(row, "forkedFrom"), "sessionId"),
  }
}

/** The first line of the tree, and the first line of any kind that names its session. */
function tellingLines(lines: Iterable<JsonObject>): { row?: JsonObject; some?: JsonObject } {
  let some: JsonObject | undefined
  for (const line of lines) {
    if (typeof line.sessionId !== "string") continue
    if (typeof line.uuid === "string") return { row: line, some: line }
    if (typeof line.type === "string") some ??= line
  }
  return some === undefined ? {} : { some }
}

/** A name unique to the session; a sub-agent's includes that of its parent session. */
export function nameOf({ session, agent }: ClaudeHeader): string {
  return agent ?? session
}

export function keyOf({ session, agent }: ClaudeHeader): string {
  return agent === undefined ? session : `${session} ${agent}`
}

/** What Claude Code notes about a sub-agent in a file beside its own. */
export function metaOf(path: string, read: (path: string) => Buffer | undefined): JsonObject | undefined {
  const bytes = read(`${path.slice(0, -".jsonl".length)}.meta.json`)
  const json = bytes === undefined ? undefined : parseJson(bytes.toString("utf8"))
  return json?.ok === true && isObject(json.value) ? json.value : undefined
}

/** The key of the session that gave a sub-agent its task: another sub-agent's, or the session's own. */
export function giverOf(header: ClaudeHeader, meta: JsonObject | undefined): string {
  const giver = textField(meta, "parentAgentId")
  const agent = giver && `agent-${giver.replace(/^agent-/, "")}`
  return agent === header.agent ? header.session : keyOf({ ...header, agent })
}
