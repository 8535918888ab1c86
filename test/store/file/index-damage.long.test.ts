// The sidecar index is never needed: whatever happens to it, the session opens and is right.
import { spawnSync } from "node:child_process"
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname } from "node:path"
import { beforeEach, expect, test } from "vitest"
import { BLOCK_ROWS, COLUMN, PAGE_ROWS, ROW_BYTES } from "../../../src/history/rows/columns.ts"
import type { RecordId } from "../../../src/model/id.ts"
import { indexFile } from "../../../src/store/file/disk/layout.ts"
import { blockAt, lastPageOf, pageAt, timesAt } from "../../../src/store/file/index/index-blocks.ts"
import { HEADER_BYTES, SUMMARY_BYTES } from "../../../src/store/file/index/index-header.ts"
import {
  FAST,
  goTo,
  label,
  message,
  newLog,
  openCold,
  openLog,
  sameRows,
  say,
  setting,
  temporaryFolder,
  texts,
} from "../kit.ts"

/** A session of 2305 rows, in three blocks, with branches, labels and settings. Made once, copied for each test. */
let made: Made
beforeEach(async () => {
  made ??= await makeSession()
})

interface Made {
  log: Buffer
  index: Buffer
  name: string
}

async function makeSession(): Promise<Made> {
  const { file, log } = await newLog()
  let parent: string | null = null
  for (let n = 0; n < 25; n++) {
    const batch = Array.from({ length: 90 }, (_, i) => {
      const record = message(parent, `${n}.${i}`)
      parent = record.id
      return record
    })
    await log.append([...batch, setting("title", `title ${n}`), label(batch[0]?.id ?? "", `l${n}`)], FAST)
    if (n % 5 === 4) {
      await log.append([goTo(parent, batch[40]?.id ?? null)], FAST)
      parent = batch[40]?.id ?? null
    }
  }
  await log.close()
  return { log: readFileSync(file), index: readFileSync(indexFile(file)), name: basename(file) }
}

function copy(): { file: string; index: string } {
  const file = `${temporaryFolder()}/${made.name}`
  writeFileSync(file, made.log)
  writeFileSync(indexFile(file), made.index)
  return { file, index: indexFile(file) }
}

function idIn(line: string): RecordId {
  return (JSON.parse(line) as { id: RecordId }).id
}

/** It opens, is the same as from nothing, goes on, and the next open is right as well. */
async function opensRight(file: string): Promise<void> {
  const before = readFileSync(file)
  const log = openLog(file)
  const reference = `${temporaryFolder()}/${basename(file)}`
  copyFileSync(file, reference)
  const cold = openCold(reference)
  const lines = before.toString("utf8").split("\n").slice(0, -1)
  const some = [...lines.keys()].filter((row) => row % 50 === 0)
  expect(some.map((row) => log.history.rowOf(idIn(lines[row] ?? "")))).toEqual(some)
  sameRows(log, cold)
  expect(readFileSync(file).equals(before)).toBe(true)
  await say(log, "goes on")
  expect(texts(log).at(-1)).toBe("goes on")
  await log.close()
  copyFileSync(file, reference)
  cold.refresh()
  sameRows(openLog(file), cold)
}

function flip(file: string, at: number): void {
  const bytes = readFileSync(file)
  bytes[at] = (bytes[at] ?? 0) ^ 0x41
  writeFileSync(file, bytes)
}

test("an index that fits is used: nothing of the log's middle is read", async () => {
  const { file } = copy()
  const hole = Buffer.from(made.log)
  hole.fill(0, 4096, hole.length - 8192)
  writeFileSync(file, hole)
  const log = openLog(file)
  const lines = made.log.toString("utf8").split("\n").slice(0, -1)
  expect(log.history.size).toBe(lines.length)
  expect(log.history.tips().length).toBe(5)
  const found = lines.map((line) => log.history.rowOf(idIn(line)))
  expect(found).toEqual(lines.map((_, row) => row))
})

const LAST_PAGE = lastPageOf(2305)
const columnOf = (row: number, column: number) =>
  pageAt(Math.floor(row / PAGE_ROWS)) + (row % PAGE_ROWS) * ROW_BYTES + column * 4
const flips: [string, number][] = [
  ["the magic number", 0],
  ["the version", 4],
  ["the sum of the header", 8],
  ["the sum of the tips", 12],
  ["the covered length", 17],
  ["the number of rows", 24],
  ["the sum of the log's tail", 28],
  ["the sum of the last page", 32],
  ["the sum of the times", 48],
  ["the sum of the last tails", 52],
  ["the chains", 60],
  ["the summary", 200],
  ["the number of tips", SUMMARY_BYTES],
  ["a tip", SUMMARY_BYTES + 5],
  ["the times of the second block", timesAt(1) + 7],
  ["the tails of the first block", blockAt(0) + 50 * 4],
  ["the sum of the tails of the second block", blockAt(1) + BLOCK_ROWS * 4],
  ["the tails of the last block", blockAt(2) + 2 * 4],
  ["the first row", pageAt(0) + 3],
  ["a parent in the first block", columnOf(500, COLUMN.parent)],
  ["a head in the second block", columnOf(1124, COLUMN.head)],
  ["the sum of the second page", pageAt(1) + PAGE_ROWS * ROW_BYTES],
  ["a row of the last page", pageAt(LAST_PAGE)],
]
test.each(flips)("a flipped bit in %s changes nothing", async (_, at) => {
  const { file, index } = copy()
  expect(at).toBeLessThan(made.index.length)
  flip(index, at)
  await opensRight(file)
})

const parts = [SUMMARY_BYTES, HEADER_BYTES, timesAt(1), blockAt(0), pageAt(0), pageAt(1), blockAt(1), pageAt(LAST_PAGE)]
const lengths = [0, 1, 47, ...parts.map((at) => at - 1), pageAt(1) + 3]
test.each(lengths)("an index cut to %i bytes changes nothing", async (length) => {
  const { file, index } = copy()
  truncateSync(index, length)
  await opensRight(file)
})

test("an index cut in its last page, or with bytes after it, changes nothing", async () => {
  for (const change of [-1, -ROW_BYTES, 5]) {
    const { file, index } = copy()
    truncateSync(index, statSync(index).size + change)
    await opensRight(file)
  }
})

test("the index of another session changes nothing", async () => {
  const other = await newLog()
  await say(other.log, "something else")
  await other.log.close()
  const { file, index } = copy()
  copyFileSync(indexFile(other.file), index)
  await opensRight(file)
})

test("an index that covers more than a shortened log has is not used", async () => {
  for (const lost of [1, 200, 5000, 300_000]) {
    const { file } = copy()
    truncateSync(file, statSync(file).size - lost)
    await opensRight(file)
  }
})

test("an index whose log was edited in the middle is noticed when such a line is read", async () => {
  const { file } = copy()
  const lines = made.log.toString("utf8").split("\n")
  // Two neighbours change places: the same length, the same end.
  ;[lines[700], lines[701]] = [lines[701] ?? "", lines[700] ?? ""]
  writeFileSync(file, lines.join("\n"))
  const log = openLog(file)
  for (let row = 0; row < log.history.size; row++) log.history.record(row)
  sameRows(log, openCold(file))
})

test.each(["folder", "FIFO", "link to itself"])("a %s in its place changes nothing", async (what) => {
  const { file, index } = copy()
  rmSync(index)
  if (what === "folder") mkdirSync(`${index}/x`, { recursive: true })
  else spawnSync(what === "FIFO" ? "mkfifo" : "ln", what === "FIFO" ? [index] : ["-s", basename(index), index])
  await opensRightIn(file)
  expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".tmp"))).toEqual([])
})

/** As opensRight, where no index can be kept. */
async function opensRightIn(file: string): Promise<void> {
  const log = openLog(file)
  const reference = `${temporaryFolder()}/${basename(file)}`
  copyFileSync(file, reference)
  sameRows(log, openCold(reference))
  await say(log, "goes on")
  await log.close()
  expect(texts(openLog(file)).at(-1)).toBe("goes on")
}

test("the index is private, and comes back when it was deleted", async () => {
  const { file, index } = copy()
  const again = async () => {
    rmSync(index)
    await openLog(file).close()
    return readFileSync(index)
  }
  const first = await again()
  expect(statSync(index).mode & 0o777).toBe(0o600)
  expect((await again()).equals(first)).toBe(true)
  // The header says when this copy of the log was written.
  expect(first.subarray(HEADER_BYTES).equals(made.index.subarray(HEADER_BYTES))).toBe(true)
})

test("an index that turns out to be wrong while a record is made durable: the record has one row", async () => {
  const { file } = copy()
  const log = openLog(file)
  const { size } = log.history
  const bytes = readFileSync(file)
  const end = log.history.offset(5) + '{"id":"01234567-0123-7123-8123-012345678901'.length
  bytes.write(bytes[end - 1] === 0x61 ? "b" : "a", end - 1)
  writeFileSync(file, bytes)
  const { generation } = log
  const rows = await log.append([message(null, "ours")], { durability: "sync", meanwhile: () => log.history.record(5) })
  expect(log.generation).toBe(generation + 1)
  expect([rows, log.history.size]).toEqual([[size], size + 1])
  await log.close()
  await opensRight(file)
})
