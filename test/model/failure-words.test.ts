import { describe, expect, test } from "vitest"
import type { Failure, FailureCode } from "../../src/model/failure/failure.ts"
import { wordsFor } from "../../src/model/failure/failure-words.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { readFailure } from "../../src/model/failure/system-failure.ts"

type Sample<Code extends FailureCode> = Omit<Extract<Failure, { code: Code }>, "code">

/** At least one of each code: a new code without a sample does not compile. */
const SAMPLES: { [Code in FailureCode]: Sample<Code>[] } = {
  "at-start": [{ rounds: 0 }, { rounds: 1 }],
  "too-few-rounds": [
    { asked: 9, possible: 1 },
    { asked: 9, possible: 4 },
  ],
  "nothing-to-undo": [{}],
  "nothing-to-redo": [{}],
  "nothing-to-compact": [{}],
  "not-found": [
    ...(["session", "entry", "record", "checkpoint", "file", "folder", "key"] as const).map((what) => ({
      what,
      name: "x",
    })),
    { what: "checkpoint", name: "9", possible: ["0", "1"] },
    { what: "entry", name: "@9", possible: [] },
  ],
  ambiguous: [{ what: "entry", name: "abcdef", matches: ["1abcdef", "2abcdef"] }],
  "no-session": [
    { cwd: "/home/you/project", found: [] },
    { cwd: "/home/you/project", found: [], unreadable: 2 },
    { cwd: "/home/you/project", found: [{ id: "1", agent: "claude-code", title: "Mend the parser" }] },
  ],
  invalid: [{ problem: "The number is not one.", hint: "Use 1, 2, 3, …" }],
  "session-busy": [
    { session: "s", pid: 4121 },
    { session: "s", pid: 0 },
  ],
  "turn-ended": [{}],
  "pending-backtrack": [{}],
  exists: [{ path: "a.jsonl" }],
  "format-newer": [{ path: "a.jsonl", reads: 2 }],
  "read-only": (["format", "folder", "foreign"] as const).map((because) => ({ path: "a.jsonl", because })),
  damaged: [{ path: "a.jsonl", line: 7, problem: "not JSON" }],
  "not-a-session": [{ path: "a.jsonl", problem: "line 1 is not a session record" }],
  "not-honoured": [{ agent: "kimi-cli", problem: "it keeps no branches", hint: "Use --split." }],
  "disk-full": [{ path: "a.jsonl" }],
  vanished: [{ path: "a.jsonl" }, { path: "a.jsonl", kept: "01890000-0000-7000-8000-000000000001" }],
  overwritten: [{ path: "a.jsonl" }],
  io: [{ path: "a.jsonl", problem: "input/output error" }],
  "not-printed": [{ problem: "ENOSPC: no space left on device, write" }],
  "no-workspace": [{ reason: "git is not installed" }],
  "snapshot-gone": [{ snapshot: "abc" }],
  "not-covered": [{ paths: ["a", "b", "c", "d", "e", "f", "g"], reason: "ignored" }],
  conflicts: [{ paths: ["a.txt"] }, { paths: ["a.txt", "b.txt"] }],
  "too-many-files": [{ folder: "/home/you", files: 200_001, limit: 200_000 }],
  "unsafe-path": [{ path: "../a", problem: "it leads out of the workspace" }],
  "restore-failed": [
    { problem: "no permission", path: "a", rolledBack: true },
    { problem: "no permission", path: "a", rolledBack: false },
  ],
}

const failures = Object.entries(SAMPLES).flatMap(([code, samples]) =>
  samples.map((sample) => ({ code, ...sample }) as Failure),
)

describe("every failure says what happened and what to do next", () => {
  test.each(failures.map((failure) => [failure.code, failure] as const))("%s", (code, failure) => {
    const { message, hint, status } = wordsFor(failure)
    for (const text of [message, hint]) {
      expect(text).toMatch(/^\S.*\S$/)
      expect(text).not.toMatch(/undefined|null|NaN|\[object|\$\{|\.\.$|[\n\r]| {2}/)
    }
    expect(message).toMatch(/[.]$/)
    expect(message).not.toBe(hint)
    expect(status).toBeGreaterThanOrEqual(400)
    expect(status).toBeLessThan(600)
    expect(new RetconError(failure).code).toBe(code)
  })

  test("a hint names only commands in the form a person types them", () => {
    for (const failure of failures) {
      for (const [command] of wordsFor(failure).hint.matchAll(/(?<=: )retcon \w+/g)) {
        expect(command).toMatch(/^retcon (goto|ops|undo|log|split|doctor|import|ls|rm|config)$/)
      }
    }
  })
})

test("a long list of names stays a line", () => {
  const paths = Array.from({ length: 300 }, (_, i) => `file-${i}`)
  const { message } = wordsFor({ code: "not-covered", paths, reason: "ignored" })
  expect(message).toContain("and 295 more")
  expect(message.length).toBeLessThan(150)
})

test("back in the first round says how to start over", () => {
  expect(wordsFor({ code: "at-start", rounds: 1 }).hint).toContain("goto @1")
})

test("back in the empty conversation names no prompt, for there is none", () => {
  const { message, hint } = wordsFor({ code: "at-start", rounds: 0 })
  expect(message).toBe("The conversation is empty here.")
  expect(hint).not.toContain("@1")
  expect(hint).toContain("retcon undo")
})

test("a name of any length stays a line", () => {
  const name = "x".repeat(100_000)
  expect(wordsFor({ code: "not-found", what: "entry", name }).message).toBe(`There is no entry "${"x".repeat(79)}…".`)
  expect(wordsFor({ code: "io", path: `/tmp/${name}`, problem: "name too long" }).message.length).toBeLessThan(150)
})

test("what may not be read is not called read-only", () => {
  const denied = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" })
  expect(wordsFor(readFailure(denied, "a.jsonl")).message).toBe("a.jsonl could not be used: it may not be read.")
  expect(readFailure(Object.assign(new Error("gone"), { code: "ENOENT" }), "a")).toEqual({
    code: "vanished",
    path: "a",
  })
})
