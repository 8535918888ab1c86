// A log is the same whether it is read from nothing, from its index, or as it grows: row by row, whatever is in it.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from "node:fs"
import { rm } from "node:fs/promises"
import { setImmediate } from "node:timers/promises"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { KIND } from "../../../src/model/record/record.ts"
import { printRecord } from "../../../src/model/record/record-print.ts"
import { indexFile } from "../../../src/store/file/disk/layout.ts"
import { HEADER_BYTES, parseHeader } from "../../../src/store/file/index/index-header.ts"
import type { FileLog } from "../../../src/store/file/log/log.ts"
import {
  FAST,
  goTo,
  header,
  label,
  message,
  newLog,
  openCold,
  openLog,
  run,
  sameRows,
  say,
  setting,
  temporaryFolder,
} from "../kit.ts"

/** Lines that are made when their turn comes, because records name earlier ones. */
type Maker = (ids: string[]) => string

const any = (ids: string[], n: number): string | null => ids[n % (ids.length + 1)] ?? null

const makers: fc.Arbitrary<Maker> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.nat(1000).map(
      (n): Maker =>
        (ids) =>
          entry(ids, any(ids, n)),
    ),
  },
  { weight: 6, arbitrary: fc.constant<Maker>((ids) => entry(ids, ids.at(-1) ?? null)) },
  {
    weight: 2,
    arbitrary: fc.nat(1000).map(
      (n): Maker =>
        (ids) =>
          printRecord(goTo(ids.at(-1) ?? null, any(ids, n))),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Maker>(() => printRecord(setting("title", "t"))) },
  { weight: 1, arbitrary: fc.constant<Maker>((ids) => printRecord(label(ids.at(-1) ?? header().id, "l"))) },
  {
    weight: 1,
    arbitrary: fc.nat(1000).map(
      (n): Maker =>
        (ids) =>
          entry(ids, any(ids, n), { origin: "agent" }),
    ),
  },
  // Damage: torn, not JSON, of a wrong shape, twice the same id, a missing parent, a field twice, blank, CRLF.
  {
    weight: 2,
    arbitrary: fc.nat(300).map(
      (n): Maker =>
        (ids) =>
          entry([], ids.at(-1) ?? null).slice(0, n),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Maker>((ids) => entry([], ids.at(-1) ?? null).slice(0, -2)) },
  {
    weight: 1,
    arbitrary: fc.string({ maxLength: 20 }).map(
      (text): Maker =>
        () =>
          text.replaceAll("\n", ""),
    ),
  },
  {
    weight: 1,
    arbitrary: fc.nat(1000).map(
      (n): Maker =>
        (ids) =>
          printRecord(withId(message(null, "again"), any(ids, n))),
    ),
  },
  { weight: 1, arbitrary: fc.constant<Maker>(() => printRecord(message(header().id, "lost"))) },
  { weight: 1, arbitrary: fc.constant<Maker>(() => printRecord(goTo(null, header().id as string))) },
  {
    weight: 1,
    arbitrary: fc.constant<Maker>((ids) => `${entry([], null).slice(0, -1)},"id":"${ids[0] ?? header().id}"}`),
  },
  { weight: 3, arbitrary: fc.constant<Maker>(() => "") },
  { weight: 1, arbitrary: fc.constant<Maker>((ids) => `${entry(ids, ids.at(-1) ?? null)}\r`) },
  { weight: 1, arbitrary: fc.constant<Maker>(() => "\r") },
  {
    weight: 1,
    arbitrary: fc.constant<Maker>(() => JSON.stringify({ id: header().id, type: "new", at: "x", parent: null })),
  },
)

function entry(ids: string[], parent: string | null, more = {}): string {
  const record = message(parent, "ü 漢", more)
  ids.push(record.id)
  return printRecord(record)
}

function withId<R extends { id: string }>(record: R, id: string | null): R {
  return id === null ? record : { ...record, id }
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 8,
      arbitrary: fc.array(makers, { minLength: 1, maxLength: 12 }).map((lines) => ({ do: "lines" as const, lines })),
    },
    { weight: 2, arbitrary: fc.nat(5000).map((cut) => ({ do: "half" as const, cut })) },
    { weight: 2, arbitrary: fc.constant({ do: "append" as const }) },
    { weight: 2, arbitrary: fc.boolean().map((own) => ({ do: "flush" as const, own })) },
    { weight: 1, arbitrary: fc.constant({ do: "reopen" as const }) },
  ),
  { minLength: 1, maxLength: 12 },
)

test("read from nothing, from the index or as it grows, a log gives the same rows", async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (todo) => {
      const { file, log } = await newLog()
      const ids: string[] = []
      let growing: FileLog = openLog(file)
      let writer: FileLog = openLog(file)
      for (const step of todo) {
        if (step.do === "lines") appendFileSync(file, step.lines.map((make) => `${make(ids)}\n`).join(""))
        if (step.do === "half") {
          const line = entry(ids, ids.at(-1) ?? null)
          appendFileSync(file, line.slice(0, step.cut % line.length))
        }
        if (step.do === "append") ids.push(...(await say(writer, "one", "two")))
        if (step.do === "flush") (step.own ? writer : growing).flush()
        if (step.do === "reopen") {
          await writer.close()
          writer = openLog(file)
        }
        growing.refresh()
        const warm = openLog(file)
        sameRows(growing, warm)
        await warm.close()
      }
      writer.refresh()
      sameRows(growing, writer)
      const cold = openCold(file)
      sameRows(growing, cold)
      await Promise.all([growing, writer, cold, log].map((open) => open.close()))
      const last = openLog(file)
      growing = openCold(file)
      sameRows(last, growing)
      await Promise.all([last.close(), growing.close()])
      await rm(file, { force: true })
    }),
    { numRuns: 50 },
  )
})

test.each(["", "\r"])(
  "a line that turns out torn is so for a view that has it already, also with %j at its end",
  async (end) => {
    const { file } = await newLog()
    const growing = openLog(file)
    // What a row is made of is there; in the middle something is missing.
    appendFileSync(file, `${printRecord(message(null, "text")).replace('"text"}', '"te')}}${end}\n`)
    growing.refresh()
    appendFileSync(file, "\n")
    growing.refresh()
    expect(growing.history.kind(1)).toBe(KIND.damaged)
    sameRows(growing, openCold(file))
  },
)

test("an index that two views extend in turn, over many pages, is the one that is made at once", async () => {
  const { file, log } = await newLog()
  const other = openLog(file)
  for (let n = 0; n < 30; n++) {
    const view = n % 2 === 0 ? log : other
    const batch = Array.from({ length: 101 + n * 3 }, (_, i) => message(null, `${n}.${i}`))
    await view.append(batch, FAST)
    if (n % 3 === 0) other.flush()
  }
  await Promise.all([log.close(), other.close()])
  // Which file holds the tips depends on who has written one when; all else is the log's.
  const indexed = () => {
    const bytes = readFileSync(indexFile(file))
    return { header: parseHeader(bytes), rows: bytes.subarray(HEADER_BYTES) }
  }
  const warm = openLog(file)
  const tips = warm.history.tips()
  await warm.close()
  const extended = indexed()
  const cold = openCold(file)
  expect(cold.history.tips()).toEqual(tips)
  await cold.close()
  expect(indexed()).toEqual(extended)
})

test("an index that two processes extend at once is right or not used", async () => {
  const { file, home } = await newLog()
  for (let round = 0; round < 3; round++) {
    await Promise.all(["a", "b"].map((name) => run("talk-at-once", [file, home, name, "1500"])))
    const warm = openLog(file)
    const copy = `${temporaryFolder()}/copy.jsonl`
    writeFileSync(copy, readFileSync(file))
    sameRows(warm, openLog(copy))
    await warm.close()
  }
})

test("a long log that was opened without an index has one soon after, while it is still open", async () => {
  const { file, log } = await newLog()
  await say(log, ...Array.from({ length: 1100 }, (_, n) => `message ${n}`))
  await log.close()
  await rm(indexFile(file))
  openLog(file)
  await setImmediate()
  expect(existsSync(indexFile(file))).toBe(true)
})
