import { describe, expect, test } from "vitest"
import { wordsFor } from "../../src/model/failure/failure-words.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { failureOf, readFailure } from "../../src/model/failure/system-failure.ts"
import { FAILURES } from "./failures.ts"

describe("every failure says what happened and what to do next", () => {
  test.each(FAILURES.map((failure) => [failure.code, failure] as const))("%s", (code, failure) => {
    const { message, status } = wordsFor(failure)
    const { hint } = new RetconError(failure)
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
})

test("a long list of names stays on one line", () => {
  const paths = Array.from({ length: 300 }, (_, i) => `file-${i}`)
  const { message } = wordsFor({ code: "conflicts", paths })
  expect(message).toContain("and 295 more")
  expect(message.length).toBeLessThan(150)
})

test("back in the first round says how to start over", () => {
  expect(wordsFor({ code: "at-start", rounds: 1 }).advice).toContainEqual({ do: "goto", entry: "@1" })
})

test("back in the empty conversation names no prompt, because there is none", () => {
  const error = new RetconError({ code: "at-start", rounds: 0 })
  expect(error.message).toBe("The conversation is empty here.")
  expect(error.advice).toEqual([
    "Undo the last move with: ",
    { do: "undo" },
    ". See all branches with: ",
    { do: "log" },
  ])
  expect(error.hint).toBe("Undo the last move with: undo. See all branches with: log")
})

test("a name of any length stays on one line", () => {
  const name = "x".repeat(100_000)
  expect(wordsFor({ code: "not-found", what: "entry", name }).message).toBe(`There is no entry "${"x".repeat(79)}…".`)
  expect(wordsFor({ code: "io", path: `/tmp/${name}`, problem: "name too long" }).message.length).toBeLessThan(150)
})

test("what may not be read is not called read-only", () => {
  const denied = Object.assign(new Error("EACCES: permission denied"), { code: "EACCES" })
  expect(wordsFor(readFailure(denied, "a.jsonl")).message).toBe(
    "a.jsonl could not be used: you have no permission to read it.",
  )
  const scanned = Object.assign(denied, { syscall: "scandir", path: "sessions" })
  expect(failureOf(scanned)).toEqual(readFailure(denied, "sessions"))
  expect(readFailure(Object.assign(new Error("gone"), { code: "ENOENT" }), "a")).toEqual({
    code: "vanished",
    path: "a",
  })
})
