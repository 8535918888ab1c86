// A log that another program writes over while it is open, as a backup or a file sync does: what was known of it is not
// taken for what is there.
import { once } from "node:events"
import { readFileSync, renameSync, statSync, watch, writeFileSync } from "node:fs"
import { expect, test } from "vitest"
import { openSession } from "../../../src/session/session.ts"
import { promptDraft } from "../../../src/session/state/draft.ts"
import { indexFile } from "../../../src/store/file/disk/layout.ts"
import { until } from "../../within.ts"
import { FAST, message, newLog, openCold, openLog, parts, sameRows, sameWhenReopened, say, texts } from "../kit.ts"

/** A log that was open when an older copy was written over it, and another process went on from that. */
async function replaced(count: number) {
  const { file, log, store, id } = await newLog()
  await say(log, "one", "two")
  const older = readFileSync(file)
  await say(log, ...Array.from({ length: 10 }, (_, n) => `old ${n}`))
  const length = statSync(file).size
  writeFileSync(file, older)
  const other = openLog(file)
  for (let n = 0; n < count; n++) await say(other, `new ${n}`)
  await other.close()
  return { file, log, store, id, length }
}

test("an index is not made of rows that are gone: what was appended meanwhile is there after closing", async () => {
  for (const count of [3, 10, 20]) {
    const { file, log } = await replaced(count)
    await log.close()
    const expected = ["one", "two", ...Array.from({ length: count }, (_, n) => `new ${n}`)]
    const again = openLog(file)
    expect(texts(again)).toEqual(expected)
    sameRows(again, openCold(file))
  }
})

test("a log of the same length with other lines is another one", async () => {
  const { file, log, length } = await replaced(10)
  expect(statSync(file).size).toBe(length)
  expect(log.refresh()).toBe(log.history.size)
  expect(texts(log).slice(2, 4)).toEqual(["new 0", "new 1"])
  await sameWhenReopened(log)
})

test.each(["fast", "sync"] as const)("a %s append never continues an entry that is gone", async (durability) => {
  for (const count of [10, 20]) {
    const { file, store, id } = await newLog()
    const session = await openSession(store, id, { ...parts, durability })
    await session.append(promptDraft("one"))
    const older = readFileSync(file)
    for (let n = 0; n < 10; n++) await session.append(promptDraft(`old ${n}`))
    writeFileSync(file, older)
    const other = openLog(file)
    for (let n = 0; n < count; n++) await say(other, `new ${n}`)
    await session.append({ type: "state", key: "todos", value: "x" })
    await session.append(promptDraft("mine"))
    other.refresh()
    expect(texts(other).slice(0, 2)).toEqual(["one", "new 0"])
    expect(texts(other).at(-1)).toBe("mine")
    await session.close()
    expect(texts(openLog(file))).toEqual(texts(other))
  }
})

test("a single line without sync that meets such a log is known to be on another", async () => {
  const { file, log } = await replaced(10)
  const [row = 0] = await log.append([message(null, "mine")], FAST)
  expect(log.history.id(row)).toBe(log.history.id(log.history.head))
  expect([log.generation, readFileSync(indexFile(file)).length > 0]).toEqual([1, true])
  await sameWhenReopened(log)
})

test("a log that was away and has come back is followed again", async () => {
  const { file, log } = await newLog()
  await say(log, "one")
  let heard = 0
  const stop = log.watch(() => heard++)
  for (const text of ["two", "three"]) {
    // Who watches it later hears of it later.
    const gone = watch(file)
    renameSync(file, `${file}.away`)
    await once(gone, "change")
    gone.close()
    renameSync(`${file}.away`, file)
    const before = heard
    await say(openLog(file), text)
    await until(() => heard > before)
    expect(texts(log).at(-1)).toBe(text)
  }
  stop()
})
