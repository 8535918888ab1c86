// A Claude Code session of any size, with lines as the program writes them: prompts, answers in pieces, calls and
// results, attachments, and the program's own bookkeeping between them.
import { closeSync, openSync, writeSync } from "node:fs"

export interface ClaudeFileOptions {
  /** About how long the file should be. */
  bytes: number
  /** `long`: results of tools are kilobytes, and requests are recorded, as in later versions. */
  lines: "short" | "long"
}

/** Writes the file; returns how many lines it has. The same bytes each time. */
export function writeClaudeFile(file: string, options: ClaudeFileOptions): number {
  const fd = openSync(file, "w")
  const writer = new ClaudeLines(options.lines)
  let [written, lines, compacted] = [0, 0, false]
  try {
    while (written < options.bytes) {
      const compacts = !compacted && options.bytes > 10 * SINCE_COMPACTION && written > options.bytes - SINCE_COMPACTION
      const batch = compacts ? writer.compaction() : writer.round()
      compacted ||= compacts
      written += writeSync(fd, `${batch.join("\n")}\n`)
      lines += batch.length
    }
  } finally {
    closeSync(fd)
  }
  return lines
}

/** A long session was compacted: what the model sees began about this many bytes before its end. */
const SINCE_COMPACTION = 500_000

const SESSION = "7aaef370-c7b1-4fb3-acc5-b922e1583b82"
const WORDS = 'the parser reads each line once and keeps no more of it than a row needs "quoted" C:\\path é\n'.repeat(
  60,
)

class ClaudeLines {
  #number = 0
  #parent: string | null = null
  readonly #lines: "short" | "long"

  constructor(lines: "short" | "long") {
    this.#lines = lines
  }

  /** A prompt, three calls with their results, and an answer. */
  round(): string[] {
    const lines = [
      { type: "queue-operation", operation: "enqueue", timestamp: this.#time(), sessionId: SESSION, content: "go on" },
    ].map((line) => JSON.stringify(line))
    lines.push(
      this.#row(
        { promptId: this.#uuid(), type: "user", message: { role: "user", content: this.#text(120) } },
        { promptSource: "typed" },
      ),
    )
    lines.push(this.#bookkeeping("file-history-snapshot"), this.#attachment())
    for (let i = 0; i < 3; i++) lines.push(...this.#call())
    lines.push(
      this.#answer([{ type: "thinking", thinking: this.#text(300), signature: this.#text(200) }], this.#uuid()),
    )
    lines.push(this.#answer([{ type: "text", text: this.#text(600) }], this.#uuid()))
    lines.push(this.#row({ type: "system", subtype: "turn_duration", durationMs: 1200 }, { isMeta: false }))
    if (this.#lines === "long") lines.push(this.#bookkeeping("api-request-blob"), this.#bookkeeping("cost-state"))
    lines.push(JSON.stringify({ type: "last-prompt", lastPrompt: "go on", leafUuid: this.#parent, sessionId: SESSION }))
    return lines
  }

  compaction(): string[] {
    const logicalParentUuid = this.#parent
    this.#parent = null
    const boundary = {
      logicalParentUuid,
      type: "system",
      subtype: "compact_boundary",
      content: "Conversation compacted",
    }
    const summary = { type: "user", message: { role: "user", content: this.#text(3000) } }
    return [
      this.#row(boundary, { level: "info", compactMetadata: { trigger: "auto", preTokens: 150_000 } }),
      this.#row(summary, { isVisibleInTranscriptOnly: true, isCompactSummary: true }),
    ]
  }

  #call(): string[] {
    const [call, answer] = [`toolu_${this.#number}`, `msg_${this.#number}`]
    const body = this.#text(this.#lines === "long" ? 5000 : 1500)
    const use = {
      type: "tool_use",
      id: call,
      name: "Read",
      input: { file_path: `/home/you/project/src/file-${this.#number}.ts` },
    }
    const lines = [this.#answer([{ type: "text", text: this.#text(100) }], answer), this.#answer([use], answer)]
    const result = { tool_use_id: call, type: "tool_result", content: body }
    const file = { filePath: use.input.file_path, content: body, numLines: 40 }
    lines.push(
      this.#row(
        { promptId: this.#uuid(), type: "user", message: { role: "user", content: [result] } },
        { toolUseResult: { type: "text", file }, sourceToolAssistantUUID: this.#parent },
      ),
    )
    if (this.#lines === "long") lines.push(this.#bookkeeping("api-request"))
    return lines
  }

  #answer(content: object[], id: string): string {
    const usage = {
      input_tokens: 10,
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 52_000,
      output_tokens: 5,
      service_tier: "standard",
    }
    const message = {
      model: "claude-opus-4-8",
      id,
      type: "message",
      role: "assistant",
      content,
      stop_reason: null,
      stop_sequence: null,
      usage,
    }
    return this.#row({ message, requestId: `req_${this.#number}`, type: "assistant" }, {})
  }

  #attachment(): string {
    return this.#row({ attachment: { type: "task_reminder", content: [], itemCount: 0 }, type: "attachment" }, {})
  }

  /** `before` and `after`: the fields before and after its id, which differ by kind of line. */
  #row(before: object, after: object): string {
    const uuid = this.#uuid()
    const head = { parentUuid: this.#parent, isSidechain: false }
    const tail = {
      userType: "external",
      entrypoint: "cli",
      cwd: "/home/you/project",
      sessionId: SESSION,
      version: "2.1.197",
      gitBranch: "main",
    }
    this.#parent = uuid
    return JSON.stringify({ ...head, ...before, uuid, timestamp: this.#time(), ...after, ...tail })
  }

  #bookkeeping(type: string): string {
    return JSON.stringify({
      type,
      messageId: this.#parent,
      sessionId: SESSION,
      snapshot: { trackedFileBackups: {} },
      text: this.#text(700),
    })
  }

  #text(length: number): string {
    const from = (this.#number * 37) % 89
    return WORDS.slice(from, from + length)
  }

  #time(): string {
    return new Date(1_790_000_000_000 + this.#number * 1000).toISOString()
  }

  /** As random as version 4, but the same each time. */
  #uuid(): string {
    this.#number++
    const hash = (salt: number) =>
      (Math.imul(this.#number ^ salt, 0x9e37_79b1) ^ Math.imul(this.#number + salt, 0x85eb_ca6b)) >>> 0
    const hex = [1, 2, 3, 4]
      .map((salt) =>
        hash(salt * 7919)
          .toString(16)
          .padStart(8, "0"),
      )
      .join("")
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
  }
}
