import { expect, test } from "vitest"
import { eventful, makeStage, round } from "./stage.ts"

test("prompts are numbered as goto takes them", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await eventful(session, stage.wait)
  await session.close()
  const { out } = await stage.retcon("prompts", { width: 60 })
  expect(out).toMatchInlineSnapshot(`
    "@1  9cfd5e    1d  Read src/store and tell me how an append…
    @2  3091f2    1d  Rename parse to parseRecord
    @3  f859ba    1d  Write the tests
    @4  2d8eef   now  Now run them
    "
  `)
})

test("prompts --json has id, text, time, round and files of each on the path", async () => {
  const stage = makeStage()
  const session = await stage.session()
  const [first] = await round(session, "one\ntwo")
  await round(session, "left")
  await session.back()
  const [second] = await round(session, "kept")
  await session.close()
  const files = { files: [], before: null, after: null, repositories: [], steer: [] }
  expect(JSON.parse((await stage.retcon("prompts --json")).out)).toEqual([
    { id: first, text: "one\ntwo", at: "2026-03-01T12:00:00.000Z", round: 1, ...files },
    { id: second, text: "kept", at: "2026-03-01T12:00:00.000Z", round: 2, ...files },
  ])
})

test("ops lists what was done, newest first, and marks what undo and redo would do", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await eventful(session, stage.wait)
  await session.back()
  await session.undo()
  await session.close()
  const { out } = await stage.retcon("ops")
  expect(out).toMatchInlineSnapshot(`
    "Read src/store and tell me how an append works, and when it fa… · session 0869ca

     now  you    undo       99fa5b → f758b9
     now  you    back       f758b9 → 99fa5b                                   ← redo
     now  you    round      99fa5b → f758b9  Now run them                     ← undo
      1d  you    compact    cf3091 → 99fa5b  parse is parseRecord now; it has tests.
      1d  you    round      72d334 → cf3091  Write the tests
      1d  you    back       9afb5c → 72d334
      1d  you    round      0667c8 → 9afb5c  And with a scanner?
      1d  you    round      72d334 → 0667c8  试试用正则表达式解析 🎉 看看会不会更快
      1d  agent  backtrack  1475d6 → 72d334  Only record-parse.ts uses it.
      1d  you    round      66c728 → 1475d6  Rename parse to parseRecord
      1d  you    round      start → 66c728   Read src/store and tell me how an appe…
    "
  `)
})

test("what was undone for good stays listed as undone", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "one")
  await round(session, "two")
  await session.undo()
  await round(session, "three")
  await session.close()
  const ops = JSON.parse((await stage.retcon("ops --json")).out)
  expect(
    ops.map((each: { kind: string; text?: string; undone: boolean; next: string | null }) => [
      each.kind,
      each.text,
      each.undone,
      each.next,
    ]),
  ).toEqual([
    ["round", "three", false, "undo"],
    ["undo", undefined, false, null],
    ["round", "two", true, null],
    ["round", "one", false, null],
  ])
})

test("ls lists the sessions of this directory, the last one on top", async () => {
  const stage = makeStage()
  const old = await stage.session()
  await round(old, "Fix the 解析器 that reads records")
  await old.close()
  stage.wait(60 * 24 * 3)
  const forked = await stage.session()
  await round(forked, "one")
  await round(forked, "two")
  await forked.back()
  await round(forked, "three")
  await forked.configure("title", "Three ways")
  await forked.close()
  const task = await stage.session({ from: { session: forked.id, entry: null, as: "task" } })
  await task.append({ type: "message", role: "user", origin: "task", content: [{ type: "text", text: "Count" }] })
  await task.close()
  await (await stage.session()).close()
  const titled = await stage.session()
  await titled.configure("title", "Plans")
  await titled.close()
  const archived = await stage.session()
  await round(archived, "Old stuff")
  await archived.configure("archived", true)
  await archived.close()
  const elsewhere = await stage.session({ cwd: "/elsewhere" })
  await round(elsewhere, "Far away")
  await elsewhere.close()
  stage.wait(5)
  expect((await stage.retcon("ls")).out).toMatchInlineSnapshot(`
    "de3fa0    5m  Plans                                                        empty
    66c728    5m  Three ways                                   2 prompts, 2 branches
    80e142    5m  └ Count                                                       task
    0869ca    3d  Fix the 解析器 that reads records                         1 prompt
    1 session archived. See all with: retcon ls --all
    "
  `)
  const all = (await stage.retcon("ls --all", { width: 60 })).out.replace(stage.cwd, "/work")
  expect(all).toMatchInlineSnapshot(`
    "/elsewhere
    9afb5c    5m  Far away                              1 prompt

    /work
    72d334    5m  Old stuff (archived)                  1 prompt
    de3fa0    5m  Plans                                    empty
    66c728    5m  Three ways               2 prompts, 2 branches
    80e142    5m  └ Count                                   task
    0869ca    3d  Fix the 解析器 that reads records     1 prompt
    "
  `)
})

test("ls shows the first tasks of a session and says how many more there are; --all shows them all", async () => {
  const stage = makeStage()
  const parent = await stage.session()
  await round(parent, "Much to do")
  await parent.close()
  for (let n = 1; n <= 7; n++) {
    stage.wait(1)
    const task = await stage.session({ from: { session: parent.id, entry: null, as: "task" } })
    await task.append({ type: "message", role: "user", origin: "task", content: [{ type: "text", text: `Task ${n}` }] })
    await task.close()
  }
  const titles = (out: string) => [...out.matchAll(/└ (Task \d|\d more tasks)/g)].map((found) => found[1])
  const first = ["Task 1", "Task 2", "Task 3", "Task 4", "Task 5"]
  expect(titles((await stage.retcon("ls")).out)).toEqual([...first, "2 more tasks"])
  expect(titles((await stage.retcon("ls --all")).out)).toEqual([...first, "Task 6", "Task 7"])
})

test("ls --json has what scripts rely on", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "one")
  await round(session, "two")
  await session.close()
  const [listed, ...others] = JSON.parse((await stage.retcon("ls --json")).out)
  expect(others).toEqual([])
  expect(listed).toEqual({
    id: session.id,
    agent: "retcon",
    file: session.log.file,
    title: "one",
    cwd: stage.cwd,
    prompts: 2,
    branches: 1,
    updated: "2026-03-01T12:00:00.000Z",
    archived: false,
  })
})

test("a directory without sessions says where there may be some", async () => {
  const stage = makeStage()
  expect((await stage.retcon("ls")).out).toBe(
    "There are no sessions in this directory.\nSee all with: retcon ls --all\n",
  )
  expect((await stage.retcon("ls --json")).out).toBe("[]\n")
})

test("a session whose head is before its first prompt says so, with its branches", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "one")
  await session.goto(null)
  await round(session, "two")
  await session.goto(null)
  await session.close()
  expect((await stage.retcon("ls")).out).toContain("before the first prompt, 2 branches")
})

test("a split of a session without a title can be distinguished from it", async () => {
  const stage = makeStage()
  const session = await stage.session()
  await round(session, "Find\nthe port")
  await session.close()
  await stage.retcon("split")
  const { out } = await stage.retcon("ls")
  expect(out).toMatch(/ Find the port \(split\) .*\n.* Find the port {2}/)
})
