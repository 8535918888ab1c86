// A restore whose process was killed, and which another session finds.
import { readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { shortId } from "../../src/model/id.ts"
import { recoverAll, recoveredWords } from "../../src/session/files/session-files.ts"
import type { Session } from "../../src/session/session.ts"
import type { BeforeWrite } from "../../src/workspace/git/disk/disk.ts"
import type { OpenRequest } from "../../src/workspace/git/git-workspace.ts"
import type { RestorePlan } from "../../src/workspace/port.ts"
import { makeProject, type Project, round } from "./project.ts"

/** A session whose restore dies at the first write that `dies` names, and which is left like that. */
async function killed(project: Project, dies: BeforeWrite, more: Partial<OpenRequest> = {}) {
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
  const session = await project.open(undefined, "keep", { ...more, beforeWrite })
  await round(session, "start", { paths: [], run: () => undefined })
  const file = join(more.root ?? project.root, "a.txt")
  await round(session, "edit", { paths: ["a.txt"], run: () => writeFileSync(file, "agent\n") })
  await session.back({ files: "restore" }).catch(() => undefined)
  return session
}

const die = () => {
  throw Object.assign(new Error("killed"), { code: "EIO" })
}

test("after it was recorded: the process that finds it completes it, and the conversation and the files agree", async () => {
  const project = makeProject()
  project.write("a.txt", "old\n")
  // Tidying is what follows the record.
  const first = await killed(project, ({ write }) => (write === "unlinkAll" ? die() : undefined))
  expect(project.read("a.txt")).toBe("old\n")
  const other = await project.open()
  const recovered = await other.files.recover()
  expect(recovered).toMatchObject({ outcome: "completed", session: first.id, files: ["a.txt"] })
  expect(recoveredWords(recovered, other.id)[0]).toMatch(/^An interrupted restore of session \w+ was completed/)
  expect(project.read("a.txt")).toBe("old\n")
})

test("before it was recorded: it is taken back, and its own session learns of it when it is opened again", async () => {
  const project = makeProject()
  project.write("a.txt", "old\n")
  const first = await killed(project, ({ write, path }) =>
    write === "link" && path.endsWith("a.txt") ? die() : undefined,
  )
  const other = await project.open()
  expect(await other.files.recover()).toMatchObject({ outcome: "rolled-back", session: first.id })
  expect(project.read("a.txt")).toBe("agent\n")
  const again = await project.open(first.id)
  const told = await again.files.recover()
  expect(recoveredWords(told, again.id)).toEqual([
    "An interrupted restore was taken back: the files are as they were before it.",
  ])
  expect(await again.files.recover()).toEqual({ outcome: "nothing" })
})

test("in a folder above or below: a session of either finishes it, says where, and its own session learns of it", async () => {
  const project = makeProject()
  project.write("a.txt", "old\n")
  project.write("sub/a.txt", "old\n")
  const sub = join(project.root, "sub")
  const atLink: BeforeWrite = ({ write, path }) => (write === "link" && path.endsWith("a.txt") ? die() : undefined)
  const first = await killed(project, atLink)
  const below = await project.open(undefined, "keep", { root: sub })
  expect(await recoverAll(below)).toEqual([
    `An interrupted restore of session ${shortId(first.id)} in ${project.root} was taken back: the files are as they were before it.`,
  ])
  expect([project.read("a.txt"), staged(project.root)]).toEqual(["agent\n", []])
  expect(await recoverAll(await project.open(first.id))).toHaveLength(1)

  const second = await killed(project, atLink, { root: sub })
  expect(staged(sub)).not.toEqual([])
  const above = await project.open()
  await expect(above.files.workspace?.restore(await emptyPlan(above))).rejects.toMatchObject({
    failure: { code: "restore-failed" },
  })
  expect(await above.files.recover()).toMatchObject({ outcome: "rolled-back", session: second.id, folder: sub })
  expect([project.read("sub/a.txt"), staged(sub)]).toEqual(["agent\n", []])
  expect((await above.files.workspace?.restore(await emptyPlan(above)))?.outcome).toBe("restored")
  const beside = await project.open(undefined, "keep", { root: project.home })
  expect(await beside.files.recover()).toEqual({ outcome: "nothing" })
})

const staged = (folder: string) => readdirSync(folder).filter((name) => name.startsWith(".retcon-restore-"))

function emptyPlan({ files }: Session): Promise<RestorePlan> {
  if (files.workspace === undefined) throw new Error("no workspace")
  return files.workspace.planRestore({ steps: [] })
}
