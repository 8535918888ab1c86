// Commands in the background: what they change is theirs until they end, also after the round that started them.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { callSpans } from "../../src/history/files/call-spans.ts"
import type { WorkSession } from "../../src/protocol/host.ts"
import { movedFiles } from "../../src/tui/words/moved-files-words.ts"
import type { ScriptedAnswer } from "../test-host.ts"
import { until } from "../within.ts"
import { talk } from "./talk.ts"

/** Does its work when the file `go` is there, and says so by the file `done`; then it goes on. */
const waiting = (work: string): ScriptedAnswer => ({
  calls: [
    {
      name: "Bash",
      input: {
        command: `while [ ! -e ../go ]; do sleep 0.02; done; ${work}; touch ../done; sleep 60`,
        background: true,
      },
    },
  ],
})
const output = (job: string, kill: boolean): ScriptedAnswer => ({
  calls: [{ name: "BashOutput", input: { job, kill } }],
})

async function work(root: string): Promise<void> {
  writeFileSync(join(root, "../go"), "")
  await until(() => existsSync(join(root, "../done")))
}

/** Calls by the paths they have changed, once overlapping spans are told apart. */
function changesOf({ history }: WorkSession): Record<string, string | undefined> {
  return Object.fromEntries(callSpans(history).flatMap(({ call, changes }) => changes.map(({ path }) => [path, call])))
}

test("a change after its round belongs to its call, and going back with the files takes it back", async () => {
  const { open, root } = talk([waiting("echo late > late.txt"), { text: "Started." }])
  const { session } = await open()
  await session.send({ text: "start it" })
  await work(root)
  expect(await session.goto("@1", { files: "restore" })).toMatchObject({
    outcome: "moved",
    files: [{ path: "late.txt" }],
  })
  expect(existsSync(join(root, "late.txt"))).toBe(false)
  expect(await session.undo({ files: "restore" })).toMatchObject({ outcome: "moved" })
  expect(readFileSync(join(root, "late.txt"), "utf8")).toBe("late\n")
})

test("with a round after it: going back takes first that round's own changes back, then the command's", async () => {
  const { open, root } = talk([
    waiting("echo late > late.txt"),
    { text: "Started." },
    { calls: [{ name: "Write", input: { path: "own.txt", content: "x\n" } }], text: "Writing." },
    output("job-1", true),
    { text: "Ended." },
  ])
  const { session } = await open()
  await session.send({ text: "start it" })
  await work(root)
  await session.send({ text: "write, and end it" })
  await session.close()
  const again = (await open(session.id)).session
  const there = () => ["late.txt", "own.txt"].filter((name) => existsSync(join(root, name)))
  expect(await again.goto("@2", { files: "restore" })).toMatchObject({ outcome: "moved" })
  expect(there()).toEqual(["late.txt"])
  expect(await again.goto("@1", { files: "restore" })).toMatchObject({ outcome: "moved" })
  expect(there()).toEqual([])
})

test("once it has ended, what a person changes is theirs", async () => {
  const { open, root } = talk([waiting("echo late > late.txt"), output("job-1", true), { text: "Ended." }])
  const { session } = await open()
  await session.send({ text: "start it" })
  writeFileSync(join(root, "mine.txt"), "mine\n")
  await session.goto("@1", { files: "restore" })
  expect(existsSync(join(root, "mine.txt"))).toBe(true)
  expect(changesOf(session)).not.toHaveProperty("mine.txt")
})

test("an agent that goes back learns what a background command has changed meanwhile", async () => {
  const { open, root, model } = talk([
    waiting("echo late > late.txt"),
    { calls: [{ name: "Bash", input: { command: "touch ../go; while [ ! -e ../done ]; do sleep 0.02; done" } }] },
    { calls: [{ name: "Backtrack", input: { checkpoint_id: 0, note: "it runs" } }] },
    { text: "Done." },
  ])
  const { session } = await open()
  await session.send({ text: "go" })
  expect(existsSync(join(root, "late.txt"))).toBe(true)
  expect(JSON.stringify(model.requests[3]?.messages)).toContain("still changed: late.txt")
})

test("a move to before it was started names the command while it runs", async () => {
  const { open } = talk([waiting("true"), { text: "Started." }, { text: "Two." }])
  const { session } = await open()
  await session.send({ text: "start it" })
  await session.send({ text: "two" })
  expect(await session.goto("@2")).not.toHaveProperty("stillRunning")
  const moved = await session.goto("@1")
  expect(moved).toMatchObject({ stillRunning: [{ job: "job-1", command: expect.stringContaining("touch ../done") }] })
  if (moved.outcome === "refused") throw new Error(moved.outcome)
  expect(movedFiles(moved).at(-1)).toMatch(/^Still running in the background: .* ask the agent to end job-1, or leave/)
})

test("while a command runs, what changed since is not attributed to the person", async () => {
  const { open, root } = talk([
    { calls: [{ name: "Write", input: { path: "bg.txt", content: "one\n" } }] },
    { text: "Written." },
    waiting("true"),
    { text: "Started." },
  ])
  const { session } = await open()
  await session.send({ text: "write it" })
  writeFileSync(join(root, "bg.txt"), "other\n")
  await session.send({ text: "start it" })
  const words = async () => {
    const planned = await session.goto("@1", { files: "restore", dryRun: true })
    return planned.outcome === "refused" ? [] : planned.kept.map(({ path, because }) => `${path} ${because}`)
  }
  expect(await words()).toEqual(["bg.txt running-command"])
})
