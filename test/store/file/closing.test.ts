// What closing a session writes beside its log: it costs what changed, and does not grow forever.
import { execFileSync } from "node:child_process"
import { copyFileSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import { basename, dirname, join } from "node:path"
import { expect, test, vi } from "vitest"
import { tipsFile } from "../../../src/store/file/disk/layout.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import type { SessionLog } from "../../../src/store/port.ts"
import { FAST, message, newLog, openCold, openLog, temporaryFolder } from "../kit.ts"

const MANY = 1500

function copyOf(file: string): string {
  const copy = join(temporaryFolder(), basename(file))
  copyFileSync(file, copy)
  return copy
}

/** Prompts that all begin a conversation of their own. */
async function manyTips(log: SessionLog): Promise<void> {
  await log.append(
    Array.from({ length: MANY }, (_, n) => message(null, `root ${n}`)),
    FAST,
  )
}

test("more tips than the index has room for are known when it is opened again, without walking the rows", async () => {
  const { home, log, file } = await newLog()
  await manyTips(log)
  const tips = log.history.tips().map((row) => log.history.id(row))
  await log.close()
  const again = openLog(file)
  const walked = vi.spyOn(again.history, "kind")
  expect(again.history.tips().map((row) => again.history.id(row))).toEqual(tips)
  expect(walked).not.toHaveBeenCalled()
  const [first] = tips
  await again.append([message(first as never, "below the first")], FAST)
  const grown = again.history.tips()
  expect(grown).toHaveLength(MANY)
  expect(grown.map((row) => again.history.id(row))).not.toContain(first)
  await again.close()
  expect((await fileStore({ home }).list())[0]?.branches).toBe(MANY)
})

test("closing a session with many tips leaves their file alone, until enough was added to be worth writing", async () => {
  const { home, log, file } = await newLog()
  await manyTips(log)
  const [oldest = 0, , older = 0] = log.history.tips()
  let parent = log.history.id(log.history.head)
  const [below, above] = [log.history.id(oldest), log.history.id(older)]
  await log.close()
  const { ino } = statSync(tipsFile(file))
  const close = async (...records: ReturnType<typeof message>[]) => {
    const again = openLog(file)
    await again.append(records, FAST)
    await again.close()
    const view = openLog(file)
    const cold = openCold(copyOf(file))
    expect(view.history.tips()).toEqual(cold.history.tips())
    expect((await fileStore({ home }).list())[0]?.branches).toBe(cold.history.tips().length)
    await Promise.all([view.close(), cold.close()])
  }
  const continued = message(parent, "continues the last one")
  parent = continued.id
  await close(continued)
  await close(message(parent, "again"), message(parent, "beside it"), message(null, "anew"))
  await close(message(below, "below the first one"), message(above, "below an older one"))
  expect(statSync(tipsFile(file)).ino).toBe(ino)
  await close(...Array.from({ length: MANY / 4 }, (_, n) => message(null, `more ${n}`)))
  expect(statSync(tipsFile(file)).ino).not.toBe(ino)
})

test.each(["deleted", "damaged", "of another time"])("a list of tips that is %s is not missed", async (how) => {
  const { log, file } = await newLog()
  await manyTips(log)
  await log.close()
  const tips = tipsFile(file)
  const bytes = readFileSync(tips)
  if (how === "deleted") rmSync(tips)
  else {
    bytes[how === "damaged" ? 20 : 0] = (bytes[how === "damaged" ? 20 : 0] ?? 0) ^ 1
    writeFileSync(tips, bytes)
  }
  const again = openLog(file)
  expect(again.history.tips()).toHaveLength(MANY)
  await again.close()
})

test("the first prompt is not read again to close a session that was opened from its index", async () => {
  const { home, log, file } = await newLog()
  const first = message(null, "the first prompt")
  await log.append([first], FAST)
  await log.close()
  const again = openLog(file)
  await again.append([message(first.id, "another")], FAST)
  const read = vi.spyOn(again.history, "record")
  await again.close()
  expect(read.mock.calls.map(([row]) => row)).not.toContain(again.history.rowOf(first.id))
  expect((await fileStore({ home }).list())[0]?.title).toBe("the first prompt")
})

test("closing one session again and again does not let the catalogue grow without end", async () => {
  const { home, log, file } = await newLog()
  await log.close()
  const catalogue = join(dirname(file), "catalogue")
  let parent = null as never
  for (let n = 0; n < 600; n++) {
    const again = openLog(file)
    const next = message(parent, `prompt ${n} ${"x".repeat(200)}`)
    await again.append([next], FAST)
    parent = next.id as never
    await again.close()
  }
  expect(statSync(catalogue).size).toBeLessThan(100_000)
  expect(await fileStore({ home }).list()).toHaveLength(1)
})

test("a flipped bit in the catalogue is not listed", async () => {
  const { home, log, file } = await newLog()
  await log.append([message(null, "true title")], FAST)
  await log.close()
  const catalogue = join(dirname(file), "catalogue")
  writeFileSync(catalogue, readFileSync(catalogue, "utf8").replaceAll("true title", "fake title"))
  expect((await fileStore({ home }).list())[0]?.title).toBe("true title")
})

test("a pipe in place of the catalogue does not block", async () => {
  const { home, log, file } = await newLog()
  execFileSync("mkfifo", [join(dirname(file), "catalogue")])
  await log.append([message(null, "one")], FAST)
  await log.close()
  expect(await fileStore({ home }).list()).toHaveLength(1)
})
