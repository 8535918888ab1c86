// A restore whose process was killed, and which another session finds.
import { expect, test } from "vitest"
import { recoveredWords } from "../../src/session/files/recovered-words.ts"
import type { BeforeWrite } from "../../src/workspace/git/disk/disk.ts"
import { makeProject, type Project, round } from "./project.ts"

/** A session whose restore dies at the first write that `dies` names, and which is left like that. */
async function killed(project: Project, dies: BeforeWrite) {
  let dead = false
  const beforeWrite: BeforeWrite = (call) => {
    if (dead) throw Object.assign(new Error("killed"), { code: "EIO" })
    try {
      dies(call)
    } catch (error) {
      dead = true
      throw error
    }
  }
  const session = await project.open(undefined, "keep", { beforeWrite })
  await round(session, "start", { paths: [], run: () => undefined })
  await round(session, "edit", { paths: ["a.txt"], run: () => project.write("a.txt", "agent\n") })
  await session.back({ files: "restore" }).catch(() => undefined)
  return session
}

const die = () => {
  throw Object.assign(new Error("killed"), { code: "EIO" })
}

test("after it was recorded: it is completed by whoever finds it, and the conversation and the files agree", async () => {
  const project = makeProject()
  project.write("a.txt", "old\n")
  // Tidying is what follows the record.
  const first = await killed(project, ({ write }) => (write === "unlinkAll" ? die() : undefined))
  expect(project.read("a.txt")).toBe("old\n")
  const other = await project.open()
  const recovered = await other.files.recover()
  expect(recovered).toMatchObject({ outcome: "completed", session: first.id, files: ["a.txt"] })
  expect(recoveredWords(recovered, other.id)[0]).toMatch(/^A restore of session \w+ that was interrupted was completed/)
  expect(project.read("a.txt")).toBe("old\n")
})

test("before it was recorded: it is taken back, and its own session is told of it when it is opened again", async () => {
  const project = makeProject()
  project.write("a.txt", "old\n")
  const first = await killed(project, ({ write, path }) =>
    write === "rename" && path.endsWith("a.txt") ? die() : undefined,
  )
  const other = await project.open()
  expect(await other.files.recover()).toMatchObject({ outcome: "rolled-back", session: first.id })
  expect(project.read("a.txt")).toBe("agent\n")
  const again = await project.open(first.id)
  const told = await again.files.recover()
  expect(recoveredWords(told, again.id)).toEqual([
    "A restore that was interrupted was taken back: the files are as they were before it.",
  ])
  expect(await again.files.recover()).toEqual({ outcome: "nothing" })
})
