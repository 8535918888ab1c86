// Where Gemini CLI keeps sessions: `~/.gemini/tmp/<project>/chats/session-<minute>-<id>.jsonl`; those of sub-agents in
// a folder named after the parent session.
import { createHash } from "node:crypto"
import { basename, dirname, join } from "node:path"
import type { JsonObject } from "../../model/json.ts"
import { isObject, parseJson } from "../../model/json.ts"
import type { AgentHomes, SessionPlace } from "../port.ts"
import { filesIn, foldersIn } from "../shared/folder-contents.ts"
import { listField, textField } from "../shared/json-line.ts"

const SESSION = /^session-(.*)-([0-9a-zA-Z]{8})\.jsonl?$/

export function geminiFolder({ home, env }: AgentHomes): string {
  const root = env.GEMINI_CLI_HOME
  return join(root === undefined || root === "" ? home : root, ".gemini")
}

export function* placesIn(homes: AgentHomes): Iterable<SessionPlace> {
  for (const project of foldersIn(join(geminiFolder(homes), "tmp"))) {
    const chats = join(project, "chats")
    for (const path of sessionsIn([...filesIn(chats, ".json"), ...filesIn(chats, ".jsonl")])) yield { path, main: path }
    for (const asked of foldersIn(chats)) {
      for (const path of filesIn(asked, ".jsonl")) yield { path, main: path }
    }
  }
}

/**
 * One file per session. A resume in a later minute leaves a file with only a beginning, and continues in the older one;
 * a file of an older version (.json) is continued in one that ends in .jsonl.
 */
function sessionsIn(paths: readonly string[]): string[] {
  const found = new Map<string, string>()
  for (const path of paths.toSorted(byMinute)) {
    const id = SESSION.exec(basename(path))?.[2]
    if (id !== undefined && !found.has(id)) found.set(id, path)
  }
  return [...found.values()].sort()
}

function byMinute(a: string, b: string): number {
  const [one, other] = [SESSION.exec(basename(a))?.[1] ?? "", SESSION.exec(basename(b))?.[1] ?? ""]
  if (one !== other) return one < other ? -1 : 1
  return b.length - a.length
}

/** The session whose task a sub-agent worked on, from the folder's name. */
export function askedBy(path: string): string | undefined {
  return basename(dirname(dirname(path))) === "chats" ? basename(dirname(path)) : undefined
}

/** Files that say which folder a project's sessions belong to; the first one that exists counts. */
export function rootFile(path: string): string {
  const chats = askedBy(path) === undefined ? dirname(path) : dirname(dirname(path))
  return join(dirname(chats), ".project_root")
}

/**
 * The folder in which the session was created: from a file beside it, or from its text for the model, if the hash fits.
 */
export function cwdOf(header: JsonObject, marker: Buffer | undefined, texts: string): string | undefined {
  const marked = marker?.toString("utf8").trim()
  const hash = textField(header, "projectHash")
  const named = listField(header, "directories").filter((path) => typeof path === "string")
  const told = [...texts.matchAll(/Workspace Directories:\*\*\n((?: {2}- .*\n)+)/g)].flatMap(([, list = ""]) =>
    list.split("\n").map((line) => line.slice(4)),
  )
  const all = [...(marked === undefined || marked === "" ? [] : [marked]), ...named, ...told]
  return all.find((path) => sha256(path) === hash) ?? all[0]
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex")
}

/** The header of a session, with which all its files begin. */
export function headerIn(head: Buffer): JsonObject | undefined {
  const end = head.indexOf(10)
  const line = parseJson(head.toString("utf8", 0, end === -1 ? head.length : end))
  return line.ok && isObject(line.value) && isHeader(line.value) ? line.value : undefined
}

export function isHeader(line: JsonObject): boolean {
  return typeof line.sessionId === "string" && typeof line.projectHash === "string"
}

/** The texts in the first bytes of a file, with line breaks unescaped. */
export function contextIn(head: Buffer): string {
  return head.toString("utf8", 0, 16 * 1024).replaceAll("\\n", "\n")
}
