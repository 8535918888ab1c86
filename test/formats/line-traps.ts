// What no session may do, whatever is in its files: every field of a sample's lines is replaced by what should not be there.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { describe, expect, test } from "vitest"
import type { Format } from "../../src/formats/port.ts"
import { contextAt } from "../../src/history/context/context.ts"
import { isObject, type Json } from "../../src/model/json.ts"
import { KIND } from "../../src/model/record/record.ts"
import { glanceAt, linesFile, placeOf, promptsOf, readSession, temporaryFolder } from "./read-session.ts"

const ODD: readonly Json[] = [null, true, 1e308, "", "../../etc/passwd", [], {}, [[]], [null, 4, "x", { type: [] }]]
const FEW: readonly Json[] = [null, "../../etc/passwd", [null, 4, "x", { type: [] }]]
const DEEP = `${"[".repeat(50_000)}${"]".repeat(50_000)}`

/** The value with each of its fields, at any depth, replaced in turn. */
export function* replaced(value: Json, by: Json): Generator<Json> {
  if (Array.isArray(value)) {
    for (const [i, each] of value.entries()) for (const other of replaced(each, by)) yield value.with(i, other)
  } else if (isObject(value)) {
    for (const [key, each] of Object.entries(value)) {
      yield { ...value, [key]: by }
      for (const other of replaced(each, by)) yield { ...value, [key]: other }
    }
  }
}

/** For a format of lines. */
export function lineTraps(format: Format, sample: string): void {
  describe(`files that nobody should have written: ${format.agent}`, () => {
    const lines = readFileSync(sample, "utf8").trimEnd().split("\n")
    const first = lines[0] as string
    const kinds = new Map(lines.slice(1).map((line) => [JSON.parse(line).type ?? "", JSON.parse(line) as Json]))

    test.each(ODD)("any field may be %j", async (odd) => {
      const wrong = [...kinds.values()].flatMap((line) => [...replaced(line, odd)])
      await readsAll(format, linesFile([first, ...wrong]))
      for (const header of replaced(JSON.parse(first), odd)) {
        const path = linesFile([header, ...lines.slice(1)])
        await readsAll(format, path).catch(isRefusal)
      }
    })

    test("lines that are damaged, or nested deeply, affect no others", async () => {
      const half = Math.ceil(lines.length / 2)
      const bad = ["{ torn", "null", "42", "[]", `{"type":"message","data":${DEEP},"message":${DEEP}}`]
      const before = await readSession(format, linesFile(lines))
      const after = await readSession(format, linesFile([...lines.slice(0, half), ...bad, ...lines.slice(half)]))
      expect(promptsOf(after.history)).toEqual(promptsOf(before.history))
      const kindsOf = Array.from({ length: after.history.size }, (_, row) => after.history.kind(row))
      expect(kindsOf.filter((kind) => kind === KIND.damaged).length).toBeGreaterThanOrEqual(4)
    })
  })
}

/** For a format of JSON documents, each in a folder of its own. */
export function documentTraps(format: Format, sample: string): void {
  describe(`documents that nobody should have written: ${format.agent}`, () => {
    const whole = JSON.parse(readFileSync(sample, "utf8")) as Json
    const folders = sample.split("/").slice(-4, -1)

    test.each(FEW)("any field may be %j", async (odd) => {
      const home = temporaryFolder()
      for (const [n, wrong] of [...replaced(whole, odd)].entries()) {
        const path = join(home, String(n), ...folders, basename(sample))
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, JSON.stringify(wrong))
        await readsAll(format, path).catch(isRefusal)
      }
    })

    test("a document that is cut off, or nested deeply, is damage, or no session", async () => {
      const text = readFileSync(sample, "utf8")
      for (const [n, bad] of [text.slice(0, -20), text.slice(0, text.length / 2), `[${DEEP}]`, ""].entries()) {
        const path = join(temporaryFolder(), String(n), ...folders, basename(sample))
        mkdirSync(dirname(path), { recursive: true })
        writeFileSync(path, bad)
        await readsAll(format, path).catch(isRefusal)
      }
    })
  })
}

function isRefusal(error: unknown): void {
  expect(String(error)).toMatch(/does not know|RetconError|not a session|is not one of/)
}

/** Opens a file and asks everything of it. */
export async function readsAll(format: Format, path: string): Promise<void> {
  glanceAt(format, placeOf(format, path))
  const { history, opened, session } = await readSession(format, path)
  for (let row = 0; row < history.size; row++) {
    if (history.kind(row) === KIND.damaged) continue
    history.record(row)
    opened.why(row, history.body(row))
  }
  contextAt(history)
  session.close()
}
