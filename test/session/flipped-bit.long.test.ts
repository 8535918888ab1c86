// A disk that gives back another bit than it was given: what is lost is said, and said alike at every call and every open.
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { prompts } from "../../src/history/tree/tree.ts"
import { openSession } from "../../src/session/session.ts"
import { indexFile } from "../../src/store/file/disk/layout.ts"
import { answer, callsDraft, checkpointDraft, newSession, prompt, resultsDraft } from "./new-session.ts"

async function manyRounds() {
  const { session, store, parts } = await newSession("file")
  for (let n = 0; n < 4; n++) {
    await session.append([
      prompt(`question ${n}`),
      checkpointDraft(session),
      callsDraft(`c${n}`),
      resultsDraft(`c${n}`),
    ])
    await session.append(answer(`answer ${n}`))
    if (n === 1) await session.back()
  }
  const whole = session.context()
  await session.close()
  const file = session.log.file as string
  const log = readFileSync(file)
  const index = readFileSync(indexFile(file))
  const open = () => openSession(store, session.id, parts)
  return { whole, file, log, index, open, header: log.indexOf(10) + 1 }
}

const anyFlip = fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }), bit: fc.nat(7) })

test.each(["with", "without"])("a flipped bit gives one context, and says what is lost, %s an index", async (kept) => {
  const { whole, file, log, index, open, header } = await manyRounds()
  const place = (at: number) => header + Math.floor(at * (log.length - header))
  await fc.assert(
    fc.asyncProperty(anyFlip, async ({ at, bit }) => {
      const damaged = Buffer.from(log)
      damaged[place(at)] = (damaged[place(at)] ?? 0) ^ (1 << bit)
      writeFileSync(file, damaged)
      if (kept === "with") writeFileSync(indexFile(file), index)
      else rmSync(indexFile(file), { force: true })
      const session = await open()
      const first = session.context()
      const damage = session.damage()
      expect(session.context()).toEqual(first)
      if (first.length < whole.length) expect(damage).not.toEqual([])
      await session.close()
      const again = await open()
      expect(again.context()).toEqual(first)
      expect(again.damage()).toEqual(damage)
      await again.close()
    }),
    { numRuns: 128 },
  )
})

test("a broken body after a whole beginning is reported, and does not rebuild the index at every open", async () => {
  const { whole, file, log, open } = await manyRounds()
  const damaged = Buffer.from(log)
  const at = damaged.indexOf('"question 3"')
  damaged[at] = 0x21
  writeFileSync(file, damaged)
  const line = damaged.subarray(0, at).toString("latin1").split("\n").length
  const { ino } = statSync(indexFile(file))
  for (let n = 0; n < 2; n++) {
    const session = await open()
    expect(session.context().length).toBe(whole.length - 1)
    expect(session.damage()).toMatchObject([{ line }])
    await session.close()
    expect(statSync(indexFile(file)).ino).toBe(ino)
  }
})

test("after a look at the damage, the prompts are the same with an index and without one", async () => {
  const { file, log, index, open, header } = await manyRounds()
  const place = (at: number) => header + Math.floor(at * (log.length - header))
  const listed = async (withIndex: boolean) => {
    if (withIndex) writeFileSync(indexFile(file), index)
    else rmSync(indexFile(file), { force: true })
    const session = await open()
    session.damage()
    const { history } = session
    const ids = prompts(history, session.headRow).map((row) => history.id(row))
    await session.close()
    return ids
  }
  await fc.assert(
    fc.asyncProperty(anyFlip, async ({ at, bit }) => {
      const damaged = Buffer.from(log)
      damaged[place(at)] = (damaged[place(at)] ?? 0) ^ (1 << bit)
      writeFileSync(file, damaged)
      expect(await listed(true)).toEqual(await listed(false))
    }),
    { numRuns: 256 },
  )
})
