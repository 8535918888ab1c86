// Large parts: stored once, beside the log, by what they hold.
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import type { Part } from "../../../src/model/record/record.ts"
import { openSession } from "../../../src/session/session.ts"
import { promptDraft } from "../../../src/session/state/draft.ts"
import { afterwards, codeOf, FAST, message, newLog, openLog, parts } from "../kit.ts"

const LARGE = 32 * 1024

function blobsBeside(file: string): string[] {
  const folder = join(dirname(file), "blobs")
  return readdirSync(folder, { recursive: true })
    .map(String)
    .filter((name) => statSync(join(folder, name)).isFile())
    .map((name) => join(folder, name))
}

const shapes: [string, (text: string) => Part][] = [
  ["a text", (text) => ({ type: "text", text })],
  ["reasoning", (text) => ({ type: "reasoning", text, meta: { signature: "s" } })],
  ["an image", (data) => ({ type: "image", mediaType: "image/png", data })],
  ["a file", (data) => ({ type: "file", mediaType: "text/plain", data, name: "a.txt" })],
  ["a tool's output", (output) => ({ type: "tool-result", call: "1", name: "read", output, error: true })],
  [
    "an image in a tool's result",
    (data) => ({
      type: "tool-result",
      call: "1",
      output: "",
      media: [{ type: "image", mediaType: "image/png", data }],
    }),
  ],
]
test.each(shapes)("%s over 32 KB is stored beside the log and comes back as it was", async (_, make) => {
  const { log, file } = await newLog()
  const large = message(null, "", { content: [make("ü".repeat(LARGE + 1))] })
  await log.append([large], FAST)
  expect(log.history.record(1)).toEqual(large)
  expect(log.line(1).length).toBeLessThan(1000)
  expect(blobsBeside(file).map((blob) => readFileSync(blob, "utf8"))).toEqual(["ü".repeat(LARGE + 1)])
  expect(openLog(file).history.record(1)).toEqual(large)
})

test("a part of 32 KB stays in the record", async () => {
  const { log } = await newLog()
  await log.append([message(null, "x".repeat(LARGE))], FAST)
  expect(log.line(1).length).toBeGreaterThan(LARGE)
})

test("half a character at the end of a long text comes back as it was", async () => {
  const { log, file } = await newLog()
  const record = message(null, "🎈".repeat(LARGE).slice(0, -1))
  await log.append([record], FAST)
  expect(openLog(file).history.record(1)).toEqual(record)
})

test("what is stored twice is stored once, and shared by sessions that split off", async () => {
  const { store, id, file } = await newLog()
  const session = await openSession(store, id, parts)
  afterwards(() => session.close())
  const text = "0123".repeat(LARGE)
  for (let i = 0; i < 3; i++) await session.append(promptDraft(text))
  const { session: split } = await session.split("head~0")
  afterwards(() => split.close())
  await split.append(promptDraft(text))
  expect(blobsBeside(file).length).toBe(1)
  expect(split.context().at(-1)?.content).toEqual([{ type: "text", text }])
  expect(dirname(split.log.file ?? "")).toBe(dirname(file))
})

test("a missing blob is named in its place; one that was cut is stored again", async () => {
  const { log, file } = await newLog()
  const [text, again] = ["a".repeat(LARGE * 2), "b".repeat(LARGE * 2)]
  await log.append([message(null, text), message(null, again)], FAST)
  const [first = "", second = ""] = blobsBeside(file).toSorted((a, b) =>
    readFileSync(a, "utf8") < readFileSync(b, "utf8") ? -1 : 1,
  )
  rmSync(first)
  truncateSync(second, 10)
  const record = log.history.record(1)
  expect(record?.type === "message" ? record.content : []).toEqual([
    { type: "text", text: expect.stringMatching(/^\[content not found: sha256-[0-9a-f]{64}\]$/) },
  ])
  await log.append([message(null, text), message(null, again)], FAST)
  expect(log.history.record(1)).toMatchObject({ content: [{ text }] })
  expect(log.history.record(2)).toMatchObject({ content: [{ text: again }] })
})

const names = [
  "../../../../etc/passwd",
  "sha256-../../../../../../../../../../../../../../../../../../etc/passwd",
  `sha256-${"0".repeat(63)}/`,
  `sha256-${"A".repeat(64)}`,
  `sha256-${"0".repeat(64)}\n`,
  "/etc/passwd",
  "",
]
test.each(names)("a blob named %j is never looked for", async (hash) => {
  const { log, file } = await newLog()
  writeFileSync(join(dirname(file), "secret"), "secret")
  const part = { type: "text", blob: { hash, bytes: 5, field: "text" } } as unknown as Part
  await log.append([message(null, "", { content: [part] })], FAST)
  expect(log.history.record(1)).toMatchObject({
    content: [{ type: "text", text: "[content not found: its name is not a hash]" }],
  })
})

test("a blob replaces only the text it stands for", async () => {
  const { log } = await newLog()
  const hash = `sha256-${"0".repeat(64)}`
  for (const field of ["type", "__proto__", "data", "meta"]) {
    const part = { type: "text", text: "kept", blob: { hash, bytes: 5, field } } as unknown as Part
    await log.append([message(null, "", { content: [part] })], FAST)
    expect(log.history.record(log.history.size - 1)).toMatchObject({ content: [{ type: "text", text: "kept" }] })
  }
})

test("logs, blobs, indexes and leases are private; so are their folders", async () => {
  const { log, home, file } = await newLog()
  await log.append([message(null, "x".repeat(LARGE * 2))], FAST)
  await log.lease.take()
  const other = openLog(file)
  other.flush()
  const modes = readdirSync(home, { recursive: true }).map((name) => {
    const stat = statSync(join(home, String(name)))
    return `${stat.isDirectory() ? "folder" : "file"} ${(stat.mode & 0o777).toString(8)}`
  })
  expect(new Set(modes)).toEqual(new Set(["folder 700", "file 600"]))
})

test("a blob folder that cannot be used refuses the append, and nothing is written", async () => {
  const { log, file } = await newLog()
  writeFileSync(join(dirname(file), "blobs"), "in the way")
  expect(await codeOf(log.append([message(null, "x".repeat(LARGE * 2))], FAST))).toBe("io")
  expect(log.history.size).toBe(1)
  await log.append([message(null, "small")], FAST)
  rmSync(join(dirname(file), "blobs"))
  await log.append([message(null, "x".repeat(LARGE * 2))], FAST)
  expect(openLog(file).history.size).toBe(3)
})

test("a link or a folder where a blob should be is not believed", async () => {
  const { log, file } = await newLog()
  await log.append([message(null, "x".repeat(LARGE * 2))], FAST)
  const [blob = ""] = blobsBeside(file)
  rmSync(blob)
  mkdirSync(blob)
  expect(log.history.record(1)).toMatchObject({ content: [{ text: expect.stringContaining("content not found") }] })
  rmSync(blob, { recursive: true })
  symlinkSync("nowhere", blob)
  expect(log.history.record(1)).toMatchObject({ content: [{ text: expect.stringContaining("content not found") }] })
})
