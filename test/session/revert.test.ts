// Taking back one round's file changes, and making them again.
import { expect, test } from "vitest"
import { plainText } from "../../src/model/record/record.ts"
import { conflictWords } from "../../src/model/text/file-reasons.ts"
import type { Session } from "../../src/session/session.ts"
import { makeProject, type Project, round } from "./project.ts"

const LINES = Array.from({ length: 12 }, (_, i) => `line ${i + 1}\n`)

/** Three rounds in one file, at different lines; the second also creates a file. */
async function threeRounds(): Promise<{ project: Project; session: Session; rounds: string[] }> {
  const project = makeProject()
  project.write("a.txt", LINES.join(""))
  const session = await project.open()
  const change = (at: number, to: string) => () => {
    const lines = (project.read("a.txt") ?? "").split("\n")
    lines[at] = to
    project.write("a.txt", lines.join("\n"))
  }
  const first = await round(session, "first", { paths: ["a.txt"], run: change(0, "ONE") })
  const second = await round(session, "second", {
    paths: ["a.txt", "new.txt"],
    run() {
      change(5, "TWO")()
      project.write("new.txt", "new\n")
    },
  })
  const third = await round(session, "third", { paths: ["a.txt"], run: change(10, "THREE") })
  return { project, session, rounds: [first, second, third] }
}

const has = (project: Project, text: string) => (project.read("a.txt") ?? "").includes(text)

test("a round in the middle is taken back; what came before and after it stays, and the conversation too", async () => {
  const { project, session, rounds } = await threeRounds()
  const before = session.context()
  const planned = await session.revert(["@2"], { dryRun: true })
  expect(planned).toMatchObject({ outcome: "planned", kind: "revert", files: [{ path: "a.txt" }, { path: "new.txt" }] })
  expect(has(project, "TWO")).toBe(true)
  const done = await session.revert(["@2"])
  expect(done).toMatchObject({ outcome: "moved", files: [{ path: "a.txt" }, { path: "new.txt" }], kept: [] })
  expect([has(project, "ONE"), has(project, "TWO"), has(project, "THREE")]).toEqual([true, false, true])
  expect(project.read("new.txt")).toBeUndefined()
  const told = session.context()
  expect(told.slice(0, before.length)).toEqual(before)
  expect(plainText(told.at(-1)?.content as never)).toBe(
    "<system>The user took back the file changes of round 2 (“second”): a.txt, new.txt. Later changes stay.</system>",
  )
  expect(rounds).toHaveLength(3)
})

test("undo gives back files and conversation exactly, and bring makes the round's changes again", async () => {
  const { project, session, rounds } = await threeRounds()
  const [text, head] = [project.read("a.txt"), session.head]
  await session.revert([rounds[1] as string])
  expect((await session.undo()).outcome).toBe("moved")
  expect([project.read("a.txt"), project.read("new.txt"), session.head]).toEqual([text, "new\n", head])
  await session.redo()
  expect(has(project, "TWO")).toBe(false)
  expect((await session.bring([rounds[1] as string])).outcome).toBe("moved")
  expect([project.read("a.txt"), project.read("new.txt")]).toEqual([text, "new\n"])
})

test("two rounds at once, in any order, and a second time there is nothing to do", async () => {
  const { project, session } = await threeRounds()
  await session.revert(["@3", "@1"])
  expect([has(project, "ONE"), has(project, "TWO"), has(project, "THREE")]).toEqual([false, true, false])
  const [size, text] = [session.history.size, project.read("a.txt")]
  expect(await session.revert(["@1", "@3"])).toMatchObject({ outcome: "unchanged", files: [] })
  expect([session.history.size, project.read("a.txt")]).toEqual([size, text])
})

test("lines that the person changed since conflict: nothing is touched, and the person chooses", async () => {
  const { project, session } = await threeRounds()
  const mine = (project.read("a.txt") ?? "").replace("TWO", "mine")
  project.write("a.txt", mine)
  expect(await session.revert(["@2"])).toMatchObject({ outcome: "refused", failure: { code: "conflicts" } })
  expect([project.read("a.txt"), project.read("new.txt")]).toEqual([mine, "new\n"])
  expect((await session.revert(["@2"], { onConflict: "ours" })).outcome).toBe("moved")
  expect([project.read("a.txt"), project.read("new.txt")]).toEqual([mine, undefined])
})

test("what another round changed is not called the person's", async () => {
  const project = makeProject()
  const session = await project.open()
  const write = (text: string) => ({ paths: ["a.txt"], run: () => project.write("a.txt", text) })
  await round(session, "create it", write("one\n"))
  await round(session, "change it", write("two\n"))
  expect(await session.revert(["@1"])).toMatchObject({
    outcome: "unchanged",
    kept: [{ path: "a.txt", because: "other-round" }],
  })
  await round(session, "and again", write("three\n"))
  const refused = await session.revert(["@2"])
  expect(refused).toMatchObject({
    outcome: "refused",
    conflicts: [{ path: "a.txt", because: "content", rounds: true }],
  })
  expect(conflictWords({ because: "content", rounds: true })).toBe(
    "the agent, and then another round or you, changed the same lines",
  )
  expect(project.read("a.txt")).toBe("three\n")
})

test("going back past a revert gives the files of that time, and forward what was reverted stays reverted", async () => {
  const { project, session, rounds } = await threeRounds()
  await session.revert(["@1"])
  await session.goto(rounds[1] as string, { files: "restore" })
  expect([has(project, "ONE"), has(project, "TWO"), has(project, "THREE")]).toEqual([true, false, false])
  await session.undo()
  expect([has(project, "ONE"), has(project, "TWO"), has(project, "THREE")]).toEqual([false, true, true])
})

test("a round of a left branch can be brought to where one is now", async () => {
  const { project, session, rounds } = await threeRounds()
  await session.back({ files: "restore" })
  expect(has(project, "THREE")).toBe(false)
  expect((await session.bring([rounds[2] as string])).outcome).toBe("moved")
  expect([has(project, "TWO"), has(project, "THREE")]).toEqual([true, true])
})

test("an entry that is not there, and a session without snapshots, are refused", async () => {
  const { session } = await threeRounds()
  expect(await session.revert(["@9"])).toMatchObject({ outcome: "refused", failure: { code: "not-found" } })
})

test("the entry that tells of a revert stands for the files after it", async () => {
  const { project, session } = await threeRounds()
  await session.revert(["@2"])
  const [told, text] = [session.head ?? "", project.read("a.txt")]
  expect(await session.goto(told, { files: "restore" })).toMatchObject({ outcome: "unchanged" })
  await session.goto("@1", { files: "restore" })
  expect(has(project, "ONE")).toBe(false)
  await session.goto(told, { files: "restore" })
  expect([project.read("a.txt"), project.read("new.txt")]).toEqual([text, undefined])
})

test("going to the entry that tells of a revert is undone and done again", async () => {
  const { project, session } = await threeRounds()
  await session.revert(["@2"])
  const [told, reverted] = [session.head ?? "", project.read("a.txt")]
  await session.goto("@1", { files: "restore" })
  const [first, begun] = [session.head, project.read("a.txt")]
  await session.goto(told, { files: "restore" })
  expect((await session.undo()).outcome).toBe("moved")
  expect([session.head, project.read("a.txt")]).toEqual([first, begun])
  expect((await session.redo()).outcome).toBe("moved")
  expect([session.head, project.read("a.txt")]).toEqual([told, reverted])
})

test("a round is taken back and made again as often as one likes, also after later rounds", async () => {
  const { project, session } = await threeRounds()
  const whole = project.read("a.txt")
  for (let i = 0; i < 2; i++) {
    expect(await session.revert(["@3"])).toMatchObject({ outcome: "moved" })
    expect(await session.bring(["@3"])).toMatchObject({ outcome: "moved" })
    expect(project.read("a.txt")).toBe(whole)
    await round(session, `later ${i}`, { paths: ["later.txt"], run: () => project.write("later.txt", `${i}\n`) })
  }
})
