import { randomBytes } from "node:crypto"
import fs from "node:fs"
import nodePath from "node:path"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { SnapshotId, Workspace } from "../../../src/workspace/port.ts"
import { get, openAt, placeForEach, put } from "../folder.ts"

const place = placeForEach()
let workspace: Workspace
let ids: SnapshotId[]

beforeEach(async () => {
  workspace = await openAt(place)
  ids = []
  for (let i = 0; i < 6; i++) {
    put(place, "changing.bin", randomBytes(20_000))
    put(place, `file${i}`, `content ${i}`)
    ids.unshift((await workspace.snapshot()).id)
  }
})
afterEach(async () => {
  await workspace.close()
})

const isThere = (id: SnapshotId) =>
  workspace.check(id).then(
    () => true,
    (error: { failure: { code: string } }) => error.failure.code,
  )

function packs(): string[] {
  const files = fs.readdirSync(place.home, { recursive: true, encoding: "utf8" })
  return files.filter((name) => name.endsWith(".pack")).map((name) => nodePath.join(place.home, name))
}

describe("gc", () => {
  test("keeps what is named and what sessions build on, drops the rest, and a dropped one is clearly gone", async () => {
    const [newest, second, third] = ids as [SnapshotId, SnapshotId, SnapshotId]
    const dry = await workspace.gc({ keep: [third], grace: 0, dryRun: true })
    expect(await isThere(second)).toBe(true)
    const report = await workspace.gc({ keep: [third], grace: 0 })
    expect(report.bytesAfter).toBeLessThan(report.bytesBefore / 2)
    expect(Math.abs(report.bytesAfter - dry.bytesAfter)).toBeLessThan(4000)
    expect([await isThere(newest), await isThere(second), await isThere(third)]).toEqual([true, "snapshot-gone", true])
    expect(await workspace.diff(third, newest)).toHaveLength(3)
  })

  test("never deletes a file because a snapshot is gone", async () => {
    const [newest, second] = ids as [SnapshotId, SnapshotId]
    await workspace.gc({ keep: [], grace: 0 })
    await expect(workspace.planRestore({ steps: [{ before: second, after: newest }] })).rejects.toMatchObject({
      failure: { code: "snapshot-gone", snapshot: second },
    })
    expect(get(place, "file5")).toBe("content 5")
  })

  test("keeps all that is named when over budget, and says by how much; drops the oldest only on request", async () => {
    const dry = await workspace.gc({ keep: ids, budget: 70_000, grace: 0, dryRun: true })
    expect(dry.overBudget).toBe(dry.bytesAfter - 70_000)
    const report = await workspace.gc({ keep: ids, budget: 70_000, grace: 0 })
    expect(report.dropped).toEqual([])
    expect(report.overBudget).toBe(report.bytesAfter - 70_000)
    expect(report.overBudget).toBeGreaterThan(30_000)
    expect(await Promise.all(ids.map(isThere))).toEqual(ids.map(() => true))
    const told = await workspace.gc({ keep: ids, budget: 70_000, grace: 0, drop: "oldest" })
    expect(told.overBudget).toBe(0)
    // Each takes 20,000 bytes: three fit.
    expect(told.dropped).toEqual(ids.slice(3).reverse())
    expect(await Promise.all(ids.map(isThere))).toEqual(
      ids.map((id) => (told.dropped.includes(id) ? "snapshot-gone" : true)),
    )
  })

  test("with a budget and nothing named, what sessions build on stays", async () => {
    await workspace.gc({ keep: [], budget: 1, grace: 0, drop: "oldest" })
    expect(await Promise.all(ids.slice(0, 2).map(isThere))).toEqual([true, "snapshot-gone"])
  })

  test("leaves what is new alone, for sessions that have not named it yet", async () => {
    await workspace.gc({ keep: [] })
    expect(await Promise.all(ids.map(isThere))).toEqual(ids.map(() => true))
  })

  test("leaves an old snapshot alone that a session has just taken again, and it is not stored twice", async () => {
    await workspace.gc({ keep: ids, grace: 0 })
    const before = await workspace.usage()
    for (const pack of packs()) fs.utimesSync(pack, 1, 1)
    const other = await openAt(place, { session: "other" })
    const { id } = await other.snapshot()
    expect(id).toBe(ids[0])
    expect(await workspace.usage()).toEqual(before)
    put(place, "next", "one that both sessions stand on now")
    await other.snapshot()
    await workspace.snapshot()
    await workspace.gc({ keep: [] })
    expect(await isThere(id)).toBe(true)
    await other.close()
  })

  test("of one process is noticed by a session in another: content that was dropped is stored again", async () => {
    const other = await openAt(place, { session: "other" })
    const content = randomBytes(100).toString("hex")
    put(place, "again", content)
    await other.snapshot()
    put(place, "again", "something else")
    await other.snapshot()
    await workspace.snapshot()
    await workspace.gc({ keep: [], grace: 0 })
    put(place, "again", content)
    const { id } = await other.snapshot()
    expect((await other.blob(id, "again"))?.toString()).toBe(content)
    await other.close()
  })

  test("usage says how much there is, and the budget", async () => {
    const usage = await workspace.usage()
    expect(usage.bytes).toBeGreaterThan(120_000)
    expect(usage.budget).toBe(2_000_000_000)
  })
})
