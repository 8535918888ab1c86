// Lists are made without reading sessions, and never fail for one that is bad.
import {
  appendFileSync,
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { basename, dirname, join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { expect, test } from "vitest"
import { printRecord } from "../../../src/model/record/record-print.ts"
import { directorySlug, indexFile, logFile } from "../../../src/store/file/disk/layout.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { readListed } from "../../../src/store/file/index/read-listed.ts"
import type { SessionLog } from "../../../src/store/port.ts"
import { FAST, header, message, newLog, openLog, run, say, setting, temporaryFolder } from "../kit.ts"

/** A session on disk without an index. */
function write(home: string, cwd: string, ...texts: string[]): string {
  const first = header({ cwd })
  const file = logFile(home, cwd, first.id)
  mkdirSync(dirname(file), { recursive: true })
  const lines = [first, ...texts.map((text, i) => message(null, text, { at: `2026-02-01T00:00:0${i}.000Z` }))]
  writeFileSync(file, lines.map((record) => `${printRecord(record)}\n`).join(""))
  return file
}

/** The catalogue is written after the answer. */
async function titles(home: string): Promise<string[]> {
  const listed = await fileStore({ home }).list()
  await setImmediate()
  return listed.map(({ title }) => title)
}

test("a session with an index is listed without its log being read", async () => {
  const { home, file, log } = await newLog()
  await say(log, "the first prompt", "one", "two", "and another")
  await log.close()
  // The log keeps its length and its end, but its middle is a hole: a reader would not find the prompt.
  const bytes = readFileSync(file)
  const end = bytes.subarray(-300)
  truncateSync(file, 400)
  truncateSync(file, bytes.length - 300)
  writeFileSync(file, end, { flag: "a" })
  expect(statSync(file).size).toBe(bytes.length)
  expect(await fileStore({ home }).list()).toMatchObject([{ title: "the first prompt", prompts: 4, branches: 1 }])
})

test("a session that was listed without an index has one from then on", async () => {
  const home = temporaryFolder()
  const file = write(home, "/a", "one")
  expect(await titles(home)).toEqual(["one"])
  expect(readListed(indexFile(file))).toMatchObject({
    covered: statSync(file).size,
    said: { title: "one", prompts: 1 },
  })
})

test("the catalogue is used while it fits: not even the index is read", async () => {
  const { home, file, log } = await newLog()
  await say(log, "one")
  await log.close()
  utimesSync(file, 1_700_000_000, 1_700_000_000)
  expect(await titles(home)).toEqual(["one"])
  writeFileSync(file, Buffer.alloc(statSync(file).size))
  rmSync(indexFile(file))
  utimesSync(file, 1_700_000_000, 1_700_000_000)
  expect(await titles(home)).toEqual(["one"])
})

test("a session that has grown is listed as it is now", async () => {
  const { home, file, log } = await newLog()
  await say(log, "one")
  expect(await titles(home)).toEqual(["one"])
  await log.append([setting("title", "named")], FAST)
  expect(await titles(home)).toEqual(["named"])
  await say(log, "two")
  const store = fileStore({ home })
  expect(await store.list()).toMatchObject([{ title: "named", prompts: 2, bytes: statSync(file).size, file }])
})

test("a last line that lacks its newline is listed too, though the index ends before it", async () => {
  const { home, file, log } = await newLog()
  await say(log, "one")
  await log.close()
  appendFileSync(file, printRecord(setting("title", "named")))
  expect(await titles(home)).toEqual(["named"])
})

/** From here on only the catalogue knows what the session was, and it fits. */
async function closeAndRuin(log: SessionLog, file: string): Promise<void> {
  utimesSync(file, 1_700_000_000, 1_700_000_000)
  await log.close()
  writeFileSync(file, Buffer.alloc(statSync(file).size))
  rmSync(indexFile(file))
  utimesSync(file, 1_700_000_000, 1_700_000_000)
}

test("a session that was closed is listed from the catalogue, by the first process that lists it", async () => {
  const { home, file, log } = await newLog()
  await say(log, "one")
  await closeAndRuin(log, file)
  expect(await titles(home)).toEqual(["one"])
})

const GOOD =
  '{"v":3,"name":"NAME","id":"ID","cwd":"/project","title":"wrong","prompts":1,"branches":1,"updated":"","archived":false,"bytes":SIZE,"mtime":MTIME}'
const ruins = [
  "",
  "{",
  "[]",
  "null",
  GOOD.replace('"v":3', '"v":99'),
  GOOD.replace("ID", "x"),
  GOOD.replace('"wrong"', "5"),
  GOOD.replace("SIZE", "1"),
  GOOD.replace("MTIME", "1"),
  GOOD.slice(0, -20),
  `${GOOD.slice(0, -20)}${GOOD}`,
  '{"v":3,"name":"__proto__"}',
]
test.each(ruins)("a catalogue that says %s is not believed", async (text) => {
  const home = temporaryFolder()
  const file = write(home, "/project", "one")
  // A time of whole milliseconds, so that it can be written down.
  utimesSync(file, 1_700_000_000, 1_700_000_000)
  const fields = { NAME: basename(file), ID: basename(file, ".jsonl"), SIZE: String(statSync(file).size) }
  const said = Object.entries({ ...fields, MTIME: "1700000000000" }).reduce((all, [a, b]) => all.replaceAll(a, b), text)
  writeFileSync(join(dirname(file), "catalogue"), said)
  expect(await titles(home)).toEqual(["one"])
  expect(await titles(home)).toEqual(["one"])
  const lines = readFileSync(join(dirname(file), "catalogue"), "utf8").split("\n")
  expect(lines.filter((line) => line.includes('"title":"one"'))).toHaveLength(1)
})

test("a line that a crash has torn spoils no other, and one that fits is believed", async () => {
  const { home, file, log } = await newLog()
  const catalogue = join(dirname(file), "catalogue")
  writeFileSync(catalogue, 'sum 01234567 1\n{"v":4,"name":"torn')
  await say(log, "one")
  await closeAndRuin(log, file)
  expect(await titles(home)).toEqual(["one"])
})

test("a catalogue does not grow forever, and what is added to it meanwhile is found", async () => {
  const { home, file, log, store, id } = await newLog()
  await say(log, "one")
  await log.close()
  const catalogue = join(dirname(file), "catalogue")
  for (let n = 1; n <= 200; n++) {
    const again = await store.open(id)
    await again.append([setting("title", `title ${n}`)], FAST)
    await again.close()
    expect(await titles(home)).toEqual([`title ${n}`])
  }
  expect(readFileSync(catalogue, "utf8").split("\n").length).toBeGreaterThan(10)
  writeFileSync(file, `${printRecord(header())}\n`)
  expect(await titles(home)).toEqual([""])
  expect(
    readFileSync(catalogue, "utf8")
      .trim()
      .split("\n")
      .filter((line) => line.startsWith("{")),
  ).toHaveLength(1)
})

test("closing a log that is elsewhere leaves no catalogue there", async () => {
  const { file, log } = await newLog()
  await say(log, "one")
  await log.close()
  const folder = temporaryFolder()
  const copy = join(folder, basename(file))
  copyFileSync(file, copy)
  await openLog(copy).close()
  expect(readdirSync(folder).toSorted()).toEqual([basename(indexFile(file)), basename(file)])
})

test("a folder where the catalogue should be costs time, not the list", async () => {
  const home = temporaryFolder()
  const file = write(home, "/project", "one")
  mkdirSync(join(dirname(file), "catalogue"))
  expect(await titles(home)).toEqual(["one"])
  expect(readdirSync(dirname(file)).filter((name) => name.endsWith(".tmp"))).toEqual([])
})

test("what cannot be read is left out", async () => {
  const home = temporaryFolder()
  const folder = dirname(write(home, "/project", "good"))
  const at = () => join(folder, `${header().id}.jsonl`)
  writeFileSync(at(), "")
  writeFileSync(at(), "not a session\n")
  writeFileSync(at(), `${printRecord(header({ reads: 9, writes: 9 }))}\n`)
  writeFileSync(join(folder, "notes.jsonl"), "{}\n")
  mkdirSync(at())
  const loop = at()
  symlinkSync(basename(loop), loop)
  symlinkSync("/nowhere", at())
  symlinkSync("/dev/zero", at())
  writeFileSync(join(home, "sessions", "a file"), "")
  mkdirSync(join(home, "sessions", "empty"))
  expect(await titles(home)).toEqual(["good"])
  expect(await titles(home)).toEqual(["good"])
})

test("a thousand sessions are listed right, newest first, with few files open", async () => {
  const home = temporaryFolder()
  const names = Array.from({ length: 1000 }, (_, i) => `session ${String(i).padStart(4, "0")}`)
  for (const [i, name] of names.entries()) {
    const first = header({ cwd: `/project/${i % 7}` })
    const at = new Date(Date.UTC(2026, 0, 1) + i * 1000).toISOString()
    const file = logFile(home, first.cwd, first.id)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `${printRecord(first)}\n${printRecord(message(null, name, { at }))}\n`)
  }
  const under = ["bash", "-c", 'ulimit -n 64; exec "$@"', "sh"]
  const cold = await run("list", [home], under)
  expect(cold).toEqual(names.toReversed())
  expect(await run("list", [home], under)).toEqual(cold)
  const one = await fileStore({ home }).list({ cwd: "/project/3" })
  expect(one.map(({ title }) => title)).toEqual(names.toReversed().filter((_, i) => (999 - i) % 7 === 3))
})

test("an empty session, a long prompt and a prompt of several lines have a title that fits a line", async () => {
  const home = temporaryFolder()
  write(home, "/a")
  write(home, "/b", "🎈".repeat(200))
  write(home, "/c", "  first\n\tsecond  ")
  const listed = (await titles(home)).toSorted((a, b) => a.length - b.length)
  expect(listed.slice(0, 2)).toEqual(["", "first second"])
  expect(listed[2]).toBe(`${"🎈".repeat(59)}…`)
})

test("times and titles crafted in a log break no list", async () => {
  const home = temporaryFolder()
  const file = write(home, "/a", "x")
  const text = readFileSync(file, "utf8").replace("2026-02-01T00:00:00.000Z", "9".repeat(100_000))
  writeFileSync(file, text)
  expect((await fileStore({ home }).list())[0]?.updated.length).toBeLessThan(50)
  await openLog(file).close()
  expect(statSync(indexFile(file)).size).toBeGreaterThan(0)
})

test("a log that was copied under another name keeps to itself", async () => {
  const { log, file, home } = await newLog()
  await say(log, "one")
  await log.close()
  const copy = join(home, "copy.log")
  const other = join(home, "copy.txt")
  for (const name of [copy, other]) {
    copyFileSync(file, name)
    await openLog(name).close()
  }
  expect(readdirSync(home).toSorted()).toEqual(["copy.log", "copy.log.index", "copy.txt", "copy.txt.index", "sessions"])
})

const directories: [string, RegExp][] = [
  ["/home/me/project", /^home-me-project-[0-9a-f]{8}$/],
  ["/", /^[0-9a-f]{8}$/],
  ["", /^[0-9a-f]{8}$/],
  ["/a/../../etc", /^a-..-..-etc-[0-9a-f]{8}$/],
  ["..", /^[0-9a-f]{8}$/],
  ["/漢字/ü 🎈", /^[0-9a-f]{8}$/],
  [`/${"long/".repeat(200)}end`, /^[A-Za-z-]{60}-[0-9a-f]{8}$/],
  ["C:\\Users\\me", /^C-Users-me-[0-9a-f]{8}$/],
  ["/a\nb\0c", /^a-b-c-[0-9a-f]{8}$/],
  ["/.hidden", /^hidden-[0-9a-f]{8}$/],
]
test.each(directories)("the sessions of %j have a folder of their own", async (cwd, pattern) => {
  expect(directorySlug(cwd)).toMatch(pattern)
  const home = temporaryFolder()
  const store = fileStore({ home })
  const log = await store.create(header({ cwd }))
  await log.close()
  expect(dirname(dirname(log.file ?? ""))).toBe(join(home, "sessions"))
  expect((await store.list({ cwd })).map(({ id, cwd: listed }) => [id, listed])).toEqual([[log.id, cwd]])
})

test("directories that look alike are distinguished", () => {
  const alike = ["/a/b", "/a-b", "/a b", "a/b", "/a//b", "/A/b"]
  expect(new Set(alike.map(directorySlug)).size).toBe(alike.length)
})

test("a home without sessions has none, also when a file is in their place", async () => {
  const home = temporaryFolder()
  expect(await titles(home)).toEqual([])
  writeFileSync(join(home, "sessions"), "in the way")
  expect(await titles(home)).toEqual([])
})
