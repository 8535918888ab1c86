// Whose change it is, and what the person may choose to keep.
import { mkdirSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { EntryId } from "../../src/model/id.ts"
import { createSession, type Session } from "../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import { leaseFile } from "../../src/store/file/disk/layout.ts"
import { start } from "../store/kit.ts"
import { openAt } from "../workspace/folder.ts"
import { makeProject, type Project, round } from "./project.ts"

const nothing = { paths: [], run: () => undefined }

/** A session in a folder below, with files of its own. */
async function openBelow(project: Project, folder: string): Promise<Session> {
  const root = join(project.root, folder)
  mkdirSync(root, { recursive: true })
  const workspace = await openAt({ base: "", root, home: project.home }, { session: folder })
  return createSession(
    project.store,
    { cwd: root, made: { name: "test", version: "0" } },
    { ...systemOptions(), workspace },
  )
}

/** A command that has begun and not ended. */
async function beginCommand(session: Session): Promise<void> {
  await session.append(promptDraft("run it"))
  const [message] = await session.append(answerDraft([{ type: "tool-call", call: "open", name: "Bash", input: {} }]))
  await session.files.openSpan({ entry: message as EntryId, call: "open" })
}

test("what changed while a command of another session still runs is nobody's", async () => {
  const project = makeProject()
  const [one, two] = [await project.open(), await project.open()]
  await round(one, "start", nothing)
  await beginCommand(two)
  const turn = await start("take", [leaseFile(two.log.file ?? "")])
  expect((await turn.lines.next()).value).toBe("ready")
  turn.send("take")
  expect((await turn.lines.next()).value).toBe("mine")
  await round(one, "command", { run: () => project.write("made.txt", "by one of them\n") })
  const back = await one.back({ files: "restore" })
  expect(back).toMatchObject({ kept: [{ path: "made.txt", because: "other-command", by: two.id }] })
  expect(project.read("made.txt")).toBe("by one of them\n")
  turn.process.stdin?.end()
  await turn.ended
})

test("what a running command of another session has changed since is attributed to it, what it found is not", async () => {
  const project = makeProject()
  const [one, two] = [await project.open(), await project.open()]
  await round(one, "start", nothing)
  await round(one, "make", {
    paths: ["made.txt", "mine.txt"],
    run() {
      project.write("made.txt", "one\n")
      project.write("mine.txt", "one\n")
    },
  })
  project.write("mine.txt", "one\nperson\n")
  await beginCommand(two)
  project.write("made.txt", "one\ntwo\n")
  const planned = await one.back({ files: "restore", dryRun: true })
  expect(planned.outcome === "refused" ? planned : planned.kept).toEqual([
    { path: "made.txt", because: "changed-since", by: two.id },
    { path: "mine.txt", because: "changed-since" },
  ])
})

test("so is what a session of a folder below changed meanwhile, and the other way round", async () => {
  const project = makeProject()
  const above = await project.open()
  const below = await openBelow(project, "sub")
  await round(above, "start", nothing)
  await round(below, "start", nothing)
  await round(above, "command", {
    run: () =>
      round(below, "inside", { paths: ["x.txt"], run: () => project.write("sub/x.txt", "x\n") }).then(() => undefined),
  })
  expect(await above.back({ files: "restore" })).toMatchObject({ kept: [{ path: "sub/x.txt", by: below.id }] })
  expect(project.read("sub/x.txt")).toBe("x\n")
  await round(below, "command", {
    run: () =>
      round(above, "outside", { paths: ["sub/y.txt"], run: () => project.write("sub/y.txt", "y\n") }).then(
        () => undefined,
      ),
  })
  expect(await below.back({ files: "restore" })).toMatchObject({ kept: [{ path: "y.txt", by: above.id }] })
  expect(project.read("sub/y.txt")).toBe("y\n")
  await below.close()
})

test("a file that is named with --theirs comes back as it was, also when the person has deleted it", async () => {
  const project = makeProject()
  project.write("a.txt", "old\n")
  const session = await project.open()
  await round(session, "start", nothing)
  const prompt = await round(session, "edit", { paths: ["a.txt"], run: () => project.write("a.txt", "agent\n") })
  project.remove("a.txt")
  expect(await session.files.restore(prompt)).toMatchObject({ kept: [{ path: "a.txt", because: "deleted-since" }] })
  await session.files.restore(prompt, { paths: ["a.txt"], onConflict: "theirs" })
  expect(project.read("a.txt")).toBe("old\n")
  await session.undo()
  expect(project.read("a.txt")).toBeUndefined()
})

test("what may not be the agent's can be left, all of it or single files", async () => {
  const project = makeProject({ unsure: true })
  const session = await project.open()
  await round(session, "start", nothing)
  await round(session, "edit", { paths: ["sure.txt"], run: () => project.write("sure.txt", "agent\n") })
  const prompt = await round(session, "command", {
    run() {
      project.write("out/a.txt", "a\n")
      project.write("b.txt", "b\n")
    },
  })
  expect(prompt).toBeDefined()
  const kept = await session.back({ rounds: 2, files: "restore", dryRun: true, onlyCertain: true })
  expect(kept).toMatchObject({ files: [{ path: "sure.txt" }] })
  const back = await session.back({ rounds: 2, files: "restore", keep: ["out"] })
  expect(back).toMatchObject({
    kept: [
      { path: "out", because: "asked" },
      { path: "out/a.txt", because: "asked" },
    ],
  })
  expect(["sure.txt", "out/a.txt", "b.txt"].map((path) => project.read(path))).toEqual([undefined, "a\n", undefined])
})

test("a database that the person's program keeps writing does not block a restore", async () => {
  const project = makeProject()
  project.write("data.db", "\0one")
  const session = await project.open()
  await round(session, "start", nothing)
  await round(session, "command", {
    run() {
      project.write("data.db", "\0two")
      project.write("made.txt", "agent\n")
    },
  })
  project.write("data.db", "\0three")
  const back = await session.back({ files: "restore" })
  expect(back).toMatchObject({ outcome: "moved", kept: [{ path: "data.db", because: "changed-since" }] })
  expect([project.read("data.db"), project.read("made.txt")]).toEqual(["\0three", undefined])
})

test("a log that a program keeps writing blocks nothing: it is kept, and named", async () => {
  const project = makeProject()
  project.write("server.log", "one\n")
  const session = await project.open()
  await round(session, "start", nothing)
  await round(session, "serve", {
    run: () => {
      project.write("server.log", "one\ntwo\n")
      project.write("made.txt", "made\n")
    },
  })
  project.write("server.log", "one\ntwo\nthree\n")
  const back = await session.back({ files: "restore" })
  expect(back).toMatchObject({
    outcome: "moved",
    files: [{ path: "made.txt" }],
    kept: [{ path: "server.log", because: "changed-since" }],
  })
  expect(project.read("server.log")).toBe("one\ntwo\nthree\n")
})
