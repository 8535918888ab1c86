import { existsSync, readdirSync, utimesSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { expect, test } from "vitest"
import { makeStage, type Stage } from "./stage.ts"

const DAYS = 24 * 60

async function said(stage: Stage, text: string): Promise<string> {
  const session = await stage.session()
  await session.append([{ type: "message", role: "user", origin: "prompt", content: [{ type: "text", text }] }])
  await session.close()
  return session.id
}

test("sessions that nobody has used for that long go to the trash, and the others stay", async () => {
  const stage = makeStage()
  const old = await said(stage, "old")
  stage.wait(100 * DAYS)
  const young = await said(stage, "young")
  expect(await stage.retcon("rm --older-than 90d --yes --json")).toMatchObject({ exit: 0 })
  expect((await stage.store.list()).map(({ id }) => id)).toEqual([young])
  expect((await stage.retcon(`rm --restore ${old}`)).exit).toBe(0)
  expect((await stage.store.list()).map(({ id }) => id as string).sort()).toEqual([old, young].sort())
})

test("without --yes and without anyone to ask, nothing is removed", async () => {
  const stage = makeStage()
  await said(stage, "old")
  stage.wait(100 * DAYS)
  const { exit, err } = await stage.retcon("rm --older-than 90d --json")
  expect(exit).toBe(2)
  expect(err).toContain("1 session would go to the trash")
  expect(await stage.store.list()).toHaveLength(1)
})

test.each(["90", "0d", "d", "90 days", "-1d"])("%j is no age", async (age) => {
  const { exit, err } = await makeStage().retcon(["rm", "--older-than", age])
  expect(exit).toBe(2)
  expect(err).toContain("is not an age")
})

test("gc sweeps indexes whose log is gone, and no others", async () => {
  const stage = makeStage()
  await said(stage, "here")
  const folder = dirname((await stage.store.list())[0]?.file ?? "")
  const orphan = join(folder, "019a0000-0000-7000-8000-000000000000.index")
  writeFileSync(orphan, "rows")
  utimesSync(orphan, 0, 0)
  const before = readdirSync(folder).sort()
  expect((await stage.retcon("gc")).out).toContain("from indexes whose session is gone (1 file)")
  expect(existsSync(orphan)).toBe(false)
  expect(readdirSync(folder).sort()).toEqual(before.filter((name) => !orphan.endsWith(name)))
})
