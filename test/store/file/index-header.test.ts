import { expect, test } from "vitest"
import { Rows } from "../../../src/history/rows/rows.ts"
import { parseHeader, printHeader, SUMMARY_BYTES } from "../../../src/store/file/index/index-header.ts"
import { parts } from "../kit.ts"

const [session, source, entry] = [parts.ids.session(), parts.ids.session(), parts.ids.entry()]
const header = {
  rows: 3,
  covered: 6_000_000_000,
  tailSum: 4,
  lastPageSum: 5,
  lastTailsSum: 6,
  timesSum: 7,
  summary: { title: "a title", opening: "first", prompts: 2, branches: 1, updated: "2026-01-01", archived: true },
  tips: undefined,
  listing: { id: session, cwd: "/project", from: { session: source, entry, as: "split" as const }, modified: 1.5 },
}

test("what a header says is read again as it was written, also where a log that was split off comes from", () => {
  const { tips: __, ...said } = header
  expect(parseHeader(printHeader(new Rows(), header) as Buffer)).toMatchObject(said)
  const { from: _, ...own } = header.listing
  const alone = printHeader(new Rows(), { ...header, listing: { ...own, from: undefined } }) as Buffer
  expect(parseHeader(alone)?.listing).toEqual({ ...own, from: undefined })
})

test("a folder whose name is too long for the header is left out of it, and everything else is there", () => {
  const long = { ...header, listing: { ...header.listing, cwd: "/x".repeat(SUMMARY_BYTES / 2) } }
  const { listing, summary } = parseHeader(printHeader(new Rows(), long) as Buffer) ?? {}
  expect([listing, summary]).toEqual([undefined, header.summary])
})

test("whatever its length, what is written can be read again", () => {
  const read = (length: number) => {
    const long = { ...header, listing: { ...header.listing, cwd: "x".repeat(length) } }
    return parseHeader(printHeader(new Rows(), long) as Buffer)
  }
  const lengths = Array.from({ length: 1000 }, (_, n) => SUMMARY_BYTES - n)
  const known = lengths.map(read).filter((each) => each !== undefined)
  expect(known).toHaveLength(lengths.length)
  const listed = known.filter(({ listing }) => listing !== undefined)
  expect(listed.length).toBeGreaterThan(0)
  expect(listed.length).toBeLessThan(lengths.length)
})

test.each(Object.keys(header.summary))("a summary with an invalid %s is not believed", (field) => {
  const wrong = { ...header, summary: { ...header.summary, [field]: null } }
  expect(parseHeader(printHeader(new Rows(), wrong) as Buffer)).toBe(undefined)
})
