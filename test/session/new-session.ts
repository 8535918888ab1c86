// Sessions for tests: fixed clock, ids that can be told apart, every store, all closed and removed at the end.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as fc from "fast-check"
import { onTestFinished } from "vitest"
import { path } from "../../src/history/tree/tree.ts"
import { makeIds } from "../../src/model/id.ts"
import { type LogRecord, plainText } from "../../src/model/record/record.ts"
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

export type Command =
  | { do: "prompt" | "command" | "steer" | "injection" | "answer" | "checkpoint" | "late" }
  | { do: "calls"; count: number }
  | { do: "results"; pick: number; orphan: boolean }
  | { do: "state"; key: "todos" | "system" | "model" }
  | { do: "back"; rounds: number }
  | { do: "goto"; pick: number; summary: boolean }
  | { do: "start" | "undo" | "redo" | "retract" | "reopen" | "begin" | "stop" | "end" }
  | { do: "backtrack"; pick: number; facts: boolean }
  | { do: "compact"; keepRounds: number; keepTokens: number }
  | { do: "label"; pick: number; name: "one" | "two" | "" }
  | { do: "config"; key: "title" | "mode" | "allow" }
  | { do: "split"; pick: number | null; stay: boolean }
  | { do: "omit"; pick: number }

const pick = fc.nat(50)
const only = <Name extends string>(...names: Name[]) => fc.record({ do: fc.constantFrom(...names) })
const just = <Name extends string>(name: Name) => fc.constant(name)

const anyCommand: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: only("prompt", "answer", "prompt", "answer", "checkpoint", "steer", "injection", "command") },
  { weight: 3, arbitrary: fc.record({ do: just("calls"), count: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: just("results"), pick, orphan: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: just("state"), key: fc.constantFrom("todos", "system", "model") }) },
  { weight: 2, arbitrary: fc.record({ do: just("back"), rounds: fc.integer({ min: 1, max: 3 }) }) },
  { weight: 3, arbitrary: fc.record({ do: just("goto"), pick, summary: fc.boolean() }) },
  { weight: 4, arbitrary: only("undo", "redo", "retract", "start") },
  { weight: 2, arbitrary: fc.record({ do: just("backtrack"), pick, facts: fc.boolean() }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: just("compact"),
      keepRounds: fc.integer({ min: 1, max: 2 }),
      keepTokens: fc.constantFrom(0, 40, 4000),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: just("label"), pick, name: fc.constantFrom("one", "two", "") }) },
  { weight: 1, arbitrary: fc.record({ do: just("config"), key: fc.constantFrom("title", "mode", "allow") }) },
  { weight: 1, arbitrary: fc.record({ do: just("split"), pick: fc.option(pick), stay: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: just("omit"), pick }) },
  { weight: 3, arbitrary: only("begin", "stop", "end", "late", "reopen") },
)

/** A few undos, then a few redos, as somebody does who looks for a place. */
const anySearch = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.nat(4))
  .map(([undos, redos]): Command[] => [
    ...Array.from({ length: undos }, (): Command => ({ do: "undo" })),
    ...Array.from({ length: redos }, (): Command => ({ do: "redo" })),
  ])

/** What can happen to a session, as data: random sequences of these are played on a session and on the naive model. */
export const anyCommands = fc
  .array(
    fc.oneof({ weight: 9, arbitrary: anyCommand.map((command) => [command]) }, { weight: 1, arbitrary: anySearch }),
    { minLength: 1, maxLength: 32, size: "max" },
  )
  .map((parts) => parts.flat())
