// Where Qwen Code keeps sessions: `~/.qwen/projects/<folder>/chats/<id>.jsonl`, put aside in `archive` there; those of sub-agents in
// `~/.qwen/projects/<folder>/subagents/<id>/`.
import { basename, dirname, join } from "node:path"
import type { JsonObject } from "../../model/json.ts"
import type { AgentHomes, SessionPlace } from "../port.ts"
import { filesIn, foldersIn } from "../shared/folder-contents.ts"
import { objectField, textField } from "../shared/json-line.ts"

/** The folder that has `projects`. */
export function qwenFolder({ home, env }: AgentHomes): string {
  const [runtime, own] = [env.QWEN_RUNTIME_DIR ?? "", env.QWEN_HOME ?? ""]
  if (runtime !== "") return runtime === "~" || runtime.startsWith("~/") ? join(home, runtime.slice(1)) : runtime
  return own !== "" ? own : join(home, ".qwen")
}

export function* placesIn(homes: AgentHomes): Iterable<SessionPlace> {
  for (const project of foldersIn(join(qwenFolder(homes), "projects"))) {
    const chats = join(project, "chats")
    const folders = [chats, join(chats, "archive"), ...foldersIn(join(project, "subagents"))]
    for (const path of folders.flatMap((folder) => filesIn(folder, ".jsonl"))) yield { path, main: path }
  }
}

export interface QwenSession {
  name: string
  /** Unique, for its id. */
  key: string
  cwd: string | undefined
  version: string | undefined
  /** The session whose task a sub-agent works on. */
  task: string | undefined
  /** The session that it was branched off from. */
  split: string | undefined
}

const TYPES: ReadonlySet<unknown> = new Set(["user", "assistant", "tool_result", "system"])

/** From the first line of a file. Undefined if Qwen Code did not write it. */
export function sessionIn(first: JsonObject): QwenSession | undefined {
  const [uuid, session] = [textField(first, "uuid"), textField(first, "sessionId")]
  const { parentUuid, type, isSidechain } = first
  if (uuid === undefined || session === undefined || !TYPES.has(type) || isSidechain === false) return undefined
  if (parentUuid !== null && typeof parentUuid !== "string") return undefined
  // Others have `content`, and their lines about the session say that they are on the main path.
  const isMessage = Array.isArray(objectField(first, "message")?.parts)
  if (!isMessage && (type !== "system" || isSidechain === true || typeof first.subtype !== "string")) return undefined
  const agent = isSidechain === true ? textField(first, "agentId") : undefined
  return {
    name: agent ?? session,
    key: agent === undefined ? session : `${session} ${agent}`,
    cwd: textField(first, "cwd"),
    version: textField(first, "version"),
    task: agent === undefined ? undefined : session,
    split: textField(objectField(first, "forkedFrom"), "sessionId"),
  }
}

/** The file beside a sub-agent's that says what it was asked. */
export function metaFile(path: string): string {
  return path.replace(/\.jsonl$/, ".meta.json")
}

/** The session in whose folder a sub-agent's file is. */
export function askerOf(path: string): string | undefined {
  const folder = dirname(path)
  return basename(dirname(folder)) === "subagents" ? basename(folder) : undefined
}
