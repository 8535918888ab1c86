// Sessions for tests: fixed clock, ids that can be told apart, every store, all closed and removed at the end.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { onTestFinished } from "vitest"
import { path } from "../../src/history/tree/path.ts"
import { makeIds } from "../../src/model/id.ts"
import { plainText } from "../../src/model/record/part.ts"
import type { LogRecord } from "../../src/model/record/record.ts"
import { createSession, type Session } from "../../src/session/session.ts"
import { answerDraft, type EntryDraft, promptDraft, toolDraft } from "../../src/session/state/draft.ts"
import type { SessionOptions } from "../../src/session/state/open-session.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
import { memoryStore } from "../../src/store/memory/memory-store.ts"
import type { SessionStore } from "../../src/store/port.ts"

/** Clock and ids that are the same in every run. `durability` is fast: power cuts are not what these tests are about. */
export function fixedParts(): SessionOptions {
  let seed = 1
  let now = 1_767_225_600_000
  const random = (bytes: Uint8Array) => {
    for (let i = 0; i < bytes.length; i++) {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) & 0x7fffffff
      bytes[i] = seed >>> 16
    }
  }
  const ids = makeIds({ now: () => ++now, random })
  return { ids, now: () => new Date(now).toISOString(), durability: "fast" }
}

export type StoreName = "memory" | "file"
export const STORES: StoreName[] = ["memory", "file"]

/** A store, and what removes it from the disk. */
export function makeStore(name: StoreName): { store: SessionStore; home: string | undefined; remove: () => void } {
  if (name === "memory") return { store: memoryStore(), home: undefined, remove: () => undefined }
  const home = mkdtempSync(join(tmpdir(), "retcon-session-"))
  return { store: fileStore({ home }), home, remove: () => rmSync(home, { recursive: true, force: true }) }
}

export const MADE = { name: "test", version: "0" }

/** A new session in a store of its own, for one test. */
export async function newSession(
  name: StoreName = "memory",
  more: Pick<SessionOptions, "head" | "via"> = {},
): Promise<{ session: Session; store: SessionStore; parts: SessionOptions }> {
  const { store, remove } = makeStore(name)
  const parts = { ...fixedParts(), ...more }
  const session = await createSession(store, { cwd: "/project", made: MADE }, parts)
  onTestFinished(async () => {
    await session.close()
    remove()
  })
  return { session, store, parts }
}

export const prompt = promptDraft
export const answer = answerDraft

export function callsDraft(...calls: string[]): EntryDraft {
  return answerDraft(calls.map((call) => ({ type: "tool-call", call, name: "read", input: { path: call } })))
}

export function resultsDraft(...calls: string[]): EntryDraft {
  return toolDraft(calls.map((call) => ({ type: "tool-result", call, output: `output of ${call}` })))
}

export function stateDraft(key: string, value: string): EntryDraft {
  return { type: "state", key, value }
}

export function checkpointDraft(session: Session): EntryDraft {
  return { type: "checkpoint", n: session.nextCheckpoint() }
}

/** The path as words: the text of messages, the type of all else. */
export function told(session: Session): string {
  return path(session.history, session.headRow)
    .map((row) => word(session.history.record(row)))
    .join(" > ")
}

function word(record: LogRecord | undefined): string {
  if (record?.type === "checkpoint") return `checkpoint ${record.n}`
  if (record?.type !== "message") return record?.type ?? "?"
  const calls = record.content.flatMap((part) => ("call" in part ? [`${part.type} ${part.call}`] : []))
  return [plainText(record.content), ...calls].filter((text) => text !== "").join(" ")
}

/** All lines of a session's log, as text. */
export function lines(session: Session): string[] {
  return Array.from({ length: session.history.size }, (_, row) => Buffer.from(session.log.line(row)).toString("utf8"))
}

/** The code of a refusal, or the outcome. */
export function outcome(result: { outcome: string; failure?: { code: string } }): string {
  return result.failure?.code ?? result.outcome
}
