// What doctor finds in a log and beside it, as data: each kind of damage with its line.
import { chmodSync, mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import type { WritableRecord } from "../../../src/model/record/record.ts"
import { printRecord } from "../../../src/model/record/record-print.ts"
import { indexFile, leaseFile } from "../../../src/store/file/disk/layout.ts"
import { examineFolder, examineRoot, examineSession } from "../../../src/store/file/doctor/examine-folder.ts"
import { examineLog } from "../../../src/store/file/doctor/examine-log.ts"
import { goTo, header, message, newLog, say, temporaryFolder } from "../kit.ts"

const tick = async () => undefined
const first = header()
const one = message(null, "one")
const two = message(one.id, "two")
const lines = (...records: WritableRecord[]) => records.map((record) => printRecord(record))

/** What is found in a log of these lines. */
async function found(all: readonly (string | Buffer)[], end = "\n", name = `${first.id}.jsonl`) {
  const file = join(temporaryFolder(), name)
  const bytes = all.flatMap((line, i) => [Buffer.from(line), Buffer.from(i === all.length - 1 ? end : "\n")])
  writeFileSync(file, Buffer.concat(bytes), { mode: 0o600 })
  return examineLog(file, tick)
}

const sound = lines(first, one, two)

test("a sound log has as many lines as it has, and no findings", async () => {
  expect(await found(sound)).toMatchObject({ lines: 3, findings: [] })
  expect((await found([...sound, ""])).findings).toEqual([])
})

test("a last line without its end is torn, unless it is whole", async () => {
  const torn = lines(message(two.id, "three"))[0]?.slice(0, 40) ?? ""
  expect((await found([...sound, torn], "")).findings).toEqual([{ kind: "torn-tail", line: 4, bytes: 40 }])
  expect((await found(sound, "")).findings).toEqual([])
  expect((await found([torn], "")).findings).toContainEqual({
    kind: "not-a-session",
    problem: "it has no complete line",
  })
})

test("a torn line that was sealed, NUL bytes, other damage, bytes that are no text", async () => {
  const torn = sound[1]?.slice(0, 30) ?? ""
  expect((await found([...sound, torn, "", ...lines(message(two.id, "x"))])).findings).toEqual([
    { kind: "torn-line", line: 4, bytes: 30 },
  ])
  expect((await found([...sound, torn, ...lines(message(two.id, "x"))])).findings).toMatchObject([
    { kind: "damaged-line", line: 4, bytes: 30 },
  ])
  expect((await found([...sound, "torn", "", "x"])).findings).toMatchObject([
    { kind: "damaged-line", line: 4 },
    { kind: "damaged-line", line: 6 },
  ])
  expect((await found([...sound, "a\0b"])).findings).toEqual([{ kind: "nul-bytes", line: 4, bytes: 3 }])
  const odd = Buffer.from(lines(message(two.id, "???"))[0]?.replace("???", "\u00ff") ?? "", "latin1")
  expect((await found([...sound, odd])).findings).toEqual([{ kind: "invalid-utf8", line: 4 }])
})

test("lines that end like on Windows", async () => {
  expect((await found([sound[0] ?? "", `${sound[1]}\r`, sound[2] ?? ""])).findings).toEqual([{ kind: "crlf", line: 2 }])
})

test("a header that is damaged, none, another's, or newer", async () => {
  const problem = expect.any(String)
  expect((await found(["{", ...sound.slice(1)])).findings).toEqual([{ kind: "header-damaged", line: 1, problem }])
  expect((await found(sound.slice(1))).findings).toEqual([
    { kind: "header-damaged", line: 1, problem: "it is a message record" },
  ])
  const other = header()
  expect((await found(lines(other, one))).findings).toEqual([{ kind: "name-differs", line: 1, id: other.id }])
  expect((await found(lines(other, one), "\n", "any.jsonl")).findings).toEqual([])
  expect((await found(lines(header({ ...first, reads: 99 }), one))).findings).toEqual([
    { kind: "format-newer", reads: 99 },
  ])
  expect((await found([...sound, ...lines(other)])).findings).toEqual([{ kind: "extra-header", line: 4, id: other.id }])
})

test("an id that comes twice, a parent that is missing or comes later, a head that is nowhere", async () => {
  expect((await found([...sound, sound[1] ?? ""])).findings).toEqual([
    { kind: "duplicate-id", line: 4, id: one.id, first: 2 },
  ])
  expect((await found(lines(first, one, message(message(null, "").id, "x")))).findings).toMatchObject([
    { kind: "missing-parent", line: 3, later: false },
  ])
  expect((await found(lines(first, two, one))).findings[0]).toEqual({
    kind: "missing-parent",
    line: 2,
    id: two.id,
    parent: one.id,
    later: true,
  })
  const gone = message(null, "").id
  expect((await found(lines(first, one, goTo(one.id, gone)))).findings).toEqual([
    { kind: "unknown-head", line: 3, to: gone },
  ])
})

test("a second beginning is named, unless somebody went to the start before it", async () => {
  const again = message(null, "again")
  expect((await found(lines(first, one, again))).findings).toEqual([{ kind: "second-root", line: 3, first: 2 }])
  expect((await found(lines(first, one, goTo(one.id, null), again))).findings).toEqual([])
})

test("records of a kind that only a newer version knows", async () => {
  const unknown = JSON.stringify({ ...one, id: message(null, "").id, type: "hologram", parent: two.id })
  expect((await found([...sound, unknown])).findings).toEqual([{ kind: "unknown-type", line: 4, type: "hologram" }])
})

test("a large part that is gone", async () => {
  const hash = `sha256-${"0".repeat(64)}`
  const large = JSON.stringify({
    ...message(two.id, ""),
    content: [{ type: "text", blob: { hash, bytes: 9, field: "text" } }],
  })
  expect((await found([...sound, large])).findings).toEqual([{ kind: "blob-missing", line: 4, hash }])
})

test("what is no log: a folder, an empty file, a device, nothing at all", async () => {
  const folder = temporaryFolder()
  writeFileSync(join(folder, "empty"), "")
  const problem = async (path: string) => (await examineLog(path, tick)).findings
  expect(await problem(folder)).toEqual([{ kind: "not-a-session", problem: "it is a folder" }])
  expect(await problem(join(folder, "empty"))).toEqual([{ kind: "not-a-session", problem: "it is empty" }])
  expect(await problem("/dev/null")).toEqual([{ kind: "not-a-session", problem: "it is not a regular file" }])
  expect(await problem(join(folder, "none"))).toMatchObject([{ kind: "cannot-read" }])
})

test("others get their turn once for every megabyte", async () => {
  const file = join(temporaryFolder(), "any.jsonl")
  const big = Array.from({ length: 5 }, (_, n) => message(null, `${n}${"x".repeat(600_000)}`))
  writeFileSync(file, `${lines(first, ...big).join("\n")}\n`)
  const at: number[] = []
  await examineLog(file, async (bytes) => void at.push(bytes))
  expect(at.map((bytes) => Math.round(bytes / 600_000))).toEqual([0, 2, 4])
})

test("an index that does not fit its log is a note, and one that contradicts the log is a problem", async () => {
  const { log, file } = await newLog()
  await say(log, "one", "two")
  await log.close()
  expect((await examineLog(file, tick)).findings).toEqual([])
  truncateSync(indexFile(file), 100)
  expect((await examineLog(file, tick)).findings).toEqual([{ kind: "index-unusable" }])
})

test("who may read a log, its index and its lease, and a lease that nobody holds", async () => {
  const { log, file } = await newLog()
  await say(log, "one")
  await log.close()
  writeFileSync(leaseFile(file), "{}", { mode: 0o600 })
  const all = async () => (await examineSession(file, Date.now, tick)).map(({ path, findings }) => [path, findings])
  expect(await all()).toEqual([
    [file, []],
    [indexFile(file), []],
    [leaseFile(file), [{ kind: "dead-lease" }]],
  ])
  chmodSync(file, 0o640)
  chmodSync(indexFile(file), 0o602)
  expect((await all()).slice(0, 2)).toEqual([
    [file, [{ kind: "permissions", mode: 0o640, wanted: 0o600 }]],
    [indexFile(file), [{ kind: "permissions", mode: 0o602, wanted: 0o600 }]],
  ])
})

test("what is in a folder of sessions and does not belong there", async () => {
  const { log, file } = await newLog()
  await say(log, "one")
  await log.close()
  const folder = dirname(file)
  mkdirSync(join(folder, "blobs"), { mode: 0o755 })
  chmodSync(join(folder, "blobs"), 0o755)
  mkdirSync(join(folder, "a-folder"))
  writeFileSync(join(folder, "notes.txt"), "")
  writeFileSync(join(folder, "x.tmp"), "")
  const all = (await examineFolder(folder, Date.now, tick)).filter(({ path }) => path !== file)
  expect(all.map(({ path, findings }) => [path.slice(folder.length + 1), ...findings])).toEqual([
    ["a-folder", { kind: "stranger", what: "folder" }],
    ["blobs", { kind: "permissions", mode: 0o755, wanted: 0o700 }],
    ["notes.txt", { kind: "stranger", what: "file" }],
    ["x.tmp", { kind: "left-over" }],
  ])
  expect(await examineFolder(join(folder, "none"), Date.now, tick)).toEqual([])
  expect(await examineFolder(file, Date.now, tick)).toMatchObject([{ path: file, findings: [{ kind: "cannot-read" }] }])
})

test("what is in the folder of all sessions and is not a folder", () => {
  const root = temporaryFolder()
  chmodSync(root, 0o750)
  mkdirSync(join(root, "project"))
  writeFileSync(join(root, "stray"), "")
  symlinkSync("/nowhere", join(root, "link"))
  const { folders, examined } = examineRoot(root)
  expect(folders).toEqual([join(root, "project")])
  expect(examined).toEqual([
    { path: root, lines: 0, findings: [{ kind: "permissions", mode: 0o750, wanted: 0o700 }] },
    { path: join(root, "link"), lines: 0, findings: [{ kind: "stranger", what: "file" }] },
    { path: join(root, "stray"), lines: 0, findings: [{ kind: "stranger", what: "file" }] },
  ])
  expect(examineRoot(join(root, "none"))).toEqual({ folders: [], examined: [] })
})
