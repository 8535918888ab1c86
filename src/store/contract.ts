// The suite that every store passes. The test runner is a parameter, so that other stores can use their own.
import { config, labels } from "../history/tree/tree.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { Ids } from "../model/id.ts"
import { printRecord } from "../model/record/record-print.ts"
import { idsIn, linesOf, pathOf, recordMaker } from "./contract-records.ts"
import type { SessionLog, SessionStore } from "./port.ts"

/** What the suite needs of a test runner. */
export interface TestRunner {
  describe: (name: string, body: () => void) => unknown
  test: (name: string, body: () => Promise<void>) => unknown
  expect: (value: unknown) => { toBe: (expected: unknown) => void; toEqual: (expected: unknown) => void }
}

export interface StoreUnderTest {
  /** An empty store, for one test. */
  open: () => Promise<SessionStore> | SessionStore
  /** Real ids: if the store outlives a run, two runs must not create the same ones. */
  ids: Ids
}

const FAST = { durability: "fast" } as const
const SYNC = { durability: "sync" } as const

export function storeContract(runner: TestRunner, { open, ids }: StoreUnderTest): void {
  const { describe, test, expect } = runner
  const make = recordMaker(ids)
  const { header, message, goTo } = make

  async function fresh(): Promise<{ store: SessionStore; log: SessionLog }> {
    const store = await open()
    return { store, log: await store.create(header()) }
  }

  /** The code of a refusal: only a RetconError may be thrown. */
  async function codeOf(work: Promise<unknown>): Promise<string> {
    try {
      await work
      return "none"
    } catch (error) {
      return error instanceof RetconError ? error.code : `not a RetconError: ${String(error)}`
    }
  }

  describe("a store", () => {
    test("opens what was created, with its header unchanged", async () => {
      const store = await open()
      const wanted = header({ from: { session: make.nowhere(), entry: null, as: "split" } })
      await (await store.create(wanted)).close()
      const log = await store.open(wanted.id)
      expect({ id: log.id, access: log.access, header: log.header }).toEqual({
        id: wanted.id,
        access: "full",
        header: wanted,
      })
      await log.close()
    })

    test("refuses to create a session twice, and leaves the first alone", async () => {
      const { store, log } = await fresh()
      await log.append([message(null, "hello")], FAST)
      expect(await codeOf(store.create(log.header))).toBe("exists")
      expect((await store.open(log.id)).history.size).toBe(2)
    })

    test("says not-found for a session that does not exist", async () => {
      const store = await open()
      expect(await codeOf(store.open(make.nowhere()))).toBe("not-found")
      expect(await codeOf(store.remove(make.nowhere()))).toBe("not-found")
    })

    test("refuses what only a newer version may read", async () => {
      const store = await open()
      const newer = header({ reads: 99, writes: 99 })
      expect(await codeOf(store.create(newer))).toBe("format-newer")
      expect(await codeOf(store.open(newer.id))).toBe("format-newer")
      expect(await store.list()).toEqual([])
    })

    test("opens read-only what only a newer version may write", async () => {
      const store = await open()
      const newer = header({ writes: 99 })
      const log = await store.create(newer)
      expect(log.access).toBe("read-only")
      expect(await codeOf(log.append([message(null, "no")], FAST))).toBe("read-only")
      expect(idsIn(log)).toEqual([newer.id])
    })

    test("writes nothing to a log by opening it", async () => {
      const { store, log } = await fresh()
      await log.append([message(null, "hello")], FAST)
      const before = linesOf(log)
      const bytes = (await store.list())[0]?.bytes
      for (let i = 0; i < 3; i++) await (await store.open(log.id)).close()
      expect(linesOf(await store.open(log.id))).toEqual(before)
      expect((await store.list())[0]?.bytes).toBe(bytes)
    })

    test("lists sessions, newest first, of one directory or of all", async () => {
      const store = await open()
      const names = ["a", "b", "c"]
      const logs: SessionLog[] = []
      for (const [i, name] of names.entries()) {
        const log = await store.create(header({ cwd: name === "b" ? "/other" : "/project" }))
        await log.append([message(null, name, { at: `2026-01-0${i + 1}T00:00:00.000Z` })], FAST)
        await log.close()
        logs.push(log)
      }
      expect((await store.list()).map((session) => session.title)).toEqual(["c", "b", "a"])
      expect((await store.list({ cwd: "/project" })).map((session) => session.id)).toEqual([logs[2]?.id, logs[0]?.id])
      expect(await store.list({ cwd: "/nowhere" })).toEqual([])
    })

    test("lists what the log says: title, prompts on the path, branches, time, archived", async () => {
      const { store, log } = await fresh()
      const first = message(null, "first")
      const second = message(first.id, "second")
      await log.append([first, second, goTo(second.id, first.id), message(first.id, "other")], FAST)
      await log.append([make.config("title", "A title"), make.config("archived", true)], FAST)
      await log.close()
      const [listed] = await store.list()
      const { title, prompts, branches, updated, archived, id, cwd } = listed ?? {}
      expect({ title, prompts, branches, updated, archived, id, cwd }).toEqual({
        title: "A title",
        prompts: 2,
        branches: 2,
        updated: first.at,
        archived: true,
        id: log.id,
        cwd: "/project",
      })
    })

    test("removes a session, and only that one", async () => {
      const { store, log } = await fresh()
      const other = await store.create(header())
      await Promise.all([log.close(), other.close()])
      await store.remove(log.id)
      expect(await codeOf(store.open(log.id))).toBe("not-found")
      expect((await store.list()).map((session) => session.id)).toEqual([other.id])
    })
  })

  describe("appending", () => {
    test("returns the rows of the records, in order, and moves the head", async () => {
      const { store, log } = await fresh()
      const first = message(null, "first")
      const second = message(first.id, "second")
      const rows = await log.append([first, second], SYNC)
      expect(rows.map((row) => log.history.id(row))).toEqual([first.id, second.id])
      expect(pathOf(log)).toEqual([first.id, second.id])
      expect(log.history.record(rows[1] ?? 0)).toEqual(second)
      expect(pathOf(await store.open(log.id))).toEqual([first.id, second.id])
    })

    test("writes records as they are printed", async () => {
      const { log } = await fresh()
      const record = message(null, "multi-byte: ü 漢 🎈, and a\nnewline")
      await log.append([record], FAST)
      expect(Buffer.from(log.line(1)).toString("utf8")).toBe(printRecord(record))
    })

    test("returns a part of a line, as far as there is one", async () => {
      const { log } = await fresh()
      const record = message(null, "multi-byte: ü 漢 🎈")
      await log.append([record], FAST)
      const bytes = Buffer.from(printRecord(record))
      for (const [from, to] of [
        [0, 5],
        [3, 90],
        [bytes.length - 2, bytes.length + 50],
        [bytes.length, 9999],
      ] as const)
        expect(Buffer.from(log.line(1, { from, to }))).toEqual(bytes.subarray(from, to))
    })

    test("runs appends to one log one after the other", async () => {
      const { store, log } = await fresh()
      const records = Array.from({ length: 20 }, (_, i) => message(null, String(i)))
      const sizes = await Promise.all(records.map((record, i) => log.append([record], i % 2 === 0 ? FAST : SYNC)))
      expect(sizes.map((rows) => rows[0])).toEqual(records.map((_, i) => i + 1))
      expect(idsIn(await store.open(log.id)).slice(1)).toEqual(records.map((record) => record.id))
    })

    test("without records writes nothing", async () => {
      const { store, log } = await fresh()
      expect(await log.append([], SYNC)).toEqual([])
      expect((await store.open(log.id)).history.size).toBe(1)
    })

    test("calls back at most once while waiting for the disk, before the tree contains the records", async () => {
      const { log } = await fresh()
      const sizes: number[] = []
      await log.append([message(null, "a"), message(null, "b")], {
        ...SYNC,
        meanwhile: () => sizes.push(log.history.size),
      })
      expect(sizes).toEqual(sizes.length === 0 ? [] : [1])
      expect(log.history.size).toBe(3)
    })

    test("puts the records of another writer that was first before its own", async () => {
      const { store, log } = await fresh()
      const other = await store.open(log.id)
      const [theirs, ours] = [message(null, "theirs"), message(null, "ours")]
      await other.append([theirs], FAST)
      expect(await log.append([ours], FAST)).toEqual([2])
      expect(idsIn(log)).toEqual([log.id, theirs.id, ours.id])
      expect([other.refresh(), other.refresh()]).toEqual([1, 0])
      expect(idsIn(other)).toEqual(idsIn(log))
    })

    test("keeps a large part whole", async () => {
      const { store, log } = await fresh()
      const data = "0123456789abcdef".repeat(8_000)
      const media = [{ type: "image" as const, mediaType: "image/png", data }]
      const record = message(null, [
        { type: "text", text: `${data}ü` },
        { type: "tool-result", call: "1", output: data, media },
      ])
      await log.append([record], FAST)
      expect((await store.open(log.id)).history.record(1)).toEqual(record)
    })

    test("moves the head by an operation, for a later open too", async () => {
      const { store, log } = await fresh()
      const first = message(null, "first")
      const second = message(first.id, "second")
      await log.append([first, second, goTo(second.id, first.id)], SYNC)
      expect(pathOf(log)).toEqual([first.id])
      const reopened = await store.open(log.id)
      expect(pathOf(reopened)).toEqual([first.id])
      await reopened.append([goTo(first.id, null)], SYNC)
      expect(pathOf(await store.open(log.id))).toEqual([])
    })

    test("loses no label and no config of two writers", async () => {
      const { store, log } = await fresh()
      const other = await store.open(log.id)
      const entry = message(null, "entry")
      await log.append([entry], FAST)
      await Promise.all([
        log.append([make.config("a", "1"), make.label(entry.id, "mine")], FAST),
        other.append([make.config("b", "2")], FAST),
      ])
      const third = await store.open(log.id)
      expect(Object.fromEntries(config(third.history))).toEqual({ a: "1", b: "2" })
      expect([...labels(third.history)]).toEqual([[entry.id, "mine"]])
    })

    test("is refused once the log is closed; closing twice is closing once", async () => {
      const { store, log } = await fresh()
      await Promise.all([log.close(), log.close()])
      await log.close()
      expect(await codeOf(log.append([message(null, "late")], FAST))).toBe("io")
      expect((await store.open(log.id)).history.size).toBe(1)
    })

    test("requested before closing is carried out", async () => {
      const { store, log } = await fresh()
      const record = message(null, "just in time")
      const appended = log.append([record], SYNC)
      await log.close()
      await appended
      expect(pathOf(await store.open(log.id))).toEqual([record.id])
    })
  })

  describe("copied lines", () => {
    test("are kept byte for byte, read or not", async () => {
      const { store, log } = await fresh()
      const good = message(null, "good")
      const unknown = `{"id":"${ids.record()}","type":"from-the-future","at":"2030","x":{"y":[1]}}`
      const lines = [printRecord(good), "not JSON", "", unknown, printRecord(good)].map((line) => Buffer.from(line))
      lines.push(Buffer.from([0xff, 0xfe, 0x00, 0x0d]))
      await log.copy(lines)
      const reopened = await store.open(log.id)
      for (const view of [log, reopened]) {
        expect(linesOf(view).slice(1)).toEqual(lines.map((line) => line.toString("latin1")))
        expect(lines.map((_, i) => view.problem(i + 1) !== undefined)).toEqual([false, true, false, false, true, true])
        expect(lines.map((_, i) => view.history.record(i + 1)?.type)).toEqual(
          ["message", undefined, undefined, "unknown", undefined, undefined], // the fifth repeats the first
        )
        expect(pathOf(view)).toEqual([good.id])
      }
    })

    test("can be followed by appends", async () => {
      const { store, log } = await fresh()
      const copied = message(null, "copied")
      await log.copy([Buffer.from(printRecord(copied))])
      const record = message(copied.id, "appended")
      await log.append([record], FAST)
      expect(pathOf(await store.open(log.id))).toEqual([copied.id, record.id])
    })
  })

  describe("watching", () => {
    test("reports what others append, until it is stopped", async () => {
      const { store, log } = await fresh()
      const other = await store.open(log.id)
      const told = new Promise<number>((done) => {
        const stop = log.watch(() => {
          stop()
          done(log.history.size)
        })
      })
      await other.append([message(null, "theirs")], FAST)
      expect(await told).toBe(2)
    })
  })

  describe("the lease", () => {
    test("has one holder, and is free again when that one releases it or closes", async () => {
      const { store, log } = await fresh()
      const other = await store.open(log.id)
      expect([log.lease.holder(), other.lease.holder()]).toEqual([undefined, undefined])
      expect(await log.lease.take()).toEqual({ ok: true })
      expect(await log.lease.take()).toEqual({ ok: true })
      expect([log.lease.holder(), other.lease.holder()?.pid]).toEqual([undefined, process.pid])
      expect(await other.lease.take()).toEqual({ ok: false, pid: process.pid })
      await log.lease.release()
      expect(await other.lease.take()).toEqual({ ok: true })
      await other.close()
      expect(await log.lease.take()).toEqual({ ok: true })
      await log.close()
    })

    test("does not keep another writer from appending", async () => {
      const { store, log } = await fresh()
      const other = await store.open(log.id)
      await log.lease.take()
      expect(await other.append([make.config("title", "still possible")], FAST)).toEqual([1])
      await log.close()
    })
  })
}
