// A log that a crash has cut: at every byte of its last three records.
import { appendFileSync, copyFileSync, readFileSync, statSync, truncateSync, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { indexFile } from "../../src/store/file/disk/layout.ts"
import {
  damage,
  FAST,
  goTo,
  message,
  newLog,
  openCold,
  openLog,
  sameRows,
  sameWhenReopened,
  say,
  texts,
} from "./kit.ts"

/** A session of two messages with its index, then three records: multi-byte text, an operation, a message. */
async function threeRecords() {
  const { file, log } = await newLog()
  const [, second] = await say(log, "one", "two")
  await log.close()
  const index = `${file}.kept`
  copyFileSync(indexFile(file), index)
  const whole = readFileSync(file).length
  const writer = openLog(file)
  const third = message(second ?? null, "dréi 漢字 🎈")
  const last = message(second ?? null, "four }")
  await writer.append([third, goTo(third.id, second ?? null), last], FAST)
  await writer.close()
  return { file, index, whole, bytes: readFileSync(file) }
}

/** How many of the three records are whole when `cut` bytes are left. */
function wholeRecords(bytes: Buffer, from: number, cut: number): number {
  let found = 0
  for (let at = from; ; found++) {
    const newline = bytes.indexOf(10, at)
    if (newline === -1 || newline > cut) return found
    at = newline + 1
  }
}

const PATHS = [
  ["one", "two"],
  ["one", "two", "dréi 漢字 🎈"],
  ["one", "two"],
  ["one", "two", "four }"],
]

test("a log cut at any byte of its last three records opens with everything that was complete, and continues", async () => {
  const { file, index, whole, bytes } = await threeRecords()
  for (let cut = whole; cut <= bytes.length; cut++) {
    writeFileSync(file, bytes.subarray(0, cut))
    copyFileSync(index, indexFile(file))
    const warm = openLog(file)
    expect(statSync(file).size).toBe(cut)
    const expected = PATHS[wholeRecords(bytes, whole, cut)] ?? []
    expect(texts(warm)).toEqual(expected)
    const cold = openCold(file)
    sameRows(warm, cold)
    await say(warm, "next")
    expect(texts(warm)).toEqual([...expected, "next"])
    const written = readFileSync(file)
    expect(written.subarray(0, cut).equals(bytes.subarray(0, cut))).toBe(true)
    const lines = written.toString("utf8").trimEnd().split("\n")
    expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ content: [{ text: "next" }] })
    cold.refresh()
    sameRows(warm, cold)
    const torn = written.indexOf(10, cut - 1) === cut && cut !== bytes.length && !endsRecord(bytes, cut)
    expect(damage(warm).length).toBe(torn ? 1 : 0)
    if (cut % 7 === 0) await sameWhenReopened(warm)
    await Promise.all([warm.close(), cold.close()])
  }
})

/** Whether the bytes end with a whole record that only lacks its newline. */
function endsRecord(bytes: Buffer, cut: number): boolean {
  return bytes[cut] === 10 || bytes[cut - 1] === 10
}

test("a record that only lacks its newline counts, and gets it with the next append", async () => {
  const { file, bytes } = await threeRecords()
  truncateSync(file, bytes.length - 1)
  const log = openLog(file)
  expect(texts(log)).toEqual(["one", "two", "four }"])
  expect(log.tornTail).toBe(undefined)
  await say(log, "five")
  expect(texts(log)).toEqual(["one", "two", "four }", "five"])
  expect(damage(log)).toEqual([])
  await sameWhenReopened(log)
})

test("what looked like a whole last record and then grew is read again", async () => {
  const { file, bytes } = await threeRecords()
  truncateSync(file, bytes.length - 1)
  const log = openLog(file)
  appendFileSync(file, " and more\n")
  log.refresh()
  expect(damage(log).map(({ line }) => line)).toEqual([6])
  expect(texts(log)).toEqual(["one", "two"])
  await sameWhenReopened(log)
})

test("a torn line whose first bytes are those of a record is found out by the blank line after it", async () => {
  const { file, log } = await newLog()
  await say(log, "one")
  const record = `{"id":"0190a2b4-0000-7000-8000-000000000001","type":"message","parent":null,"role":"user","origin":"prompt","at":"x","content":[{"type":"text","text":"torn"}`
  appendFileSync(file, record)
  const other = openLog(file)
  await say(other, "two")
  expect(damage(other).length).toBe(1)
  expect(texts(other)).toEqual(["one", "two"])
  log.refresh()
  sameRows(log, other)
  await sameWhenReopened(other)
  // The same line, but the view knew it before the blank line came.
  appendFileSync(file, `${record.replace("0001", "0002")}\n`)
  log.refresh()
  expect(texts(log)).toEqual(["(unreadable)"])
  await log.close()
  appendFileSync(file, "\n")
  other.refresh()
  const warm = openLog(file)
  expect(texts(warm)).toEqual(["one", "two"])
  sameRows(warm, other)
  await sameWhenReopened(warm)
})

test("a tail of NUL bytes, as a power cut leaves it, is sealed like any torn line", async () => {
  const { file, log } = await newLog()
  await say(log, "one")
  appendFileSync(file, Buffer.alloc(5000))
  await say(log, "two")
  expect(texts(log)).toEqual(["one", "two"])
  expect(damage(log).map(({ line }) => line)).toEqual([3])
  await sameWhenReopened(log)
})
