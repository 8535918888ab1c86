// Logs that somebody damaged, and files that are none: never a crash, never a hang, always what and where.
import { spawnSync } from "node:child_process"
import { appendFileSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { wordsFor } from "../../src/model/failure/failure-words.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { printRecord } from "../../src/model/record/record-print.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
import {
  afterwards,
  codeOf,
  damage,
  FAST,
  goTo,
  header,
  message,
  newLog,
  openLog,
  sameWhenReopened,
  say,
  temporaryFolder,
  texts,
} from "./kit.ts"

/** A log with these lines after its header, which says its name. */
function logOf(...lines: (string | Buffer)[]): string {
  const first = header()
  const file = join(temporaryFolder(), `${first.id}.jsonl`)
  writeFileSync(file, `${printRecord(first)}\n`)
  for (const line of lines) appendFileSync(file, Buffer.concat([Buffer.from(line), Buffer.from("\n")]))
  return file
}

/** It opens, can be read from end to end, goes on, and looks the same to everybody. */
async function usable(file: string) {
  const before = readFileSync(file)
  const log = openLog(file)
  const found = { texts: texts(log), damage: damage(log).map(({ line }) => line), tips: log.history.tips().length }
  expect(readFileSync(file).equals(before)).toBe(true)
  await say(log, "next")
  expect(texts(log)).toEqual([...found.texts, "next"])
  await sameWhenReopened(log)
  return found
}

test("a cycle is cut where it closes", async () => {
  const [a, b] = [message(null, "a"), message(null, "b")]
  const file = logOf(printRecord({ ...a, parent: b.id }), printRecord({ ...b, parent: a.id }))
  expect(await usable(file)).toEqual({ texts: ["a", "b"], damage: [], tips: 1 })
})

test("an entry that is its own parent is a root", async () => {
  const a = message(null, "a")
  expect(await usable(logOf(printRecord({ ...a, parent: a.id })))).toEqual({ texts: ["a"], damage: [], tips: 1 })
})

test("an entry whose parent is missing starts a separate conversation", async () => {
  const file = logOf(printRecord(message(null, "a")), printRecord(message(header().id, "lost")))
  expect(await usable(file)).toEqual({ texts: ["lost"], damage: [], tips: 2 })
})

test("a second record with the same id is kept and means nothing", async () => {
  const a = message(null, "a")
  const file = logOf(printRecord(a), printRecord(message(a.id, "b")), printRecord({ ...a, content: [] }))
  expect(await usable(file)).toEqual({ texts: ["a", "b"], damage: [4], tips: 1 })
  expect(damage(openLog(file))[0]?.problem).toContain(a.id)
})

test("two roots are two conversations", async () => {
  const file = logOf(printRecord(message(null, "a")), printRecord(message(null, "b")))
  expect(await usable(file)).toEqual({ texts: ["b"], damage: [], tips: 2 })
})

test("a move to an entry that does not exist moves nothing", async () => {
  const a = message(null, "a")
  const file = logOf(printRecord(a), printRecord(goTo(a.id, header().id)))
  expect(await usable(file)).toEqual({ texts: ["a"], damage: [], tips: 1 })
})

test("a record that names a field twice is reported, and makes nobody read forever", async () => {
  const [a, b] = [message(null, "a"), message(null, "b")]
  const twice = `${printRecord(a).slice(0, -1)},"id":"${b.id}"}`
  const kinds = `${printRecord(b).slice(0, -1)},"type":"label","entry":"${a.id}","name":"x"}`
  const file = logOf(twice, kinds)
  const log = openLog(file)
  expect(damage(log).map(({ line, problem }) => [line, problem])).toEqual([
    [2, "it has the same field twice, with two values"],
    [3, "it has the same field twice, with two values"],
  ])
  await log.close()
  expect(damage(openLog(file)).length).toBe(2)
})

const lines: [string, Buffer | string, number[]][] = [
  ["NUL bytes", Buffer.alloc(300), [3]],
  ["bytes that are no UTF-8", Buffer.from([0x7b, 0xff, 0xfe, 0xc3, 0x28, 0x7d]), [3]],
  ["a number", "42", [3]],
  ["a list", "[]", [3]],
  ["null", "null", [3]],
  ["an id that is none", '{"id":"../../etc/passwd","type":"message","at":"x","parent":null}', [3]],
  ["a prototype", '{"__proto__":{"id":1},"constructor":1,"type":"constructor"}', [3]],
  ["a message without content", printRecord(message(null, "x")).replace(/"content".*\]/, '"x":1'), [3]],
  ["a lot of brackets", "[".repeat(200_000), [3]],
  ["a blank line", "", []],
  ["a carriage return", "\r", []],
]
test.each(lines)("a line of %s is kept and named", async (_, line, expected) => {
  const a = message(null, "a")
  const file = logOf(printRecord(a), line, printRecord(message(a.id, "b")))
  const found = await usable(file)
  expect({ texts: found.texts, damage: found.damage }).toEqual({ texts: ["a", "b"], damage: expected })
})

test("invalid UTF-8 inside a record does not hide the record, and its bytes stay", async () => {
  const bytes = Buffer.from(printRecord(message(null, "a?b")))
  bytes[bytes.indexOf("?")] = 0xff
  const file = logOf(bytes)
  expect((await usable(file)).texts).toEqual(["a\ufffdb"])
  expect(Buffer.from(openLog(file).line(1)).equals(bytes)).toBe(true)
})

test("parts of any shape are kept and never crash a reader", async () => {
  const { log, file } = await newLog()
  const odd = [
    '{"type":"tool-result","call":"1","output":"x","media":{}}',
    '{"type":"tool-result","call":"1","output":"x","media":[null,5,{"type":"image"}]}',
    '{"type":"text","blob":7}',
    '{"type":"text","blob":{"field":"text","hash":5}}',
    '{"type":"text","text":"t","blob":{"field":"type","hash":"sha256-00"}}',
    "null",
    "[]",
  ]
  for (const part of odd) {
    const line = printRecord(message(null, "x")).replace(/"content":\[.*\]/, `"content":[${part}]`)
    appendFileSync(file, `${line}\n`)
    log.refresh()
    expect(log.history.record(log.history.size - 1)?.type).toBe("message")
    expect(Buffer.from(log.line(log.history.size - 1)).toString()).toBe(line)
  }
  expect(damage(log)).toEqual([])
})

test("Windows line ends are line ends", async () => {
  const file = logOf()
  const a = message(null, "a")
  const text = [printRecord(a), "", printRecord(message(a.id, "b")), ""].join("\r\n")
  writeFileSync(file, readFileSync(file, "utf8").replace("\n", "\r\n") + text)
  expect(await usable(file)).toEqual({ texts: ["a", "b"], damage: [], tips: 1 })
})

test("lines too long to be read are kept unread, in little memory", async () => {
  const a = message(null, "a")
  const file = logOf(printRecord(a))
  const size = () => readSize(file)
  const at = size()
  truncateSync(file, at + 200 * 1024 * 1024)
  appendFileSync(file, `\n${printRecord(message(a.id, "b"))}\n`)
  const next = size()
  truncateSync(file, next + 70 * 1024 * 1024)
  appendFileSync(file, `\n${printRecord(message(a.id, "c"))}\n`)
  const before = process.memoryUsage.rss()
  const log = openLog(file)
  expect(texts(log)).toEqual(["a", "c"])
  expect(damage(log)).toEqual([
    { line: 3, problem: "too long to read (209715200 bytes)" },
    { line: 5, problem: "too long to read (73400320 bytes)" },
  ])
  expect(process.memoryUsage.rss() - before).toBeLessThan(64 * 1024 * 1024)
  await say(log, "d")
  await log.close()
  expect(texts(openLog(file))).toEqual(["a", "c", "d"])
})

function readSize(file: string): number {
  return Number(spawnSync("stat", ["-c", "%s", file]).stdout.toString())
}

test("a torn tail of 70 MB is sealed like a short one", async () => {
  const a = message(null, "a")
  const file = logOf(printRecord(a))
  truncateSync(file, readSize(file) + 70 * 1024 * 1024)
  const log = openLog(file)
  await say(log, "b")
  expect(texts(log)).toEqual(["a", "b"])
  await log.close()
  expect(texts(openLog(file))).toEqual(["a", "b"])
})

test("a record that would be too long to be read again is refused, and nothing is written", async () => {
  const { log, file } = await newLog()
  const input = "x".repeat(65 * 1024 * 1024)
  const call = message(null, "", { content: [{ type: "tool-call", call: "1", name: "write", input }] })
  expect(await codeOf(log.append([call], FAST))).toBe("invalid")
  expect(readSize(file)).toBe(Buffer.byteLength(printRecord(log.header)) + 1)
  await say(log, "goes on")
  expect(texts(log)).toEqual(["goes on"])
})

/** What a person reads when this is opened. */
async function refusal(file: string): Promise<string> {
  const store = fileStore({ home: temporaryFolder() })
  try {
    const log = await store.openFile(file)
    afterwards(() => log.close())
    return "opened"
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    return `${error.code}: ${wordsFor(error.failure).message.replace(file, "FILE")}`
  }
}

test("what is not a session is refused with what it is", async () => {
  const folder = temporaryFolder()
  const at = (name: string, content: string | Buffer) => {
    writeFileSync(join(folder, name), content)
    return join(folder, name)
  }
  mkdirSync(join(folder, "folder.jsonl"))
  spawnSync("mkfifo", [join(folder, "fifo.jsonl")])
  symlinkSync("loop.jsonl", join(folder, "loop.jsonl"))
  const not = "not-a-session: FILE is not a session that retcon knows:"
  expect(await refusal(join(folder, "missing.jsonl"))).toContain("not-found")
  expect(await refusal(at("empty.jsonl", ""))).toBe(`${not} it is empty.`)
  expect(await refusal(join(folder, "folder.jsonl"))).toBe(`${not} it is a folder.`)
  expect(await refusal(join(folder, "fifo.jsonl"))).toBe(`${not} it is not a regular file.`)
  expect(await refusal("/dev/null")).toBe(`${not} it is not a regular file.`)
  expect(await refusal("/dev/full")).toBe(`${not} it is not a regular file.`)
  expect(await refusal(join(folder, "loop.jsonl"))).toMatch(/^io: FILE could not be used: ELOOP/)
  expect(await refusal(at("text.jsonl", "hello\n"))).toMatch(/line 1: not JSON/)
  expect(await refusal(at("bom.jsonl", `\ufeff${printRecord(header())}\n`))).toMatch(/line 1: not JSON/)
  expect(await refusal(at("message.jsonl", `${printRecord(message(null, "x"))}\n`))).toMatch(/it is a message record/)
  expect(await refusal(at("nul.jsonl", Buffer.alloc(100)))).toMatch(/line 1|no complete line/)
  expect(await refusal(at("newer.jsonl", `${printRecord(header({ reads: 2, writes: 2 }))}\n`))).toMatch(/^format-newer/)
})

test("a file that is refused is left alone, and so is its folder", async () => {
  const folder = temporaryFolder()
  const file = join(folder, "foreign.jsonl")
  writeFileSync(file, Array.from({ length: 2000 }, (_, i) => `{"n":${i}}\n`).join(""))
  expect(await refusal(file)).toMatch(/^not-a-session/)
  expect(spawnSync("ls", ["-A", folder]).stdout.toString()).toBe("foreign.jsonl\n")
})

test("a session whose header is damaged can be read, and says why nothing can be added", async () => {
  const a = message(null, "a")
  const file = logOf(printRecord(a))
  writeFileSync(file, readFileSync(file, "utf8").replace('{"id"', '{"xx"'))
  const log = openLog(file)
  expect([texts(log), log.access, damage(log).length]).toEqual([["a"], "read-only", 1])
  expect(await codeOf(log.append([message(a.id, "b")], FAST))).toBe("damaged")
})

test("a session that a newer version wrote can be read and not written", async () => {
  const { log, file } = await newLog({ writes: 2 })
  appendFileSync(file, `${printRecord(message(null, "from the future"))}\n`)
  log.refresh()
  expect([texts(log), log.access]).toEqual([["from the future"], "read-only"])
  expect(await codeOf(log.append([message(null, "no")], FAST))).toBe("read-only")
})
