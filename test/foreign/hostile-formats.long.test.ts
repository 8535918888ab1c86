// What may stand in the files of any agent: none of it hangs, crashes, or is followed out of its folder.
import { execFileSync, spawn } from "node:child_process"
import { once } from "node:events"
import { appendFileSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { afterEach, beforeEach, expect, test } from "vitest"
import type { AnyStore } from "../../src/foreign/any-store.ts"
import type { ForeignLog } from "../../src/foreign/log/foreign-log.ts"
import { FORMATS } from "../../src/formats/all/formats.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { parseSessionId } from "../../src/model/id.ts"
import { testStore } from "../any-store.ts"
import { EVERY_AGENT, placeBeside, putHostile, putSample } from "./every-agent.ts"

let folder: string
let person: string
let store: AnyStore
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retcon-hostile-"))
  person = join(folder, "person")
  store = testStore(join(folder, "home"), person, () => Date.now())
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

test("every agent is among them", () => {
  expect(EVERY_AGENT.map(({ agent }) => agent)).toEqual(FORMATS.map(({ agent }) => agent))
})

/** Opens it and reads all of it; a session that is none is refused in words. */
async function readAll(path: string): Promise<{ prompts: number } | "refused"> {
  let log: ForeignLog
  try {
    log = (await store.openFile(path)) as ForeignLog
  } catch (error) {
    if (!(error instanceof RetconError)) throw error
    return "refused"
  }
  const { history } = log
  let prompts = 0
  for (let row = 0; row < history.size; row++) {
    history.record(row)
    log.opened.why(row, Buffer.from(log.line(row)))
    if (history.isPrompt(row)) prompts++
  }
  log.opened.holder()
  await log.close()
  return { prompts }
}

test.each(EVERY_AGENT)("$agent: pipes, links and folders where a session would be are ignored", async (each) => {
  const good = putSample(each, person)
  execFileSync("mkfifo", [placeBeside(each, person, 1)])
  symlinkSync("/etc/passwd", placeBeside(each, person, 2))
  symlinkSync(good.main, placeBeside(each, person, 3))
  const loop = placeBeside(each, person, 4)
  symlinkSync(loop, loop)
  mkdirSync(placeBeside(each, person, 5))
  symlinkSync(".", join(dirname(good.path), "loop"))
  symlinkSync("/", join(dirname(good.path), "root"))
  writeFileSync(placeBeside(each, person, 6), "")
  writeFileSync(placeBeside(each, person, 7), Buffer.alloc(100_000))
  writeFileSync(placeBeside(each, person, 8), `${"[".repeat(200_000)}\n${'{"a":'.repeat(50_000)}\n`)
  const listed = (await store.foreign.list()).map(({ file }) => file ?? "")
  const strange = [6, 7, 8].map((n) => join(person, each.beside(n)))
  expect(listed).toContain(good.path)
  expect(listed.filter((file) => !strange.includes(file))).toEqual([good.path])
  expect(await readAll(good.path)).not.toBe("refused")
  for (const n of [1, 2, 4, 5, 6, 7, 8]) expect(await readAll(join(person, each.beside(n)))).toBeDefined()
})

const STRANGE = [
  "null",
  "[]",
  "{}",
  "7",
  '"',
  "\u0000\u001b[2J",
  "[".repeat(100_000),
  `{"type":"message","message":${'{"content":['.repeat(20_000)}`,
  `{"type":"user","content":${"[".repeat(3000)}${"]".repeat(3000)}}`,
  '{"type":"user","uuid":"..","parentUuid":"../../..","id":"..","parentId":"..","sessionId":"../..","message":{"role":"user","content":7}}',
  '{"type":"response_item","payload":{"type":"message","role":[],"content":{}},"timestamp":1e400}',
  '{"role":"assistant","tool_calls":[{"id":{},"function":null}],"content":[null,7,{"type":"text"}]}',
  '{"id":"..","type":"gemini","toolCalls":[7,{"result":{}}],"$set":{"messages":{}},"$rewindTo":"../x"}',
  '{"type":"context.append_message","message":{"role":"user","content":[{"type":"text"}]},"time":"x"}',
]

test.each(EVERY_AGENT.filter(({ document }) => document !== true))(
  "$agent: lines of any shape are damage or nothing, and what is around them is read",
  async (each) => {
    const good = putSample(each, person)
    const before = await readAll(good.path)
    appendFileSync(good.main, STRANGE.map((line) => `${line}\n`).join(""))
    const after = await readAll(good.path)
    if (before === "refused" || after === "refused") throw new Error("it was refused")
    expect(before.prompts).toBeGreaterThan(0)
    expect(after.prompts).toBeGreaterThanOrEqual(before.prompts)
  },
)

test.each(EVERY_AGENT)("$agent: names and folders that lead elsewhere lead nowhere", async (each) => {
  const { path } = putHostile(each, person)
  const before = readdirSync(folder, { recursive: true, encoding: "utf8" }).sort()
  const listed = await store.foreign.list()
  expect(listed).toHaveLength(1)
  for (const { id, file = "" } of listed) {
    expect(parseSessionId(id)).toBe(id)
    const log = await store.openFile(file)
    expect(parseSessionId(log.id)).toBe(log.id)
    await log.close()
  }
  expect(await readAll(path)).not.toBe("refused")
  const after = readdirSync(folder, { recursive: true, encoding: "utf8" })
  expect(after.filter((file) => !/^home(?:\/|$)/.test(file)).sort()).toEqual(before)
})

test.each(EVERY_AGENT.filter(({ document }) => document !== true))(
  "$agent: a file that grows while it is read is read as if it had been whole",
  async (each) => {
    const whole = putSample(each, join(folder, "whole"))
    const { path, main } = putSample(each, person)
    rmSync(main)
    const writer = spawn("dd", [`if=${whole.main}`, `of=${main}`, "bs=61", "status=none"])
    const written = once(writer, "close")
    while (writer.exitCode === null) {
      await readAll(path)
      await setImmediate()
    }
    await written
    const recordsOf = async (session: string) => {
      const { history, close } = await opened(session)
      const records = Array.from({ length: history.size }, (_, row) => history.record(row))
      await close()
      return records
    }
    expect(JSON.stringify(await recordsOf(path))).toBe(JSON.stringify(await recordsOf(whole.path)))
  },
)

async function opened(path: string) {
  const log = await store.openFile(path)
  return { history: log.history, close: () => log.close() }
}
