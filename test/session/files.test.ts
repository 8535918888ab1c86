import { execFileSync } from "node:child_process"
import { statSync, truncateSync } from "node:fs"
import { describe, expect, test } from "vitest"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import type { MoveResult } from "../../src/model/move/moved.ts"
import { makeProject, round } from "./project.ts"

function moved(result: MoveResult) {
  if (result.outcome === "refused") throw new Error(`refused: ${JSON.stringify(result)}`)
  return result
}

async function threeRounds(git = false) {
  const project = makeProject({ git })
  project.write("own.txt", "mine\n")
  const session = await project.open()
  await round(session, "one", { paths: ["a.txt"], run: () => project.write("a.txt", "a1\n") })
  await round(session, "two", { paths: ["a.txt"], run: () => project.write("a.txt", "a2\n") })
  await round(session, "three", {
    run() {
      project.write("b.txt", "b3\n")
      project.remove("a.txt")
    },
  })
  return { project, session }
}

describe("going back with the files", () => {
  test("takes back what the agent did, by edit or by shell, and undo brings it again", async () => {
    const { project, session } = await threeRounds()
    const back = moved(await session.back({ files: "restore" }))
    expect(back.files.map(({ path, change }) => `${change} ${path}`)).toEqual(["added a.txt", "deleted b.txt"])
    expect([project.read("a.txt"), project.read("b.txt"), project.read("own.txt")]).toEqual([
      "a2\n",
      undefined,
      "mine\n",
    ])
    moved(await session.undo())
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual([undefined, "b3\n"])
    moved(await session.redo())
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual(["a2\n", undefined])
  })

  test("keeps them unless asked, and says which differ", async () => {
    const { project, session } = await threeRounds()
    const back = moved(await session.back())
    expect(back.filesMode).toBe("keep")
    const isSince = { "a.txt": "deleted", "b.txt": "added" }
    expect(Object.fromEntries(back.files.map(({ path, change }) => [path, change]))).toEqual(isSince)
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual([undefined, "b3\n"])
  })

  test("kept files are reported as they are now: made since, gone since, changed; what came and went is not", async () => {
    const { project, session } = await threeRounds()
    const told = (result: MoveResult) => moved(result).files.map(({ path, change }) => `${change} ${path}`)
    expect(told(await session.goto("@2", { dryRun: true }))).toEqual(["deleted a.txt", "added b.txt"])
    expect(told(await session.goto("@1", { dryRun: true }))).toEqual(["added b.txt"])
    moved(await session.goto("@1", { files: "restore" }))
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual([undefined, undefined])
    expect(told(await session.undo({ files: "keep" }))).toEqual(["deleted b.txt"])
  })

  test("a restore to the head brings kept files to where the conversation is", async () => {
    const { project, session } = await threeRounds()
    await session.back()
    moved(await session.files.restore("head"))
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual(["a2\n", undefined])
    moved(await session.undo())
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual([undefined, "b3\n"])
  })

  test("work on a branch whose files were kept is taken back together with what was below it", async () => {
    const { project, session } = await threeRounds()
    await session.back()
    await round(session, "three b", { paths: ["c.txt"], run: () => project.write("c.txt", "c\n") })
    moved(await session.goto("@2", { files: "restore" }))
    expect([project.read("a.txt"), project.read("b.txt"), project.read("c.txt")]).toEqual([
      "a1\n",
      undefined,
      undefined,
    ])
  })

  test("the person's own edits stay, also in the same file", async () => {
    const project = makeProject()
    project.write("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n")
    const session = await project.open()
    await round(session, "zero", { paths: [], run: () => undefined })
    await round(session, "one", {
      paths: ["a.txt"],
      run: () => project.write("a.txt", "1\n2\n3\n4\n5\n6\n7\n8\nagent\n"),
    })
    project.write("a.txt", "person\n2\n3\n4\n5\n6\n7\n8\nagent\n")
    project.write("mine.txt", "new\n")
    moved(await session.back({ files: "restore" }))
    expect(project.read("a.txt")).toBe("person\n2\n3\n4\n5\n6\n7\n8\n9\n")
    expect(project.read("mine.txt")).toBe("new\n")
  })

  test("a conflict is named and nothing is touched, neither files nor conversation", async () => {
    const { project, session } = await threeRounds()
    project.write("b.txt", "changed by me\n")
    await round(session, "four", { paths: ["b.txt"], run: () => project.write("b.txt", "changed by me\nand agent\n") })
    project.write("b.txt", "all else\n")
    const head = session.head
    const refused = await session.back({ files: "restore" })
    expect(refused).toMatchObject({ outcome: "refused", failure: { code: "conflicts", paths: ["b.txt"] } })
    expect([session.head, project.read("b.txt")]).toEqual([head, "all else\n"])
    moved(await session.back({ files: "restore", onConflict: "theirs" }))
    expect(project.read("b.txt")).toBe("changed by me\n")
  })

  test("a file that the person changed after the agent made it is kept and named", async () => {
    const { project, session } = await threeRounds()
    project.write("b.txt", "b3\nand mine\n")
    const back = moved(await session.back({ files: "restore" }))
    expect(project.read("b.txt")).toBe("b3\nand mine\n")
    expect(back.kept.map((kept) => kept.path)).toEqual(["b.txt"])
  })

  test("dry run says what the move then does, and does nothing", async () => {
    const { project, session } = await threeRounds()
    const planned = moved(await session.back({ files: "restore", dryRun: true }))
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual([undefined, "b3\n"])
    expect(planned.uncertain).toEqual([])
    const done = moved(await session.back({ files: "restore" }))
    expect(done.files).toEqual(planned.files)
    expect(done.left).toBe(planned.left)
  })

  test("works after a restart", async () => {
    const { project, session } = await threeRounds()
    moved(await session.back({ files: "restore" }))
    await session.close()
    const again = await project.open(session.id)
    moved(await again.undo())
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual([undefined, "b3\n"])
  })

  test("going to another branch takes one branch's changes back and brings the other's", async () => {
    const { project, session } = await threeRounds()
    const first = session.head as string
    moved(await session.goto("@2", { files: "restore" }))
    await round(session, "two b", { paths: ["a.txt"], run: () => project.write("a.txt", "a2b\n") })
    moved(await session.goto(first, { files: "restore" }))
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual([undefined, "b3\n"])
    moved(await session.undo())
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual(["a2b\n", undefined])
  })

  test("only some paths can be restored", async () => {
    const { project, session } = await threeRounds()
    moved(await session.files.restore("@3", { paths: ["a.txt"] }))
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual(["a2\n", "b3\n"])
    moved(await session.back({ files: "restore" }))
    expect([project.read("a.txt"), project.read("b.txt")]).toEqual(["a2\n", undefined])
  })

  test("commits of the rounds left are named, and stay", async () => {
    const { project, session } = await threeRounds(true)
    const git = (...args: string[]) =>
      execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@t", ...args], {
        cwd: project.root,
        encoding: "utf8",
      })
    await round(session, "four", {
      run() {
        git("add", "-A")
        git("commit", "-qm", "by the agent")
      },
    })
    const back = moved(await session.back({ files: "restore" }))
    expect(back.commits).toMatchObject([{ path: "", made: [{ subject: "by the agent" }], more: 0 }])
    expect(git("log", "--format=%s").trim()).toBe("by the agent")
  })

  test("without a workspace the answer says why", async () => {
    const { session, project } = await threeRounds()
    await session.close()
    const { openSession } = await import("../../src/session/session.ts")
    const bare = await openSession(project.store, session.id)
    expect(await bare.back({ files: "restore" })).toMatchObject({
      outcome: "refused",
      failure: { code: "no-workspace" },
    })
    expect(await bare.back({ files: "keep" })).toMatchObject({ outcome: "moved" })
    await bare.close()
  })
})

describe("two sessions in one directory", () => {
  test("restoring one never takes back what the other did", async () => {
    const project = makeProject()
    const [one, two] = [await project.open(), await project.open()]
    await round(one, "start", { paths: [], run: () => undefined })
    await round(one, "by one", { paths: ["one.txt"], run: () => project.write("one.txt", "1\n") })
    await round(two, "by two", { paths: ["two.txt"], run: () => project.write("two.txt", "2\n") })
    moved(await one.back({ files: "restore" }))
    expect([project.read("one.txt"), project.read("two.txt")]).toEqual([undefined, "2\n"])
  })

  test("what both changed at the same time is nobody's: kept and named", async () => {
    const project = makeProject()
    const [one, two] = [await project.open(), await project.open()]
    await round(one, "start", { paths: [], run: () => undefined })
    await round(one, "a long command", {
      run: async () => {
        project.write("one.txt", "1\n")
        await round(two, "meanwhile", { paths: ["two.txt"], run: () => project.write("two.txt", "2\n") })
      },
    })
    const back = moved(await one.back({ files: "restore" }))
    expect([project.read("one.txt"), project.read("two.txt")]).toEqual([undefined, "2\n"])
    expect(back.kept).toEqual([{ path: "two.txt", because: "other-session", by: two.id }])
  })

  test("what the other changed since is attributed to it, what the person changed is not", async () => {
    const project = makeProject()
    project.write("both.txt", "old\n")
    project.write("mine.txt", "old\n")
    const [one, two] = [await project.open(), await project.open()]
    await round(one, "start", { paths: [], run: () => undefined })
    const writes = (text: string, ...paths: string[]) => ({
      paths,
      run() {
        for (const path of paths) project.write(path, text)
      },
    })
    await round(one, "by one", writes("one\n", "both.txt", "mine.txt", "made.txt"))
    await round(two, "by two", writes("two\n", "both.txt", "made.txt"))
    project.write("mine.txt", "person\n")
    const others = [{ path: "both.txt", session: two.id }]
    expect(await one.back({ files: "restore" })).toMatchObject({
      failure: { code: "conflicts", paths: ["both.txt", "mine.txt"], others },
      conflicts: [{ path: "both.txt", by: two.id }, { path: "mine.txt" }],
    })
    const back = moved(await one.back({ files: "restore", onConflict: "theirs" }))
    expect(back.kept).toEqual([{ path: "made.txt", because: "changed-since", by: two.id }])
    await round(two, "again", writes("again\n", "both.txt"))
    expect(await one.undo()).toMatchObject({ failure: { code: "conflicts", paths: ["both.txt"], others } })
  })
})

test("a log that another program cuts in mid-turn gets no snapshots of calls that it does not contain", async () => {
  const project = makeProject()
  const session = await project.open()
  const file = session.log.file ?? ""
  await round(session, "start", { paths: [], run: () => undefined })
  const kept = statSync(file).size
  const cut = round(session, "cut", { run: () => truncateSync(file, kept) })
  await expect(cut).rejects.toEqual(new RetconError({ code: "overwritten", path: file }))
  expect(statSync(file).size).toBe(kept)
})
