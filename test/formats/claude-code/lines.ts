// Lines as Claude Code writes them, made by hand: one letter names an entry.
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { ForeignHistory } from "../../../src/foreign/scan/foreign-history.ts"
import { ScannedSession } from "../../../src/foreign/scan/scanned-session.ts"
import { openClaude } from "../../../src/formats/claude-code/open.ts"
import { contextAt } from "../../../src/history/context/context.ts"
import { NONE, prompts } from "../../../src/history/tree/tree.ts"
import type { JsonObject } from "../../../src/model/json.ts"
import { plainText } from "../../../src/model/record/record.ts"
import { NOTHING_OURS, temporaryFolder } from "../read-session.ts"

export const SESSION = "11111111-1111-4111-8111-111111111111"

/** The id of the entry that a letter or a short name stands for. */
export function uuid(name: string): string {
  const hex = Buffer.from(name.padEnd(6, "_")).toString("hex").slice(0, 12)
  return `aaaaaaaa-aaaa-4aaa-8aaa-${hex}`
}

let tick = 0
function row(name: string, parent: string | null, before: JsonObject, after: JsonObject = {}): JsonObject {
  const timestamp = new Date(1_790_000_000_000 + tick++ * 1000).toISOString()
  const tail = {
    userType: "external",
    cwd: "/home/you/project",
    sessionId: SESSION,
    version: "2.1.197",
    gitBranch: "main",
  }
  const head = { parentUuid: parent === null ? null : uuid(parent), isSidechain: false }
  return { ...head, ...before, uuid: uuid(name), timestamp, ...after, ...tail }
}

export function prompt(name: string, parent: string | null, text = name, more: JsonObject = {}): JsonObject {
  return row(name, parent, { promptId: uuid("pid"), type: "user", message: { role: "user", content: text } }, more)
}

export function answer(name: string, parent: string | null, text = name, more: JsonObject = {}): JsonObject {
  return piece(name, parent, `msg_${name}`, { type: "text", text }, more)
}

/** One block of an answer, which has an id of its own. */
export function piece(
  name: string,
  parent: string | null,
  id: string,
  block: JsonObject,
  more: JsonObject = {},
): JsonObject {
  const usage = { input_tokens: 10, output_tokens: 5 }
  const message = {
    model: "claude-opus-4-8",
    id,
    type: "message",
    role: "assistant",
    content: [block],
    stop_reason: null,
    usage,
  }
  return row(name, parent, { message, requestId: "req_1", type: "assistant" }, more)
}

export function use(name: string, parent: string, id: string): JsonObject {
  return piece(name, parent, id, { type: "tool_use", id: `call_${name}`, name: "Bash", input: { command: name } })
}

/** The result of the call that `use` made. */
export function result(name: string, parent: string, call: string, output = name): JsonObject {
  const content = [{ tool_use_id: `call_${call}`, type: "tool_result", content: output }]
  const more = { toolUseResult: { stdout: output }, sourceToolAssistantUUID: uuid(parent) }
  return row(name, parent, { promptId: uuid("pid"), type: "user", message: { role: "user", content } }, more)
}

export function system(name: string, parent: string | null, more: JsonObject = {}): JsonObject {
  return row(name, parent, { type: "system", subtype: "turn_duration", durationMs: 1, ...more })
}

export function attachment(name: string, parent: string | null, body: JsonObject): JsonObject {
  return row(name, parent, { attachment: body, type: "attachment" })
}

export function progress(name: string, parent: string): JsonObject {
  return row(name, parent, {
    type: "progress",
    data: { type: "hook_progress", hookEvent: "PreToolUse" },
    toolUseID: "t",
  })
}

/** `leaf`: an entry, null, or the id of one that is not there. */
export function checkpoint(leaf: string | null, more: JsonObject = {}): JsonObject {
  const leafUuid = leaf === null ? null : leaf.length > 8 ? leaf : uuid(leaf)
  return { type: "last-prompt", lastPrompt: "p", leafUuid, ...more, sessionId: SESSION }
}

/** The boundary of a compaction and its summary, behind `last`; `kept` are kept word for word. */
export function compaction(last: string, kept: string[] = []): JsonObject[] {
  const uuids = kept.map(uuid)
  const preserved = { anchorUuid: uuid("sum"), uuids, allUuids: uuids }
  const metadata = {
    trigger: "auto",
    preTokens: 100,
    postTokens: 10,
    ...(kept.length > 0 && { preservedMessages: preserved }),
  }
  const boundary = {
    type: "system",
    subtype: "compact_boundary",
    logicalParentUuid: uuid(last),
    compactMetadata: metadata,
  }
  const summary = {
    type: "user",
    message: { role: "user", content: "SUMMARY" },
    isVisibleInTranscriptOnly: true,
    isCompactSummary: true,
  }
  return [row("bound", null, boundary), row("sum", "bound", summary)]
}

/** Three rounds: u1 a1 u2 a2 u3 a3. */
export function threeRounds(): JsonObject[] {
  return [1, 2, 3].flatMap((n) => [prompt(`u${n}`, n === 1 ? null : `a${n - 1}`), answer(`a${n}`, `u${n}`)])
}

/** A file of these lines, where the program would look for it. */
export function fileOf(lines: readonly (JsonObject | string)[], home = temporaryFolder()): string {
  const path = join(home, ".claude", "projects", "-home-you-project", `${SESSION}.jsonl`)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, lines.map((line) => `${typeof line === "string" ? line : JSON.stringify(line)}\n`).join(""))
  return path
}

/** A session made of lines, and what is read of it, in short words. */
export function read(lines: readonly (JsonObject | string)[], parse: "all" | "few" = "few"): ForeignHistory {
  return readFile(fileOf(lines), parse)
}

export function readFile(path: string, parse: "all" | "few" = "few"): ForeignHistory {
  const session = new ScannedSession(openClaude({ path, main: path }, parse), NOTHING_OURS)
  session.load()
  return session.history
}

/** What the model would get, such as `u1 a1 [u2] {p1 p2}`: words of the person, of the agent, calls, results. */
export function sent(history: ForeignHistory): string {
  return contextAt(history)
    .map(({ content }) =>
      content
        .map((part) =>
          part.type === "text"
            ? part.text
            : part.type === "tool-call"
              ? `${part.call}?`
              : part.type === "tool-result"
                ? `${part.call}=${part.output}`
                : part.type,
        )
        .join("+"),
    )
    .join(" ")
}

export function typed(history: ForeignHistory): string[] {
  return prompts(history, history.head).map((row) => {
    const record = history.record(row)
    return record?.type === "message" ? (record.display ?? plainText(record.content)) : ""
  })
}

/** The name of an entry, as `uuid` made its id. */
export function nameOf(history: ForeignHistory, row: number): string {
  return row === NONE ? "-" : Buffer.from(history.id(row).slice(24), "hex").toString().replaceAll("_", "")
}
