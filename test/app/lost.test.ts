// What no snapshot covers and a command removes is told when it happens; so is a budget that is passed.
import { randomBytes } from "node:crypto"
import { mkdirSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { HostEvent } from "../../src/protocol/event.ts"
import { openGitWorkspace } from "../../src/workspace/git/git-workspace.ts"
import { git } from "../workspace/folder.ts"
import { bash, talk } from "./talk.ts"

const noticesOf = (events: HostEvent[]) => events.flatMap((event) => (event.type === "notice" ? [event.text] : []))

test("ignored files and a repository that a command removes are named in the turn, once; what the person removes is not", async () => {
  const { open, root } = talk([
    bash("rm -rf build .env .git covered.txt"),
    { text: "Removed." },
    bash("echo more > covered.txt"),
    { text: "Done." },
  ])
  git(root, "init", "-q")
  writeFileSync(join(root, ".gitignore"), "build\n.env\nmine.log\n")
  mkdirSync(join(root, "build"))
  for (const name of ["build/out.js", ".env", "mine.log", "covered.txt"]) writeFileSync(join(root, name), "bytes\n")
  const { session, events } = await open()
  await session.send({ text: "clean up" })
  const said = "The command removed .env, .git and build, which snapshots do not cover: retcon cannot bring them back."
  expect(noticesOf(events)).toEqual([said])
  const planned = await session.goto("@1", { files: "restore", dryRun: true })
  const kept = planned.outcome === "refused" ? [] : planned.kept.map(({ path, because }) => `${path} ${because}`)
  expect(kept).toEqual([".env lost", "build lost", ".git lost"])
  rmSync(join(root, "mine.log"))
  await session.send({ text: "go on" })
  expect(noticesOf(events)).toEqual([said])
})

test.each([
  [1, "a.log", "it"],
  [6, "a.log, b.log, c.log, d.log, e.log and f.log", "them"],
  [7, "a.log, b.log, c.log, d.log, e.log and 2 more", "them"],
])("of %i removed files the first few are named", async (count, named, it) => {
  const { open, root } = talk([bash("rm *.log"), { text: "Removed." }])
  writeFileSync(join(root, ".gitignore"), "*.log\n")
  for (const letter of "abcdefg".slice(0, count)) writeFileSync(join(root, `${letter}.log`), "bytes\n")
  const { session, events } = await open()
  await session.send({ text: "clean up" })
  expect(noticesOf(events)).toEqual([
    `The command removed ${named}, which snapshots do not cover: retcon cannot bring ${it} back.`,
  ])
})

test("if the snapshots exceed the budget, it is reported in the turn, once per session", async () => {
  const { open } = talk([bash("echo one > a.txt"), { text: "One." }, bash("echo two > a.txt"), { text: "Two." }], {
    openWorkspace: (root, session) => {
      const newId = () => randomBytes(8).toString("hex")
      const settings = { budget: 10 }
      return openGitWorkspace({ root, home: join(root, "../home"), session, settings, clock: Date.now, newId })
    },
  })
  const { session, events } = await open()
  await session.send({ text: "one" })
  expect(noticesOf(events)).toEqual([expect.stringMatching(/above the budget of 10 B\.$/)])
  expect(events).toContainEqual(
    expect.objectContaining({ type: "notice", advice: expect.arrayContaining([{ do: "gc" }]) }),
  )
  await session.send({ text: "two" })
  expect(noticesOf(events)).toHaveLength(1)
})
