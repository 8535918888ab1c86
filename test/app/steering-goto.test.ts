// One can go back to a message typed while the agent worked: before it, with its text to rewrite.
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import type { EntryId } from "../../src/model/id.ts"
import { openRewind } from "../../src/tui/overlay/move/rewind-list.ts"
import { makeStage } from "../tui/overlay/stage.ts"
import { plainTalk } from "../tui/stage.ts"
import { until as seen } from "../within.ts"
import { bash, talk, until } from "./talk.ts"

/** One round: a file is written, the person says something, and the file is written again. */
async function steered() {
  const at = talk([
    bash("echo one > a.txt; echo; until [ -e ../go ]; do sleep 0.02; done"),
    bash("echo two > a.txt"),
    { text: "Done." },
  ])
  const { session } = await at.open()
  const sent = session.send({ text: "go" })
  await until(session, ({ type }) => type === "tool-delta")
  const wish = session.send({ text: "better two" })
  writeFileSync(join(at.root, "../go"), "")
  const answer = await wish
  await sent
  const file = () => readFileSync(join(at.root, "a.txt"), "utf8").trim()
  return { ...at, session, entry: (answer as { entry: EntryId }).entry, file }
}

test("goto, undo, redo and split treat it as they treat a prompt; the rounds stay as they are", async () => {
  const { session, entry, file } = await steered()
  expect(file()).toBe("two")
  expect(await session.rounds()).toMatchObject([{ text: "go", round: 1, steer: [{ entry, text: "better two" }] }])
  const given = { id: entry, text: "better two" }
  expect(await session.split(entry)).toMatchObject({ prompt: given })
  expect(await session.goto(entry, { files: "restore" })).toMatchObject({ outcome: "moved", prompt: given })
  expect(file()).toBe("one")
  expect((await session.context()).at(-1)).toMatchObject({ role: "tool" })
  expect(await session.rounds()).toMatchObject([{ text: "go", round: 1, steer: [] }])
  expect(await session.undo()).toMatchObject({ outcome: "moved" })
  expect(file()).toBe("two")
  expect(await session.redo()).toMatchObject({ outcome: "moved", prompt: given })
  expect(file()).toBe("one")
  expect(await session.send({ text: "three is better" })).toMatchObject({ outcome: "done" })
  expect((await session.rounds()).map(({ text }) => text)).toEqual(["go", "three is better"])
  expect(await session.goto("@2")).toMatchObject({ prompt: { text: "three is better" } })
})

test("the rewind list has it under its prompt, and it can be found and chosen", async () => {
  const { session, entry, file } = await steered()
  const stage = makeStage({ now: Date.now() })
  const went = openRewind(stage, session)
  await seen(() => stage.screen().includes("a.txt +1"))
  expect(stage.screen(60, 8)).toMatchInlineSnapshot(`
    "
    Rewind
    ────────────────────────────────────────────────────────────
    Your prompts, newest first                        2 messages
    ›  now  go                                          a.txt +1
       now  + better two


    Enter go back to it · type to search · ↑↓ choose · Esc leave
    "
  `)
  stage.press("bett", "enter")
  await seen(() => stage.screen(120).includes("summarised"))
  expect(stage.screen()).toContain("Go back to: better two")
  stage.press("enter")
  expect(await went).toMatchObject({ text: "better two", prompt: entry })
  expect(file()).toBe("one")
})

test("--plain lists it with the name that /goto takes", async () => {
  const { session, entry, ...host } = await steered()
  await session.close()
  const name = entry.slice(-6)
  const written = await plainTalk(
    host,
    [
      ["/help", "/prompts"],
      [`+ ${name}: better two`, `/goto ${name}`],
      ["Your prompt was: better two", "/quit"],
    ],
    { kind: "resume", id: session.id },
  )
  expect(written).toMatch(new RegExp(`1: go\\n {3}\\+ ${name}: better two\\n`))
})
