import { readdirSync, rmSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { openSession } from "../../src/session/session.ts"
import { openGitWorkspace } from "../../src/workspace/git/git-workspace.ts"
import { makeProject, round } from "./project.ts"

async function twoRounds() {
  const project = makeProject()
  const session = await project.open()
  await round(session, "one", { paths: ["a.txt"], run: () => project.write("a.txt", "a1\n") })
  await round(session, "two", { paths: ["a.txt"], run: () => project.write("a.txt", "a2\n") })
  return { project, session }
}

test("a restore to where the files already are is not an operation", async () => {
  const { session } = await twoRounds()
  const { size } = session.history
  expect(await session.files.restore("head")).toMatchObject({ outcome: "unchanged", files: [], operation: null })
  expect(session.history.size).toBe(size)
})

test("a move that keeps the files says if they could not have been restored, because a snapshot is gone", async () => {
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

test("a move that keeps the files is made even if their snapshots cannot be examined, and says so", async () => {
  const { project, session } = await twoRounds()
  const { id } = session
  await session.close()
  const request = { root: project.root, home: project.home, session: id, clock: () => Date.now(), newId: () => "1" }
  const failure = { code: "io", path: "objects", problem: "an input/output error" } as const
  const check = () => Promise.reject(new RetconError(failure))
  const again = await openSession(project.store, id, { workspace: { ...(await openGitWorkspace(request)), check } })
  onTestFinished(() => again.close())
  expect(await again.back()).toMatchObject({
    outcome: "moved",
    files: [{ path: "a.txt", change: "modified" }],
    notRestorable: expect.stringContaining("an input/output error"),
  })
  expect(again.history.record(again.history.size - 1)).toMatchObject({ type: "operation", kind: "back" })
})

test("a file that the person names and changed themselves stays, and the reason is given", async () => {
  const project = makeProject()
  for (const name of ["changed.txt", "deleted.txt", "same.txt"]) project.write(name, "before\n")
  const session = await project.open()
  await round(session, "one", { run: () => project.write("a.txt", "a1\n") })
  project.write("changed.txt", "mine\n")
  project.write("added.txt", "mine\n")
  rmSync(join(project.root, "deleted.txt"))
  const paths = ["changed.txt", "deleted.txt", "same.txt", "added.txt"]
  const kept = (await session.files.restore("@1", { paths, dryRun: true })) as { kept: unknown[] }
  expect(kept.kept).toEqual([
    { path: "changed.txt", because: "changed-since" },
    { path: "deleted.txt", because: "deleted-since" },
  ])
})
