import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { makeProject, round } from "./project.ts"

async function twoRounds() {
  const project = makeProject()
  const session = await project.open()
  await round(session, "one", { paths: ["a.txt"], run: () => project.write("a.txt", "a1\n") })
  await round(session, "two", { paths: ["a.txt"], run: () => project.write("a.txt", "a2\n") })
  return { project, session }
}

test("a restore to where the files stand already is no operation", async () => {
  const { session } = await twoRounds()
  const { size } = session.history
  expect(await session.files.restore("head")).toMatchObject({ outcome: "unchanged", files: [], operation: null })
  expect(session.history.size).toBe(size)
})

test("a move that keeps the files says when they could not have come along, because a snapshot is gone", async () => {
  const { project, session } = await twoRounds()
  expect(await session.back()).not.toHaveProperty("notRestorable")
  await session.undo()
  for (const name of readdirSync(project.home)) {
    if (name !== "sessions") rmSync(join(project.home, name), { recursive: true })
  }
  const { id } = session
  await session.close()
  const again = await project.open(id)
  expect(await again.back()).toMatchObject({
    outcome: "moved",
    files: [{ path: "a.txt", change: "modified" }],
    notRestorable: expect.stringContaining("a snapshot that this needs is gone"),
  })
})
