// What is ours beside another agent's session: each record stands after the row that was the last one when it was written.
import { existsSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { OurLog } from "../../src/foreign/log/our-log.ts"
import type { RecordId } from "../../src/model/id.ts"
import type { WritableRecord } from "../../src/model/record/record.ts"
import { picture } from "../history/picture.ts"
import { afterwards, goTo, header, label, setting, temporaryFolder } from "../store/kit.ts"

const first = header()
const rows = picture("p1 > a1 > p2")
const after = (name: string) => rows.id(rows.row(name))
const title = (text: string) => setting("title", text)

function ourLog(file = join(temporaryFolder(), "beside", "log.jsonl")): OurLog {
  const log = new OurLog(file, first, Date.now)
  afterwards(() => log.close())
  return log
}

const texts = (own: readonly { record: WritableRecord }[]) =>
  own.map(({ record }) => (record.type === "config" ? record.value : record.type))

test("nothing is written until something is ours, and then only its owner may read it", async () => {
  const log = ourLog()
  expect([log.size, existsSync(log.file)]).toEqual([0, false])
  await log.append([title("a")], after("p1"))
  expect([log.size, statSync(log.file).mode & 0o777]).toEqual([2, 0o600])
  expect(log.record(1)).toMatchObject({ type: "config", value: "a", after: after("p1") })
})

test("a record is taken once, after its row; those before all rows are taken first", async () => {
  const log = ourLog()
  await log.append([title("a"), title("b")], after("p1"))
  await log.append([title("first")], null)
  expect(texts(log.takeAfter(rows, rows.row("a1")))).toEqual([])
  expect(texts(log.takeAfter(rows, rows.row("p1")))).toEqual(["a", "b"])
  expect(texts(log.takeAfter(rows, rows.row("p1")))).toEqual([])
  expect(texts(log.takeFirst())).toEqual(["first"])
  expect(texts(log.takeRest())).toEqual([])
})

test("what no longer has a row is the rest, in the order in which it was written", async () => {
  const log = ourLog()
  const gone = header().id as unknown as RecordId
  await log.append([title("a")], gone)
  await log.append([title("b")], after("p2"))
  await log.append([title("c")], gone)
  expect(texts(log.takeRest())).toEqual(["a", "b", "c"])
  expect(log.takeRest()).toEqual([])
})

test("after a rewind all of it comes again", async () => {
  const log = ourLog()
  await log.append([title("a")], after("p1"))
  log.takeRest()
  log.rewind()
  expect(texts(log.takeAfter(rows, rows.row("p1")))).toEqual(["a"])
})

test("an index with the first of it is used, unless the rest belongs between its rows", async () => {
  const skips = async (count: number, ...at: (RecordId | null)[]) => {
    const log = ourLog()
    for (const [n, place] of at.entries()) await log.append([title(`${n}`)], place)
    const used = log.skip(count, rows)
    return [used, ...(used ? texts(log.takeRest()) : [])]
  }
  expect(await skips(3, after("p1"), after("p2"))).toEqual([true])
  expect(await skips(2, after("p1"), after("p2"))).toEqual([true, "1"])
  expect(await skips(2, after("p2"), after("p1"))).toEqual([false])
  expect(await skips(2, after("p2"), null)).toEqual([false])
  expect(await skips(1, header().id as unknown as RecordId)).toEqual([true, "0"])
})

test("what belongs before rows that are there already", async () => {
  const log = ourLog()
  await log.append([title("end")], after("p2"))
  const end = log.takeRest()
  await log.append([title("middle")], after("a1"))
  const middle = log.takeRest()
  await log.append([title("start")], null)
  expect([end, middle, log.takeRest()].map((own) => texts(log.late(own, rows)))).toEqual([[], ["middle"], ["start"]])
  expect(log.late([], rows)).toEqual([])
})

test("what another process wrote is known after a refresh, also when it made the log", async () => {
  const log = ourLog()
  const other = ourLog(log.file)
  await other.append([title("theirs")], after("p1"))
  expect([log.size, texts(log.takeRest())]).toEqual([0, []])
  log.refresh()
  expect([log.size, texts(log.takeRest())]).toEqual([2, ["theirs"]])
  await log.append([title("ours")], after("p1"))
  other.refresh()
  expect(texts(other.takeRest())).toEqual(["theirs", "ours"])
})

test("an operation is found by its id, also one that another process has just written; a label is none", async () => {
  const log = ourLog()
  const [move, named] = [goTo(null, null), label(after("p1"), "x")]
  await ourLog(log.file).append([move, named], after("p1"))
  expect(log.operation(move.id)).toMatchObject({ type: "operation", id: move.id })
  expect(log.operation(named.id)).toBeUndefined()
  expect(log.operation(header().id)).toBeUndefined()
})

test("an index that holds the last snapshot of a hook is used; a later one may belong anywhere", async () => {
  const log = ourLog()
  const hooked = { ...title(""), type: "snapshot", snapshot: "a".repeat(40), entry: null, when: "before" } as const
  await log.append([{ ...hooked, hook: { prompt: "p1" } } as unknown as WritableRecord], after("p1"))
  expect([log.size, log.skip(2, rows), log.skip(1, rows)]).toEqual([2, true, false])
})
