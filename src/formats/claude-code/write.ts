// Writes a conversation as a session that Claude Code can resume. What it has no place for goes into `lost`, or into a field of
// our own that it ignores.
import { createHash } from "node:crypto"
import { join } from "node:path"
import { INTERRUPTED } from "../../history/context/tool-calls.ts"
import type { EntryId } from "../../model/id.ts"
import { isObject, type JsonObject } from "../../model/json.ts"
import { type Part, plainText, type ToolResultPart } from "../../model/record/record.ts"
import type { WriteRequest, Written } from "../port.ts"
import { type PathStep, wholePath } from "../shared/whole-path.ts"
import { linesOf, randomUuid } from "../shared/writer-basics.ts"
import { blocksOf, contentOf, resultBlock } from "./blocks.ts"
import { configFolder, projectFolder } from "./place.ts"

/** The version of Claude Code that writes lines like these. */
const VERSION = "2.1.197"
/** The program shortens longer folder names, in its own way. */
const LONGEST_NAME = 200

export function writeClaude(request: WriteRequest): Written {
  const session = request.newId()
  const writer = new SessionWriter(request, session)
  const folder = projectFolder(configFolder(request.homes), request.cwd)
  const name = folder.split("/").at(-1) ?? ""
  const short = name.length <= LONGEST_NAME
  const hash = createHash("sha256").update(request.cwd).digest("hex").slice(0, 8)
  const path = join(short ? folder : `${folder.slice(0, LONGEST_NAME - name.length)}-${hash}`, `${session}.jsonl`)
  return {
    files: [{ path, bytes: linesOf(writer.lines) }],
    resume: ["claude", "--resume", short ? session : path],
    lost: writer.lost,
  }
}

type StepOf = (entry: EntryId) => number | undefined

class SessionWriter {
  readonly lines: JsonObject[]
  readonly lost: Written["lost"]
  readonly #request: WriteRequest
  readonly #session: string
  #parent: string | null = null
  /** The ids of the lines that each step became. */
  readonly #rows: string[][] = []
  /** Calls without a result yet, by their id here, with the line of each. */
  #open = new Map<string, string>()
  readonly #names = new Map<string, string>()
  #lastPrompt = ""
  #made = 0

  constructor(request: WriteRequest, session: string) {
    this.#request = request
    this.#session = session
    this.lines = [{ type: "mode", mode: "normal", sessionId: session }]
    const { steps, stepOf, lost } = wholePath(request.entries)
    this.lost = lost
    for (const step of steps) {
      this.#rows.push([])
      if (step.type !== "results") this.#settle(step.at)
      this.#step(step, (entry) => stepOf.get(entry))
    }
    this.#settle(request.now)
    if (request.title !== undefined)
      this.lines.push({ type: "custom-title", customTitle: request.title, sessionId: session })
    const last = { type: "last-prompt", lastPrompt: this.#lastPrompt, leafUuid: this.#parent, sessionId: session }
    // The program lists sessions by the last time in the file. This one is new, however old its messages.
    this.lines.push({ ...last, timestamp: request.now })
  }

  #step(step: PathStep, stepOf: StepOf): void {
    if (step.type === "user") this.#said(step)
    else if (step.type === "answer") this.#answer(step)
    else if (step.type === "results") for (const result of step.results) this.#result(step.at, result)
    else this.#compaction(step, stepOf)
  }

  #said({ at, origin, turn, content, display }: Extract<PathStep, { type: "user" }>): void {
    const own = { origin, ...(turn && { turn }), ...(display !== undefined && { display }) }
    if (origin === "steer") {
      const attachment = { type: "queued_command", prompt: contentOf(content), commandMode: "prompt", origin: HUMAN }
      this.#row(at, { attachment, type: "attachment" }, { retcon: own })
      return
    }
    const prompt = origin === "prompt" || turn
    const typed = { permissionMode: "default", origin: HUMAN, promptSource: "typed" }
    const before = { type: "user", message: { role: "user", content: contentOf(content) } }
    if (prompt) this.#lastPrompt = (display ?? plainText(content)).slice(0, 200)
    const ours = origin === "prompt" && display === undefined ? {} : { retcon: own }
    this.#row(at, prompt ? before : { ...before, isMeta: true }, prompt ? { ...typed, ...ours } : ours)
  }

  /** A line per block, as the program writes them. */
  #answer({ entry, at, content, model, usage }: Extract<PathStep, { type: "answer" }>): void {
    const kept = content.filter((part) => isSigned(part))
    if (kept.length < content.length) this.lost.push({ entry, what: "reasoning, which its provider has not signed" })
    const calls = kept.some(({ type }) => type === "tool-call")
    for (const part of kept) {
      const wrapped = part.type === "tool-call" && !isObject(part.input)
      const message = {
        model: claudeModel(model),
        id: `msg_${entry}`,
        type: "message",
        role: "assistant",
        content: blocksOf([part], (call) => this.#nameOf(call)),
        stop_reason: calls ? "tool_use" : "end_turn",
        stop_sequence: null,
        usage: {
          input_tokens: usage?.input ?? 0,
          cache_creation_input_tokens: usage?.cacheWrite ?? 0,
          cache_read_input_tokens: usage?.cacheRead ?? 0,
          output_tokens: usage?.output ?? 0,
        },
      }
      const row = this.#row(at, { message, type: "assistant" }, wrapped ? { retcon: { wrapped } } : {})
      if (part.type === "tool-call") this.#open.set(this.#nameOf(part.call), row)
    }
  }

  #result(at: string, part: ToolResultPart): void {
    const call = this.#nameOf(part.call)
    const source = this.#open.get(call)
    if (source === undefined) return
    this.#open.delete(call)
    const content = [resultBlock(part, call)]
    this.#row(at, { type: "user", message: { role: "user", content } }, { sourceToolAssistantUUID: source })
  }

  /** No request may contain a call without its result. */
  #settle(at: string): void {
    for (const call of this.#open.keys()) {
      this.#result(at, { type: "tool-result", call, output: INTERRUPTED, error: true })
    }
  }

  #compaction({ at, record, messages }: Extract<PathStep, { type: "compaction" }>, stepOf: StepOf): void {
    const from = record.keepFrom === null ? undefined : stepOf(record.keepFrom)
    const kept = from === undefined ? [] : this.#rows.slice(from).flat()
    const [boundary, summary] = [this.#newUuid(), this.#newUuid()]
    const [head, tail] = [kept[0], kept.at(-1)]
    const preserved = head !== undefined &&
      tail !== undefined && {
        preservedSegment: { headUuid: head, anchorUuid: summary, tailUuid: tail },
        preservedMessages: { anchorUuid: summary, uuids: kept, allUuids: kept },
      }
    const compactMetadata = {
      trigger: record.cause === "person" ? "manual" : "auto",
      preTokens: record.tokens?.before ?? 0,
      ...preserved,
      ...(record.tokens !== undefined && { postTokens: record.tokens.after }),
    }
    const logicalParentUuid = this.#parent
    this.#parent = null
    const told = {
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
      isMeta: false,
      level: "info",
    }
    this.#row(at, { logicalParentUuid, ...told, compactMetadata }, {}, boundary)
    const text = messages.map(({ content }) => plainText(content)).join("\n\n")
    const marks = { isVisibleInTranscriptOnly: true, isCompactSummary: true }
    const own = text === record.summary ? {} : { retcon: { summary: record.summary } }
    this.#row(at, { type: "user", message: { role: "user", content: text }, ...marks }, own, summary)
  }

  #row(at: string, before: JsonObject, after: JsonObject, uuid = this.#newUuid()): string {
    const { cwd } = this.#request
    const tail = {
      userType: "external",
      entrypoint: "cli",
      cwd,
      sessionId: this.#session,
      version: VERSION,
      gitBranch: "",
    }
    this.lines.push({ parentUuid: this.#parent, isSidechain: false, ...before, uuid, timestamp: at, ...after, ...tail })
    this.#rows.at(-1)?.push(uuid)
    this.#parent = uuid
    return uuid
  }

  #newUuid(): string {
    return randomUuid(`${this.#session} ${this.#made++}`)
  }

  /** The provider accepts only letters, digits, dashes and underscores in the id of a call. */
  #nameOf(call: string): string {
    if (/^[A-Za-z0-9_-]+$/.test(call)) return call
    const known = this.#names.get(call) ?? `call_${this.#newUuid()}`
    this.#names.set(call, known)
    return known
  }
}

const HUMAN = { kind: "human" }

/** The provider refuses unsigned reasoning. */
function isSigned(part: Part): boolean {
  return part.type !== "reasoning" || typeof part.meta?.signature === "string"
}

/** The program continues with the model of the last answer, so it must be one that it knows. */
function claudeModel(model: string | undefined): string {
  const name = model?.split("/").at(-1) ?? ""
  return name.startsWith("claude") ? name : "<synthetic>"
}
