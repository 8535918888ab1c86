// Writes a path of the tree as a pi session.
import { createHash } from "node:crypto"
import { join } from "node:path"
import type { EntryId } from "../../model/id.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import type { Part, ToolResultPart, Usage } from "../../model/record/record.ts"
import type { WriteRequest, Written } from "../port.ts"
import { millis } from "../shared/json-line.ts"
import { isTyped, summaryText, wrappedInput } from "../shared/step-parts.ts"
import { type PathStep, type PathStepOf, type WholePath, wholePath } from "../shared/whole-path.ts"
import { linesOf } from "../shared/writer-basics.ts"
import { resumePi } from "./header.ts"
import { projectFolder, sessionFolders } from "./place.ts"

export function writePi(request: WriteRequest): Written {
  const conversation = wholePath(request.entries)
  const session = request.newId()
  const bytes = new PiWriter(request, conversation, session).write()
  const { projects, flat } = sessionFolders(request.homes)
  const name = `${request.now.replaceAll(/[:.]/g, "-")}_${session}.jsonl`
  const path = join(flat ?? projectFolder(projects, request.cwd), name)
  return { files: [{ path, bytes }], resume: resumePi(path, session), lost: conversation.lost }
}

class PiWriter {
  readonly #request: WriteRequest
  readonly #conversation: WholePath
  readonly #session: string
  readonly #lines: JsonObject[] = []
  readonly #ids = new Set<string>()
  /** The id of each step's first entry. */
  readonly #firstIds: string[] = []
  /** Names of tools by call. */
  readonly #tools = new Map<string, string>()
  #last: string | null = null

  constructor(request: WriteRequest, conversation: WholePath, session: string) {
    this.#request = request
    this.#session = session
    this.#conversation = conversation
  }

  write(): Uint8Array {
    const { cwd, now, title } = this.#request
    this.#lines.push({ type: "session", version: 3, id: this.#session, timestamp: now, cwd })
    if (title !== undefined) this.#add(now, { type: "session_info", name: title })
    for (const step of this.#conversation.steps) {
      // A step may have no entry. Then this is the id of the next one.
      this.#firstIds.push(this.#nextId())
      this.#step(step, this.#firstIds.at(-1) as string)
    }
    return linesOf(this.#lines)
  }

  #step(step: PathStep, id: string): void {
    const { at } = step
    if (step.type === "compaction") this.#compaction(step, id)
    else if (step.type === "answer") this.#add(at, message(at, this.#answer(step)), id)
    else if (step.type === "results") {
      for (const [i, result] of step.results.entries()) {
        this.#add(at, message(at, this.#result(result)), i === 0 ? id : undefined)
      }
    } else this.#user(step, id)
  }

  /** What a person typed is a user message; to pi, everything else comes from an extension. */
  #user(step: PathStepOf<"user">, id: string): void {
    const { at, origin, turn, content, display } = step
    const retcon = { origin, ...(turn && { turn }), ...(display !== undefined && { display }) }
    const parts = content.flatMap(blockOf)
    if (isTyped(step)) {
      this.#add(at, { ...message(at, { role: "user", content: parts }), retcon }, id)
    } else this.#add(at, { type: "custom_message", customType: "retcon", content: parts, display: true, retcon }, id)
  }

  #answer({ content, model, usage }: PathStepOf<"answer">): JsonObject {
    for (const part of content) if (part.type === "tool-call") this.#tools.set(part.call, part.name)
    const calls = content.some(({ type }) => type === "tool-call")
    return {
      role: "assistant",
      content: content.flatMap(blockOf),
      api: "retcon",
      provider: "retcon",
      model: model ?? "unknown",
      usage: usageOf(usage ?? {}),
      stopReason: calls ? "toolUse" : "stop",
    }
  }

  #result({ call, name, output, error, media = [] }: ToolResultPart): JsonObject {
    return {
      role: "toolResult",
      toolCallId: call,
      toolName: name ?? this.#tools.get(call) ?? "unknown",
      content: [{ type: "text", text: output }, ...media.flatMap(blockOf)],
      isError: error === true,
    }
  }

  #compaction(step: PathStepOf<"compaction">, id: string): void {
    const { at, record } = step
    const summary = summaryText(step)
    const kept = record.keepFrom === null ? undefined : this.#firstIdFrom(record.keepFrom)
    this.#add(at, { type: "compaction", summary, firstKeptEntryId: kept ?? id, tokensBefore: 0 }, id)
  }

  #firstIdFrom(entry: EntryId): string | undefined {
    const step = this.#conversation.stepOf.get(entry)
    return step === undefined ? undefined : this.#firstIds[step]
  }

  #add(at: string, line: JsonObject, id = this.#nextId()): void {
    const { type, ...rest } = line
    this.#lines.push({ type: type ?? "", id, parentId: this.#last, timestamp: at, ...rest })
    this.#last = id
  }

  /** Eight hex digits, as pi makes them. */
  #nextId(): string {
    for (let n = this.#ids.size; ; n++) {
      const id = createHash("sha256").update(`${this.#session} ${n}`).digest("hex").slice(0, 8)
      if (this.#ids.has(id)) continue
      this.#ids.add(id)
      return id
    }
  }
}

function message(at: string, said: JsonObject): JsonObject {
  return { type: "message", message: { ...said, timestamp: millis(at) } }
}

function blockOf(part: Part): Json[] {
  if (part.type === "text") return [{ type: "text", text: part.text }]
  if (part.type === "image") return [{ type: "image", data: part.data, mimeType: part.mediaType }]
  if (part.type === "reasoning") return [{ type: "thinking", thinking: part.text }]
  if (part.type !== "tool-call") return []
  const { input, ...mark } = wrappedInput(part.input)
  return [{ type: "toolCall", id: part.call, name: part.name, arguments: input, ...mark }]
}

function usageOf({ input = 0, output = 0, cacheRead = 0, cacheWrite = 0 }: Usage): JsonObject {
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 }
  return { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite, cost }
}
