// A call that was cut off with its process: what it changed was never looked at.
import { expect, test } from "vitest"
import type { EntryId } from "../../src/model/id.ts"
import type { MoveResult } from "../../src/model/move/moved.ts"
import type { Session } from "../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { makeProject, round } from "./project.ts"

/** The prompt, the call and the snapshot before it are in the log, and nothing after. */
async function cutOff(session: Session, run: () => void, paths?: string[]): Promise<void> {
  await session.append(promptDraft("cut off"))
  const [entry] = await session.append(answerDraft([{ type: "tool-call", call: "cut", name: "Bash", input: {} }]))
  await session.files.openSpan({ entry: entry as EntryId, call: "cut", ...(paths === undefined ? {} : { paths }) })
  run()
}

function facts(result: MoveResult) {
  if (result.outcome === "refused") throw new Error(`refused: ${JSON.stringify(result)}`)
  return { files: result.files.map(({ path }) => path), kept: result.kept }
}

const unended = (path: string) => ({ path, because: "unended-call" })

test("what changed since is kept and named, and what later calls did is taken back as usual", async () => {
  const project = makeProject()
  const first = await project.open()
  await round(first, "one", { run: () => project.write("a.txt", "one\n") })
  await cutOff(first, () => {
    project.write("half.txt", "half\n")
    project.write("a.txt", "two\n")
  })
  const { id } = first
  await first.close()
  const session = await project.open(id)
  await round(session, "three", { run: () => project.write("late.txt", "late\n") })
  const planned = facts(await session.goto("@2", { files: "restore", dryRun: true }))
  expect(planned).toEqual({ files: ["late.txt"], kept: [unended("a.txt"), unended("half.txt")] })
  expect(facts(await session.back({ files: "restore", dryRun: true })).kept).toEqual([])
  expect(facts(await session.files.restore("@2", { paths: ["half.txt"] })).kept).toEqual([unended("half.txt")])
  expect(facts(await session.goto("@2", { files: "restore" }))).toEqual(planned)
  const now = ["a.txt", "half.txt", "late.txt"].map((path) => project.read(path))
  expect(now).toEqual(["two\n", "half\n", undefined])
})

test("of a call that names its files only these are named", async () => {
  const project = makeProject()
  const session = await project.open()
  await round(session, "one", { run: () => project.write("a.txt", "one\n") })
  await cutOff(session, () => project.write("a.txt", "two\n"), ["a.txt"])
  project.write("own.txt", "mine\n")
  expect(facts(await session.undo({ files: "restore" })).kept).toEqual([unended("a.txt")])
})

test("a file that is named gets the bytes of that moment, also where the call deleted it, changed it or made it", async () => {
  const project = makeProject()
  const session = await project.open()
  const read = () => ["base.txt", "keep.txt", "new.txt"].map((path) => project.read(path))
  await round(session, "one", {
    run: () => {
      project.write("base.txt", "base\n")
      project.write("keep.txt", "keep\n")
    },
  })
  await cutOff(session, () => {
    project.remove("base.txt")
    project.write("keep.txt", "changed\n")
    project.write("new.txt", "half\n")
  })
  const paths = ["base.txt", "keep.txt", "new.txt"]
  const restored = facts(await session.files.restore("@2", { paths, onConflict: "theirs" }))
  expect(restored).toEqual({ files: paths, kept: [] })
  expect(read()).toEqual(["base\n", "keep\n", undefined])
  await session.undo()
  expect(read()).toEqual([undefined, "changed\n", "half\n"])
  await session.files.restore("@1", { paths: ["keep.txt"], onConflict: "theirs" })
  expect(read()).toEqual([undefined, undefined, "half\n"])
})

test("what the agent wrote while a command of the person's ran alongside is restored when named", async () => {
  const project = makeProject()
  const session = await project.open()
  project.write("f0", "mine\n")
  await round(session, "one", {
    run: async () => {
      const own = await session.files.openSpan({ entry: null, call: "own" })
      project.write("f0", "the agent's\n")
      await session.files.closeSpan(own)
    },
  })
  expect(facts(await session.files.restore("@1", { paths: ["f0"] })).kept).toEqual([
    { path: "f0", because: "own-command" },
  ])
  expect(facts(await session.files.restore("@1", { paths: ["f0"], onConflict: "theirs" })).files).toEqual(["f0"])
  expect(project.read("f0")).toBe("mine\n")
})

test("of a folder that is named, the person's new files stay", async () => {
  const project = makeProject()
  const session = await project.open()
  project.write("src/old.txt", "old\n")
  await round(session, "one", { run: () => project.write("src/agents.txt", "a\n") })
  project.write("src/mine.txt", "mine\n")
  project.remove("src/old.txt")
  await session.files.restore("@1", { paths: ["src"], onConflict: "theirs" })
  const now = ["old", "agents", "mine"].map((name) => project.read(`src/${name}.txt`))
  expect(now).toEqual(["old\n", undefined, "mine\n"])
})

test("a file that changed since two such calls is named once", async () => {
  const project = makeProject()
  const session = await project.open()
  await round(session, "one", { run: () => project.write("a.txt", "one\n") })
  await cutOff(session, () => undefined)
  await cutOff(session, () => project.write("a.txt", "two\n"))
  expect(facts(await session.goto("@2", { files: "restore", dryRun: true })).kept).toEqual([unended("a.txt")])
})
