// What is appended is what will be read: everything else is refused before it is written. What is read cannot be changed.
import { chmodSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { openSession } from "../../src/session/session.ts"
import type { EntryDraft } from "../../src/session/state/draft.ts"
import { promptDraft } from "../../src/session/state/draft.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
import { memoryStore } from "../../src/store/memory/memory-store.ts"
import { afterwards, codeOf, header, newLog, openLog, parts, start, texts } from "./kit.ts"

const message = { type: "message", role: "user", origin: "prompt", content: [{ type: "text", text: "hi" }] }
const circle: { [field: string]: unknown } = {}
circle.self = circle

const WRONG: [string, object][] = [
  ["a role that nobody knows", { ...message, role: "developer" }],
  ["content that is not a list", { ...message, content: "hi" }],
  ["a text without its text", { ...message, content: [{ type: "text" }] }],
  ["a part that is no object", { ...message, content: ["hi"] }],
  ["a number that is none", { type: "checkpoint", n: Number.NaN }],
  ["a state without a value", { type: "state", key: "todos" }],
  ["a value that is no JSON", { type: "state", key: "todos", value: 1n }],
  ["a value that holds itself", { type: "state", key: "todos", value: circle }],
  ["a note that no move leaves", { type: "note", text: "x", facts: [], left: null, discards: 0 }],
]

test.each(WRONG)("%s is refused, and what comes after it is where it should be", async (_, draft) => {
  const { store, id, file } = await newLog()
  for (const where of [store, memoryStore()]) {
    if (where !== store) await where.create(header({ id }))
    const session = await openSession(where, id, parts)
    await session.append(promptDraft("one"))
    expect(await codeOf(session.append(draft as EntryDraft))).toBe("invalid")
    await session.append(promptDraft("two"))
    expect(texts(session.log)).toEqual(["one", "two"])
    await session.close()
  }
  expect(texts(openLog(file))).toEqual(["one", "two"])
})

test("what a context or a record hands out cannot change what the next one says", async () => {
  const { store, id } = await newLog()
  const session = await openSession(store, id, parts)
  await session.append(promptDraft("one"))
  const record = session.history.record(session.headRow) as { content: { text: string }[] }
  for (const part of [session.context()[0]?.content[0], record.content[0]] as { text: string }[]) {
    expect(() => {
      part.text = "another"
    }).toThrow(TypeError)
  }
  expect(JSON.stringify(session.context())).toContain('"one"')
  await session.close()
})

test("a blob whose content does not match its name is reported as damaged, and repaired when it is written again", async () => {
  const { store, id, file } = await newLog()
  const session = await openSession(store, id, parts)
  const long = "x".repeat(40_000)
  await session.append(promptDraft(long))
  const hash = /sha256-[0-9a-f]{64}/.exec(readFileSync(file, "utf8"))?.[0] ?? ""
  const blob = join(dirname(file), "blobs", hash.slice(7, 9), hash)
  const said = () => texts(session.log).map((text) => text.slice(0, 90))
  writeFileSync(blob, "y".repeat(40_000))
  expect(said()).toEqual([`[content damaged: ${hash}]`])
  expect(session.damage()).toEqual([{ line: 2, problem: `its content ${hash} is damaged` }])
  rmSync(blob)
  expect(session.damage()).toEqual([{ line: 2, problem: `its content ${hash} is missing` }])
  await session.append(promptDraft(long))
  expect(session.damage()).toEqual([])
  await session.append(promptDraft(`[content damaged: ${hash}] is only what a person quotes`))
  expect(session.damage()).toEqual([])
  expect(readFileSync(blob, "utf8") === long).toBe(true)
  expect(said().slice(0, 2)).toEqual([long.slice(0, 90), long.slice(0, 90)])
  await session.close()
})

test("too many open files are reported, and do not look like an empty list or a missing session", async () => {
  const { home, id, log } = await newLog()
  await log.close()
  const child = await start("crowded", [home, id])
  afterwards(() => child.process.kill("SIGKILL"))
  const answers: string[] = []
  for await (const line of child.lines) answers.push(line)
  expect(answers).toEqual(["list: io", "open: io", "lease: io"])
})

test("a folder of sessions that may not be read is reported", async ({ skip }) => {
  const { home, id } = await newLog()
  const sessions = join(home, "sessions")
  chmodSync(home, 0o755)
  chmodSync(sessions, 0o000)
  afterwards(() => chmodSync(sessions, 0o700))
  if (process.getuid?.() === 0) skip("root may read everything")
  expect(statSync(sessions).mode & 0o777).toBe(0)
  expect(await codeOf(fileStore({ home }).list())).toBe("io")
  expect(await codeOf(fileStore({ home }).open(id))).toBe("io")
})
