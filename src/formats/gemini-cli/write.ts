// A session for Gemini CLI: a header, and one message a line.

import { createHash } from "node:crypto"
import { readdirSync } from "node:fs"
import { basename, join } from "node:path"
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import { type Part, plainText } from "../../model/record/part.ts"
import type { AgentHomes, WriteRequest, Written } from "../port.ts"
import { objectField } from "../shared/json-line.ts"
import { readHead } from "../shared/read-head.ts"
import { linesOf, randomUuid, type ToWrite, textIn, toWrite } from "../shared/written.ts"
import { THANKS } from "./message.ts"
import { geminiFolder } from "./place.ts"

export function writeGemini({ entries, cwd, homes, title, now, newId }: WriteRequest): Written {
  const lost: Written["lost"] = []
  const name = randomUuid(newId())
  const projectHash = createHash("sha256").update(cwd).digest("hex")
  const lines: JsonObject[] = [{ sessionId: name, projectHash, startTime: now, lastUpdated: now, kind: "main" }]
  const draft = new Draft(lines, lost)
  for (const entry of toWrite(entries, lost)) draft.add(entry)
  draft.end()
  if (title !== undefined && title !== "") lines.push({ $set: { summary: title } })
  const project = projectFolder(homes, cwd)
  const file = `session-${now.slice(0, 16).replaceAll(":", "-")}-${name.slice(0, 8)}.jsonl`
  const marker = join(project.path, ".project_root")
  return {
    files: [
      ...(project.known ? [] : [{ path: marker, bytes: Buffer.from(cwd) }]),
      { path: join(project.path, "chats", file), bytes: linesOf(lines) },
    ],
    resume: ["gemini", "--resume", name],
    lost,
  }
}

const OWN_CONTEXT = "<session_context>"

/** Messages in the making. Results stand beside the calls of the answer before them. */
class Draft {
  readonly #lines: JsonObject[]
  readonly #lost: Written["lost"]
  /** What nobody typed waits for the next prompt, and stands in front of it: by itself it would look like one. */
  #before: { entry: ToWrite; parts: Json[] }[] = []
  #answer: { calls: JsonObject[] } | undefined

  constructor(lines: JsonObject[], lost: Written["lost"]) {
    this.#lines = lines
    this.#lost = lost
  }

  add(entry: ToWrite): void {
    if (entry.role === "tool") this.#results(entry)
    else if (entry.kind === "summary") this.#summary(entry)
    else if (entry.role === "assistant") this.#say(entry)
    else this.#ask(entry)
  }

  end(): void {
    const retcon = { origin: "injection" }
    for (const { entry, parts } of this.#before) this.#lines.push({ ...message(entry, "user", parts), retcon })
    for (const { entry } of this.#before) this.#lost.push({ entry: entry.id, what: "that nobody typed it" })
    this.#before = []
  }

  #ask(entry: ToWrite): void {
    const parts = this.#parts(entry)
    if (!entry.typed) {
      // In front of a prompt it would be taken for all of that message, and the program adds one of its own.
      if (plainText(entry.content).startsWith(OWN_CONTEXT))
        this.#lost.push({ entry: entry.id, what: "what Gemini CLI says of the folder: it does so again" })
      else if (parts.length > 0) this.#before.push({ entry, parts })
      return
    }
    const before = this.#before.flatMap((each) => each.parts)
    this.#before = []
    const typed = entry.display ?? plainText(entry.content)
    const shown = before.length > 0 || entry.display !== undefined
    this.#lines.push({
      ...message(entry, "user", [...before, ...parts]),
      ...(shown && { displayContent: [{ text: typed }] }),
    })
  }

  #say(entry: ToWrite): void {
    this.end()
    const calls = entry.content.flatMap((part): JsonObject[] =>
      part.type === "tool-call"
        ? [{ id: part.call, name: part.name, args: part.input, status: "success", timestamp: entry.at }]
        : [],
    )
    const { input = 0, output = 0, cacheRead = 0 } = entry.usage ?? {}
    const total = input + cacheRead + output
    const tokens = { input: input + cacheRead, output, cached: cacheRead, thoughts: 0, tool: 0, total }
    this.#lines.push({
      ...message(entry, "gemini", this.#parts(entry)),
      ...(entry.model !== undefined && { model: entry.model }),
      ...(entry.usage !== undefined && { tokens }),
      ...(calls.length > 0 && { toolCalls: calls }),
    })
    this.#answer = { calls }
  }

  #results(entry: ToWrite): void {
    for (const part of entry.content) {
      const call = part.type === "tool-result" ? this.#answer?.calls.find(({ id }) => id === part.call) : undefined
      if (part.type !== "tool-result" || call === undefined) {
        this.#lost.push({ entry: entry.id, what: `a part of the kind "${part.type}"` })
        continue
      }
      call.result = [responseOf(part, call.name as string)]
      if (part.error === true) call.status = "error"
    }
  }

  /** As `/compress` leaves it: a list with the summary takes the place of all messages. */
  #summary(entry: ToWrite): void {
    this.end()
    const thanks = { id: randomUuid(entry.id), timestamp: entry.at, type: "gemini", content: [{ text: THANKS }] }
    this.#lines.push({ $set: { messages: [message(entry, "user", this.#parts(entry)), thanks] } })
  }

  #parts({ id, content }: ToWrite): Json[] {
    return content.flatMap((part): Json[] => {
      const printed = printPart(part)
      if (printed === undefined) this.#lost.push({ entry: id, what: `a part of the kind "${part.type}"` })
      return printed === undefined ? [] : [printed]
    })
  }
}

function message({ id, at }: ToWrite, type: "user" | "gemini", content: Json[]): JsonObject {
  return { id, timestamp: at, type, content }
}

function printPart(part: Part): Json | undefined {
  if (part.type === "text") return { text: textIn(part) }
  if (part.type === "reasoning") return { text: textIn(part), thought: true }
  if (part.type === "tool-call") return { functionCall: { id: part.call, name: part.name, args: part.input } }
  if (part.type === "image" || part.type === "file")
    return { inlineData: { mimeType: part.mediaType, data: part.data ?? "" } }
  return undefined
}

function responseOf(part: Extract<Part, { type: "tool-result" }>, name: string): Json {
  const media = (part.media ?? []).flatMap((each) => printPart(each) ?? [])
  const response = part.error === true ? { error: part.output ?? "" } : { output: part.output ?? "" }
  return {
    functionResponse: { id: part.call, name: part.name ?? name, response, ...(media.length > 0 && { parts: media }) },
  }
}

/** The folder of a project: the one that Gemini CLI has for it, or one that it will take for its own by the file in it. */
function projectFolder(homes: AgentHomes, cwd: string): { path: string; known: boolean } {
  const folder = geminiFolder(homes)
  const parsed = parseJson(readHead(join(folder, "projects.json"), 1024 * 1024).toString("utf8"))
  const projects = parsed.ok && isObject(parsed.value) ? (objectField(parsed.value, "projects") ?? {}) : {}
  const names = namesIn(join(folder, "tmp"))
  const owner = (name: string) =>
    readHead(join(folder, "tmp", name, ".project_root"), 4096)
      .toString("utf8")
      .trim()
  const registered = projects[cwd]
  const known =
    typeof registered === "string" && /^[\w.-]+$/.test(registered) && !/^\.+$/.test(registered) ? registered : undefined
  const own = known ?? names.find((name) => owner(name) === cwd)
  if (own !== undefined) return { path: join(folder, "tmp", own), known: owner(own) === cwd }
  const slug =
    basename(cwd)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, "-")
      .replaceAll(/^-|-$/g, "") || "project"
  const taken = new Set([...names, ...Object.values(projects)])
  for (let n = 0; ; n++) {
    const name = n === 0 ? slug : `${slug}-${n}`
    if (!taken.has(name)) return { path: join(folder, "tmp", name), known: false }
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (error instanceof Error && "code" in error) return []
    throw error
  }
}
