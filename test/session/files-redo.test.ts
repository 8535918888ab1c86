// Undo, redo and what the person wrote in between.
import { expect, test } from "vitest"
import type { EntryId } from "../../src/model/id.ts"
import { shortId } from "../../src/model/id.ts"
import { answerDraft } from "../../src/session/state/draft.ts"
import { checkpointDraft } from "./new-session.ts"
import { calls, makeProject, round } from "./project.ts"

const nothing = { paths: [], run: () => undefined }

test("a redo that wrote over the person's bytes gives them back when it is undone", async () => {
  const project = makeProject()
  project.write("a.txt", "old\n")
  const session = await project.open()
  await round(session, "start", { paths: [], run: () => undefined })
  await round(session, "edit", { paths: ["a.txt"], run: () => project.write("a.txt", "agent\n") })
  await session.back({ files: "restore" })
  await session.undo()
  expect(project.read("a.txt")).toBe("agent\n")
  project.write("a.txt", "mine\n")
  expect(await session.redo()).toMatchObject({
    failure: { code: "conflicts" },
    conflicts: [{ path: "a.txt", parts: [{ now: "mine\n", before: "old\n" }] }],
  })
  expect((await session.redo({ onConflict: "theirs" })).outcome).toBe("moved")
  expect(project.read("a.txt")).toBe("old\n")
  expect((await session.undo()).outcome).toBe("moved")
  expect(project.read("a.txt")).toBe("mine\n")
  expect((await session.redo()).outcome).toBe("moved")
  expect(project.read("a.txt")).toBe("old\n")
})

test("a file that a redo kept is not taken for changed when the redo is undone", async () => {
  const project = makeProject()
  project.write("a.txt", "old\n")
  const session = await project.open()
  await round(session, "start", { paths: [], run: () => undefined })
  await round(session, "edit", {
    paths: ["a.txt", "b.txt"],
    run() {
      project.write("a.txt", "agent\n")
      project.write("b.txt", "agent\n")
    },
  })
  await session.back({ files: "restore" })
  await session.undo()
  project.write("b.txt", "mine\n")
  await session.redo()
  expect([project.read("a.txt"), project.read("b.txt")]).toEqual(["old\n", "mine\n"])
  await session.undo()
  expect([project.read("a.txt"), project.read("b.txt")]).toEqual(["agent\n", "mine\n"])
  const dry = await session.back({ files: "restore", dryRun: true })
  expect(dry).toMatchObject({ files: [{ path: "a.txt" }], kept: [{ path: "b.txt", because: "changed-since" }] })
})

test("a redo with another choice than before is refused, the person's lines stay, and the advice leads there", async () => {
  const project = makeProject()
  project.write("a.txt", "a\nb\nc\n")
  const session = await project.open()
  await round(session, "start", { paths: [], run: () => undefined })
  await round(session, "edit", { paths: ["a.txt"], run: () => project.write("a.txt", "a\nB\nc\n") })
  project.write("a.txt", "a\nMINE\nc\n")
  await session.back({ files: "restore", onConflict: "theirs" })
  const there = shortId(session.head ?? "")
  await session.undo()
  const advice = expect.arrayContaining([{ do: "goto", entry: there }])
  for (const onConflict of ["ours", "write-conflicts"] as const) {
    expect(await session.redo({ onConflict })).toMatchObject({
      outcome: "refused",
      failure: { code: "invalid", advice },
    })
    expect(project.read("a.txt")).toBe("a\nMINE\nc\n")
  }
  expect((await session.redo({ onConflict: "theirs" })).outcome).toBe("moved")
  expect(project.read("a.txt")).toBe("a\nb\nc\n")
})

test("a redo of a round that wrote over the person's bytes gives them back when it is undone", async () => {
  const project = makeProject()
  const session = await project.open()
  await round(session, "start", nothing)
  await round(session, "edit", { paths: ["a.txt"], run: () => project.write("a.txt", "agent\n") })
  await session.undo({ files: "restore" })
  project.write("a.txt", "mine\n")
  expect((await session.redo({ files: "restore", onConflict: "theirs" })).outcome).toBe("moved")
  expect(project.read("a.txt")).toBe("agent\n")
  expect((await session.undo()).outcome).toBe("moved")
  expect(project.read("a.txt")).toBe("mine\n")
  await session.redo()
  expect(project.read("a.txt")).toBe("agent\n")
})

test("a round that was undone and redone with its files is undone with them, unasked", async () => {
  const project = makeProject()
  const session = await project.open()
  await round(session, "start", nothing)
  await round(session, "edit", { paths: ["a.txt"], run: () => project.write("a.txt", "agent\n") })
  const there = session.head
  await session.undo({ files: "restore" })
  await session.redo()
  expect([session.head, project.read("a.txt")]).toEqual([there, "agent\n"])
  const dry = await session.undo({ dryRun: true })
  expect(dry).toMatchObject({ filesMode: "restore", files: [{ path: "a.txt", change: "deleted" }] })
  await session.undo()
  expect(project.read("a.txt")).toBeUndefined()
})

test("a move that had nothing to do to the files does nothing to them when it is undone", async () => {
  const project = makeProject()
  const session = await project.open()
  await round(session, "start", nothing)
  const edit = await round(session, "edit", { paths: ["a.txt"], run: () => project.write("a.txt", "agent\n") })
  await session.files.restore(edit)
  project.write("a.txt", "mine\n")
  expect(await session.back({ files: "restore" })).toMatchObject({ outcome: "moved", files: [] })
  for (const turn of ["undo", "redo", "undo"] as const) {
    expect(await session[turn]({ files: "restore" })).toMatchObject({
      outcome: "moved",
      filesMode: "restore",
      files: [],
    })
    expect(project.read("a.txt")).toBe("mine\n")
  }
})

test("what a move kept is not touched when it is undone and redone", async () => {
  const project = makeProject({ unsure: true })
  const session = await project.open()
  await round(session, "start", nothing)
  await round(session, "command", { run: () => project.write("made.txt", "agent\n") })
  const kept = await session.back({ files: "restore", onlyCertain: true })
  expect(kept).toMatchObject({ outcome: "moved", files: [], kept: [{ path: "made.txt", because: "uncertain" }] })
  for (const turn of ["undo", "redo"] as const) {
    await session[turn]({ files: "restore" })
    expect(project.read("made.txt")).toBe("agent\n")
  }
})

test("undo brings back the files from before a move, although the conversation had been there earlier with others", async () => {
  const project = makeProject()
  const session = await project.open()
  await round(session, "start", nothing)
  const edit = await round(session, "edit", { paths: ["a.txt"], run: () => project.write("a.txt", "agent\n") })
  await session.files.restore(edit)
  await session.back({ files: "keep" })
  expect(await session.undo({ files: "restore" })).toMatchObject({ outcome: "moved", files: [] })
  expect(project.read("a.txt")).toBeUndefined()
})

test("the person's bytes come back too if the conversation was undone without the files first", async () => {
  const project = makeProject()
  project.write("a.txt", "old\n")
  const session = await project.open()
  await round(session, "start", nothing)
  await round(session, "edit", { paths: ["a.txt"], run: () => project.write("a.txt", "agent\n") })
  project.write("a.txt", "mine\n")
  await session.back({ files: "restore", onConflict: "theirs" })
  await session.undo({ files: "keep" })
  await session.redo()
  expect(project.read("a.txt")).toBe("old\n")
  await session.undo({ files: "restore" })
  expect(project.read("a.txt")).toBe("mine\n")
})

test("undoing a Backtrack takes back what the agent changed after it, and brings back what it had taken back", async () => {
  const project = makeProject()
  const session = await project.open()
  await round(session, "start", nothing)
  await session.append(checkpointDraft(session))
  await round(session, "edit", { paths: ["a.txt"], run: () => project.write("a.txt", "first\n") })
  const there = session.head
  expect((await session.backtrack({ checkpoint: 0, note: "n", files: "restore" })).outcome).toBe("moved")
  expect(project.read("a.txt")).toBeUndefined()
  await calls(session, "again", {
    paths: ["a.txt", "b.txt"],
    run() {
      project.write("a.txt", "second\n")
      project.write("b.txt", "second\n")
    },
  })
  expect((await session.undo()).outcome).toBe("moved")
  expect([session.head, project.read("a.txt"), project.read("b.txt")]).toEqual([there, "first\n", undefined])
  await session.redo()
  expect([project.read("a.txt"), project.read("b.txt")]).toEqual(["second\n", "second\n"])
})

test("a command that runs while a move has nothing to do keeps its changes", async () => {
  const project = makeProject()
  const session = await project.open()
  await round(session, "start", nothing)
  const prompt = await round(session, "work", nothing)
  const [entry] = await session.append(answerDraft([{ type: "tool-call", call: "slow", name: "Bash", input: {} }]))
  const span = await session.files.openSpan({ entry: entry as EntryId, call: "slow" })
  await session.goto(prompt, { files: "restore" })
  await session.undo()
  project.write("slow.txt", "agent\n")
  await session.files.closeSpan(span)
  expect((await session.files.blame("slow.txt")).map(({ prompt }) => prompt)).toEqual([prompt])
})
