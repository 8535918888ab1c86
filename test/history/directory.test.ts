// Which folder a session belongs to: the last one that its log names, if that can be one.
import { describe, expect, test } from "vitest"
import { directoryBefore, directoryOf, snapshotStoreOf } from "../../src/history/tree/directory.ts"
import type { Json } from "../../src/model/json.ts"
import { createSession } from "../../src/session/session.ts"
import { memoryStore } from "../../src/store/memory/memory-store.ts"

async function sessionWith(...settings: [key: string, value: Json][]) {
  const store = memoryStore()
  const session = await createSession(store, { cwd: "/made/here", made: { name: "test", version: "0" } })
  for (const [key, value] of settings) await session.configure(key, value)
  return { store, log: session.log }
}

describe("the folder of a session", () => {
  test("is where it was created, until another is set: the last one counts, and lists use it", async () => {
    expect(directoryOf((await sessionWith()).log)).toBe("/made/here")
    const { store, log } = await sessionWith(["cwd", "/first"], ["cwd", "/then"])
    expect([directoryOf(log), directoryBefore(log)]).toEqual(["/then", "/first"])
    expect((await store.list({ cwd: "/then" })).map(({ cwd }) => cwd)).toEqual(["/then"])
    expect(await store.list({ cwd: "/made/here" })).toEqual([])
  })

  test("was the header's before it moved once, and none before that", async () => {
    expect(directoryBefore((await sessionWith(["cwd", "/first"])).log)).toBe("/made/here")
    expect(directoryBefore((await sessionWith()).log)).toBeUndefined()
  })

  test.each([["relative"], ["../up"], [""], [7], [{ path: "/x" }], [null]])("is never %j", async (value) => {
    expect(directoryOf((await sessionWith(["cwd", value as Json])).log)).toBe("/made/here")
  })
})

test("a snapshot store is an id and never a way out of retcon's home", async () => {
  const id = "0123456789abcdef0123456789abcdef"
  expect(snapshotStoreOf((await sessionWith(["snapshots", id])).log.history)).toBe(id)
  for (const bad of ["../../../etc", `${id}/..`, id.toUpperCase(), "", 7, null]) {
    expect(snapshotStoreOf((await sessionWith(["snapshots", bad])).log.history)).toBeUndefined()
  }
})
