// Undo, redo and what the person wrote in between.
import { expect, test } from "vitest"
import { shortId } from "../../src/model/id.ts"
import { makeProject, round } from "./project.ts"

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
