// What holds for every format. Each test walks all samples of it.
import { appendFileSync, cpSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { basename, join, relative } from "node:path"
import { describe, expect, test } from "vitest"
import { ScannedSession } from "../../src/foreign/scan/scanned-session.ts"
import type { Format } from "../../src/formats/port.ts"
import { contextAt } from "../../src/history/context/context.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import { isEntryKind, KIND } from "../../src/model/record/record.ts"
import { carried, columnsOf } from "../history/wire/carried.ts"
import { indexedRows } from "./indexed-rows.ts"
import { NOTHING_OURS, outline, placeOf, readSession, rowsOf, temporaryFolder } from "./read-session.ts"

export interface Sample {
  /** The file or folder that `-s` would name. */
  path: string
  /** What a test copies to change it, when the session is more than that: a folder that holds it. */
  folder?: string
  /** What a person typed, in order, on the path to the head. */
  prompts: string[]
}

export interface ContractOptions {
  /** The file in a sample to which the agent appends; by default the sample itself. Null: its files only change whole. */
  grows?: ((path: string) => string) | null
  /** A line that no version writes. Null: this format has no lines. */
  unknownLine?: string | null
}

/** A copy that the test may change. */
export function copyOf({ path, folder = path }: Sample): string {
  const copy = join(temporaryFolder(), basename(folder))
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true })
  return join(copy, relative(folder, path))
}

export function formatContract(format: Format, samples: readonly Sample[], options: ContractOptions = {}): void {
  const grows = options.grows === undefined ? (path: string) => path : options.grows
  const each = samples.map((sample) => ({ ...sample, name: basename(sample.path) }))

  describe(`the contract of a format: ${format.agent}`, () => {
    test.each(each)("$name: the tree is as it was looked at and found right", async ({ path, name }) => {
      const { history } = await readSession(format, path)
      await expect(outline(history)).toMatchFileSnapshot(`golden/${name}.txt`)
    })

    test.each(each)("$name: a line of two bytes at the end changes nothing", async (sample) => {
      if (grows === null) return
      const before = await readSession(format, sample.path)
      const copy = copyOf(sample)
      appendFileSync(grows(copy), "{}\n")
      const after = await readSession(format, copy)
      expect(contextAt(after.history)).toEqual(contextAt(before.history))
    })

    test.each(each)("$name: the prompts are what the person typed", async ({ path, prompts }) => {
      const { history } = await readSession(format, path)
      const found: string[] = []
      for (let row = history.prompt(history.head); row !== NONE; row = history.prompt(history.parent(row))) {
        const record = history.record(row)
        expect(record?.type).toBe("message")
        if (record?.type === "message") found.unshift(record.display ?? textOf(record.content))
      }
      expect(found).toEqual(prompts)
    })

    test.each(each)("$name: every row that is no damage has its record, with its id and parent", async ({ path }) => {
      const { history, opened } = await readSession(format, path)
      expect(history.size).toBeGreaterThan(0)
      for (let row = 0; row < history.size; row++) {
        if (history.kind(row) === KIND.damaged || history.kind(row) === KIND.amendment) continue
        const record = history.record(row)
        expect(record?.id, `row ${row}`).toBe(history.id(row))
        if (!isEntryKind(history.kind(row)) || record === undefined || !("parent" in record)) continue
        expect(record.parent).toBe(history.parent(row) === NONE ? null : history.id(history.parent(row)))
        if (record.type === "message") expect(opened.why(row, history.body(row))).not.toBe("")
      }
    })

    test.each(each)("$name: a row's bytes may go as soon as others are read", async ({ path }) => {
      const { history, opened } = await readSession(format, path)
      for (let row = 0; row < history.size; row++) {
        if (history.kind(row) === KIND.damaged || history.kind(row) === KIND.amendment) continue
        const bytes = history.body(row)
        const readAfter = (read: (row: number) => Buffer) => (other: number) => {
          bytes.fill(0)
          return read(other)
        }
        const [read, original] = [(other: number) => history.body(other), (other: number) => history.line(other)]
        const kept = opened.record(row, Buffer.from(bytes), { history, read, original })
        const gone = opened.record(row, bytes, { history, read: readAfter(read), original: readAfter(original) })
        expect(gone).toEqual(kept)
      }
    })

    test.each(each)("$name: read twice, the rows are the same; the file stays as it was", async ({ path }) => {
      const before = statSync(path)
      const [first, second] = [await readSession(format, path), await readSession(format, path)]
      expect(rowsOf(second.history)).toEqual(rowsOf(first.history))
      expect(statSync(path)).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs })
    })

    test.each(each)("$name: over the wire its rows stay what they are", async ({ path }) => {
      const { history } = await readSession(format, path)
      expect(columnsOf(carried(history, [history.size >> 1]))).toEqual(columnsOf(history))
    })

    test.each(each)(
      "$name: every call has its result in the context, and every message something to say",
      async ({ path }) => {
        const { history } = await readSession(format, path)
        const context = contextAt(history)
        for (const [i, { role, content }] of context.entries()) {
          expect(content.length).toBeGreaterThan(0)
          if (role !== "tool") continue
          const calls = context[i - 1]?.content.flatMap((part) => (part.type === "tool-call" ? [part.call] : []))
          const results = content.flatMap((part) => (part.type === "tool-result" ? [part.call] : []))
          expect(results.toSorted()).toEqual(calls?.toSorted())
        }
      },
    )

    test.each(each)("$name: read from an index, it ends where it ended", async ({ path }) => {
      const { opened, session, history } = await readSession(format, path)
      const again = new ScannedSession(opened, NOTHING_OURS)
      expect(again.load(indexedRows(session))).toBe(true)
      expect([again.history.head, rowsOf(again.history)]).toEqual([history.head, rowsOf(history)])
      again.close()
    })

    if (grows === null) return

    test.each(each)(
      "$name: rows of a part of the file are a part of the rows; the rest makes them whole, after an index too",
      async (sample) => {
        const whole = rowsOf((await readSession(format, sample.path)).history)
        const copy = copyOf(sample)
        const file = grows(copy)
        const bytes = readFileSync(file)
        const opened = await format.open(placeOf(format, copy))
        for (const cut of cuts(bytes)) {
          truncateSync(file, cut)
          const session = new ScannedSession(opened, NOTHING_OURS)
          session.load()
          expect(rowsOf(session.history)).toEqual(whole.slice(0, session.history.size))
          const known = indexedRows(session)
          writeFileSync(file, bytes.subarray(0, cut))
          appendFileSync(file, bytes.subarray(cut))
          session.refresh()
          expect(rowsOf(session.history)).toEqual(whole)
          session.close()
          const again = new ScannedSession(opened, NOTHING_OURS)
          expect(again.load(known)).toBe(opened.sources().every(({ how }) => how !== "whole"))
          expect(rowsOf(again.history)).toEqual(whole)
          expect(again.history.head).toBe(session.history.head)
          again.close()
        }
      },
    )

    const { unknownLine } = options
    if (unknownLine === undefined || unknownLine === null) return

    test.each(each)("$name: a line that no version writes changes no prompt and no context", async (sample) => {
      const before = await readSession(format, sample.path)
      const copy = copyOf(sample)
      appendFileSync(grows(copy), `${unknownLine}\n{"torn`)
      const after = await readSession(format, copy)
      expect(contextAt(after.history)).toEqual(contextAt(before.history))
    })
  })
}

/** After some lines, and in the middle of some. */
function cuts(bytes: Buffer): number[] {
  const ends: number[] = []
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) ends.push(at + 1)
  const step = Math.max(1, Math.floor(ends.length / 12))
  const some = ends.filter((_, i) => i % step === 0).flatMap((end, i) => (i % 3 === 0 ? [end, end + 7] : [end]))
  return some.filter((cut) => cut < bytes.length)
}

function textOf(content: readonly { type: string }[]): string {
  return content.flatMap((part) => ("text" in part && typeof part.text === "string" ? [part.text] : [])).join("\n")
}
