// Writes a session for Neovate Code: one message per line, each following the one before.
import { join } from "node:path"
import type { Json, JsonObject } from "../../model/json.ts"
import type { Part, ToolResultPart } from "../../model/record/record.ts"
import type { WriteRequest, Written } from "../port.ts"
import { textField } from "../shared/json-line.ts"
import { isTyped, summaryText, wrappedInput } from "../shared/step-parts.ts"
import { type PathStep, type PathStepOf, type WholePath, wholePath } from "../shared/whole-path.ts"
import { linesOf, randomUuid, textIn } from "../shared/writer-basics.ts"
import { authorOf, COMPACTED } from "./message.ts"
import { slugOf } from "./place.ts"

export function writeNeovate({ entries, cwd, homes, title, newId }: WriteRequest): Written {
  const conversation = wholePath(entries)
  const name = randomUuid(newId()).slice(0, 8)
  const writer = new NeovateWriter(name, conversation)
  const config = configLine(title ?? "", cwd)
  const path = join(homes.home, ".neovate", "projects", slugOf(cwd), `${name}.jsonl`)
  return {
    files: [{ path, bytes: linesOf([config, ...writer.lines]) }],
    resume: ["neovate", "--resume", name],
    lost: conversation.lost,
  }
}

/** Neovate finds a session's folder by what was typed there, and here nothing was typed. */
function configLine(summary: string, cwd: string): JsonObject {
  const config = { approvalMode: "default", approvalTools: [], summary, pastedTextMap: {}, pastedImageMap: {} }
  return { type: "config", config, retcon: { cwd } }
}

class NeovateWriter {
  readonly lines: JsonObject[] = []
  readonly #session: string
  readonly #path: WholePath
  /** The message of each step, for a summary that keeps it. */
  readonly #said: (JsonObject & { content?: Json[] | string })[] = []
  /** Calls by id, because results repeat the input. */
  readonly #calls = new Map<string, { name: string; input: Json }>()
  readonly #ids = new Set<string>()
  #parent: string | null = null

  constructor(session: string, path: WholePath) {
    this.#session = session
    this.#path = path
    for (const step of path.steps) {
      const said = this.#say(step)
      if (step.type === "compaction") this.#parent = null
      this.#add(step.entry, step.at, said)
      if (step.type === "compaction") this.#repeatKept(step)
      this.#said.push(said)
    }
  }

  #say(step: PathStep): JsonObject {
    if (step.type === "answer") return this.#answer(step)
    if (step.type === "results") return { role: "tool", content: step.results.map((result) => this.#result(result)) }
    if (step.type === "user") return userLine(step)
    return { role: "user", content: [{ type: "text", text: summaryText(step) }], uiContent: COMPACTED }
  }

  /**
   * Repeats, hidden, what a summary keeps, because the person already sees it above. Reasoning is not repeated: it belongs to what
   * came before it, which the summary replaces.
   */
  #repeatKept({ at, record }: PathStepOf<"compaction">): void {
    const from = record.keepFrom === null ? undefined : this.#path.stepOf.get(record.keepFrom)
    for (const said of from === undefined ? [] : this.#said.slice(from)) {
      const { role, content = "" } = said
      const list = Array.isArray(content) ? content.filter((part) => textField(part, "type") !== "reasoning") : content
      if (said.uiContent === COMPACTED || list.length === 0) continue
      this.#add(record.id, at, role === "user" ? { role, content: list, hidden: true } : { ...said, content: list })
    }
  }

  #answer({ content, model, usage }: PathStepOf<"answer">): JsonObject {
    for (const part of content) if (part.type === "tool-call") this.#calls.set(part.call, part)
    return {
      role: "assistant",
      content: content.flatMap(printPart),
      text: content.map((part) => (part.type === "text" ? textIn(part) : "")).join(""),
      model: model ?? "",
      usage: {
        input_tokens: usage?.input ?? 0,
        output_tokens: usage?.output ?? 0,
        ...(usage?.cacheRead !== undefined && { cache_read_input_tokens: usage.cacheRead }),
        ...(usage?.cacheWrite !== undefined && { cache_creation_input_tokens: usage.cacheWrite }),
      },
    }
  }

  #result({ call, name, output, error, media = [] }: ToolResultPart): JsonObject {
    const asked = this.#calls.get(call)
    const [text, parts] = [output ?? "", media.flatMap(printPart)]
    return {
      type: "tool-result",
      toolCallId: call,
      toolName: name ?? asked?.name ?? "",
      input: wrappedInput(asked?.input ?? {}).input,
      result: {
        llmContent: parts.length === 0 ? text : [{ type: "text", text }, ...parts],
        ...(error === true && { isError: true }),
      },
    }
  }

  #add(id: string, at: string, said: JsonObject): void {
    const uuid = this.#ids.has(id) ? randomUuid(`${id} ${this.#ids.size}`) : id
    this.#ids.add(uuid)
    const rest = { type: "message", timestamp: at, sessionId: this.#session }
    this.lines.push({ parentUuid: this.#parent, uuid, ...said, ...rest })
    this.#parent = uuid
  }
}

function userLine(step: PathStepOf<"user">): JsonObject {
  const { content, display, origin, turn } = step
  const [only] = content
  const typed = isTyped(step)
  const line = {
    role: "user",
    // Prompts are strings where possible, because Neovate's list shows the first string.
    content: content.length === 1 && only?.type === "text" ? textIn(only) : content.flatMap(printPart),
    ...(display !== undefined && typed && { uiContent: display }),
    ...(!typed && { hidden: true }),
  }
  const said = authorOf({ ...line, type: "message" })
  const same = said?.origin === origin && (said.turn === true) === turn
  return same ? line : { ...line, retcon: { origin, ...(turn && { turn }) } }
}

function printPart(part: Part): Json[] {
  if (part.type === "text" || part.type === "reasoning") return [{ type: part.type, text: textIn(part) }]
  if (part.type === "image") return [{ type: "image", data: part.data ?? "", mimeType: part.mediaType }]
  if (part.type !== "tool-call") return []
  const { input, ...mark } = wrappedInput(part.input)
  return [{ type: "tool_use", id: part.call, name: part.name, input, ...mark }]
}
