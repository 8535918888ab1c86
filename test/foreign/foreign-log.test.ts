// A session of another agent as a log: opened, indexed, followed, labelled. pi stands for all of them.
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { ForeignLog } from "../../src/foreign/log/foreign-log.ts"
import { OurLog } from "../../src/foreign/log/our-log.ts"
import { pi } from "../../src/formats/pi/format.ts"
import { contextAt } from "../../src/history/context/context.ts"
import { planRedo, planUndo } from "../../src/history/plan/plan-undo.ts"
import { labels } from "../../src/history/tree/tree.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { type EntryId, makeIds, type RecordId } from "../../src/model/id.ts"
import type { OperationRecord } from "../../src/model/record/record.ts"
import { sessionOn } from "../../src/session/session.ts"
import type { SessionStore } from "../../src/store/port.ts"
import { rowsOf } from "../formats/read-session.ts"

const SAMPLE = join(import.meta.dirname, "../formats/pi/samples/branched.jsonl")
const ids = makeIds({ now: () => Date.now(), random: (bytes) => void crypto.getRandomValues(bytes) })

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "retcon-foreign-"))
  mkdirSync(join(folder, "agent"))
  file = join(folder, "agent", "session.jsonl")
  cpSync(SAMPLE, file)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function open(): Promise<ForeignLog> {
  const opened = await pi.open({ path: file, main: file })
  return new ForeignLog(opened, { agent: "pi", path: file, home: join(folder, "home"), now: () => Date.now() })
}

const label = (entry: string, name: string) =>
  ({ id: ids.record(), type: "label", at: "", entry: entry as EntryId, name }) as const

test("opened with an index it is the same as without one, and the agent's folder is left alone", async () => {
  const before = statSync(file)
  const first = await open()
  const [rows, context] = [rowsOf(first.history), contextAt(first.history)]
  await first.close()
  const second = await open()
  expect(rowsOf(second.history)).toEqual(rows)
  expect(contextAt(second.history)).toEqual(context)
  await second.close()
  expect(readdirSync(join(folder, "agent"))).toEqual(["session.jsonl"])
  expect(statSync(file)).toMatchObject({ size: before.size, mtimeMs: before.mtimeMs })
})

test("what the agent appends is followed, and an index that knows less is extended", async () => {
  const log = await open()
  const before = log.history.size
  const line = `{"type":"message","id":"0badcafe","parentId":"591d45f8","timestamp":"2026-11-15T22:00:00.000Z","message":{"role":"user","content":"one more"}}\n`
  appendFileSync(file, line.slice(0, 40))
  expect(log.refresh()).toBe(0)
  expect(log.tornTail).toEqual({ length: 40 })
  appendFileSync(file, line.slice(40))
  expect(log.refresh()).toBe(1)
  expect(log.history.id(log.history.head)).toMatch(/0badcafe$/)
  expect(log.generation).toBe(0)
  await log.close()
  expect(log.refresh()).toBe(0)
  const again = await open()
  expect(again.history.size).toBe(before + 1)
  await again.close()
})

test("a file that was cut or rewritten makes all rows new, and its generation shows that", async () => {
  const log = await open()
  const lines = readFileSync(file, "utf8").split("\n")
  writeFileSync(file, `${lines.slice(0, 6).join("\n")}\n`)
  log.refresh()
  expect(log.generation).toBe(1)
  expect(log.history.size).toBe(5)
  await log.close()
})

test("whoever shows it is told when all rows are new", async () => {
  const session = sessionOn({} as SessionStore, await open())
  const told: unknown[] = []
  session.on((event) => told.push(event))
  writeFileSync(file, `${readFileSync(file, "utf8").split("\n").slice(0, 6).join("\n")}\n`)
  session.look()
  expect(told).toEqual([{ type: "changed", lines: 1, head: session.history.id(4), apart: false, followed: true }])
  await session.close()
})

test("labels are ours: they are in our home, at their place, even after the agent has continued", async () => {
  const log = await open()
  const entry = log.history.id(log.history.head)
  await log.append([label(entry, "good")])
  expect(labels(log.history).get(entry as EntryId)).toBe("good")
  appendFileSync(
    file,
    `{"type":"custom","id":"0badcafe","parentId":"591d45f8","timestamp":"2026-11-15T22:00:00.000Z"}\n`,
  )
  log.refresh()
  const rows = rowsOf(log.history)
  await log.close()
  rmSync(join(folder, "home", "cache"), { recursive: true })
  const again = await open()
  expect(rowsOf(again.history)).toEqual(rows)
  expect(labels(again.history).get(entry as EntryId)).toBe("good")
  await again.close()
})

test("a label that another process sets is seen by this one, and by the next reader at its place", async () => {
  const [one, other] = [await open(), await open()]
  const entry = one.history.id(one.history.head)
  await other.append([label(entry, "from the other")])
  await other.close()
  expect(one.refresh()).toBe(1)
  expect(labels(one.history).get(entry as EntryId)).toBe("from the other")
  await one.close()
  const last = await open()
  expect(labels(last.history).get(entry as EntryId)).toBe("from the other")
  await last.close()
})

/** What may happen to a session of pi in a second: its program continues it, and another retcon moves files alone, and takes that back. */
const EVENTS = ["restore", "agent", "undo", "agent", "restore"] as const

describe.each([
  ["in the order in which it was written", false],
  ["and some of it late, after what the agent wrote next", true],
])("whatever this process reads of it meanwhile, %s", (_, late) => {
  test.each(["00000", "01000", "00110", "01010", "11111"])(
    "%s: all read the same, and undo and redo do the same",
    async (reads) => {
      const one = await open()
      const ours = new OurLog(join(folder, "home", "foreign", "pi", `${one.id}.jsonl`), one.header, Date.now)
      const files = { from: "a".repeat(40), to: "b".repeat(40) }
      let last = one.history.id(one.history.head)
      let before = last
      let done: RecordId | undefined
      for (const [at, event] of EVENTS.entries()) {
        if (event === "agent") {
          before = last
          const [id, parentId] = [`0badcaf${at}`, last.slice(-8)]
          const message = { role: "user", content: `prompt ${at}`, timestamp: 1 }
          const line = { type: "message", id, parentId, timestamp: "2026-11-15T22:00:00.000Z", message }
          appendFileSync(file, `${JSON.stringify(line)}\n`)
          const fresh = await open()
          last = fresh.history.id(fresh.history.head)
          await fresh.close()
        } else {
          const head = { from: (late ? before : last) as EntryId, to: (late ? before : last) as EntryId }
          const kind = event === "undo" ? ("undo" as const) : ("goto" as const)
          const undoes = kind === "undo" && done !== undefined ? { undoes: done } : {}
          const operation = { id: ids.record(), type: "operation", at: "", kind, by: "person", head, files, ...undoes }
          await ours.append([operation as OperationRecord], late ? before : last)
          done = operation.id
        }
        if (reads[at] === "1") one.refresh()
      }
      one.refresh()
      const can = ({ history }: ForeignLog) => [planUndo, planRedo].map((plan) => plan(history, history.head))
      const [rows, next] = [rowsOf(one.history), can(one)]
      await Promise.all([one.close(), ours.close()])
      const indexed = await open()
      expect(can(indexed)).toEqual(next)
      await indexed.close()
      rmSync(join(folder, "home", "cache"), { recursive: true, force: true })
      const fresh = await open()
      expect(can(fresh)).toEqual(next)
      expect(rowsOf(fresh.history)).toEqual(rows)
      await fresh.close()
    },
  )
})

test("no entry is ever written into another agent's session", async () => {
  const log = await open()
  const message = {
    id: ids.entry(),
    type: "message",
    at: "",
    parent: null,
    role: "user",
    origin: "prompt",
    content: [],
  } as const
  await expect(log.append([{ ...message, content: [] }])).rejects.toThrow(RetconError)
  await log.close()
  expect(readFileSync(file)).toEqual(readFileSync(SAMPLE))
})

test("a damaged index is ignored", async () => {
  const log = await open()
  const rows = rowsOf(log.history)
  await log.close()
  const cache = join(folder, "home", "cache", "pi")
  for (const name of readdirSync(cache)) {
    const bytes = readFileSync(join(cache, name))
    bytes[bytes.length - 9] = (bytes[bytes.length - 9] ?? 0) ^ 255
    writeFileSync(join(cache, name), bytes)
  }
  const again = await open()
  expect(rowsOf(again.history)).toEqual(rows)
  await again.close()
})

test("what the agent writes between the plan of a move and the move refuses it: it would begin where the head no longer is", async () => {
  const log = await open()
  const session = sessionOn({} as SessionStore, log, { ids, durability: "fast" })
  const before = readFileSync(file, "utf8")
  const last = JSON.parse(before.trimEnd().split("\n").at(-1) ?? "") as { id: string }
  const said = { role: "user", content: [{ type: "text", text: "meanwhile" }] }
  const line = JSON.stringify({ type: "message", id: "5e1f0001", parentId: last.id, timestamp: "", message: said })
  // The last thing that is asked before the lines are written.
  log.perhapsInUse = () => {
    appendFileSync(file, `${line}\n`)
    return false
  }
  expect(await session.back().catch(({ failure }: RetconError) => ({ outcome: "refused", failure }))).toMatchObject({
    failure: { code: "session-busy" },
  })
  expect(readFileSync(file, "utf8")).toBe(`${before}${line}\n`)
  await session.close()
})
