// Undo and redo do with the files what the move did that they take back, wherever it was made.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { systemOptions } from "../../src/session/state/system.ts"
import { makeTestHost } from "../test-host.ts"
import { makeStage, plainTalk, type Stage } from "./stage.ts"

const fileIn = (root: string) => readFileSync(join(root, "a.txt"), "utf8").trim()

async function twoRounds(): Promise<{ stage: Stage; file: () => string }> {
  const stage = await makeStage({ rows: 40 })
  stage.enter("create a.txt with one")
  await stage.idle(1)
  stage.enter("change one to two in a.txt")
  await stage.idle(2)
  return { stage, file: () => fileIn(stage.host.root) }
}

test("in the terminal: Esc Esc with the files, /undo brings them back, /redo takes them along again", async () => {
  const { stage, file } = await twoRounds()
  stage.press("escape", "escape")
  await stage.sees("Enter go back to it")
  stage.press("enter")
  await stage.sees("Conversation and files")
  stage.press("enter")
  await stage.sees("Went back, with the files")
  expect(file()).toBe("one")
  stage.enter("/undo")
  await stage.sees(/Undone[\s\S]*Files restored too: modified a\.txt/)
  expect(file()).toBe("two")
  stage.enter("/redo")
  await stage.sees(/Redone[\s\S]*Files restored too: modified a\.txt/)
  expect(file()).toBe("one")
})

test("in the terminal: /undo takes a /restore back", async () => {
  const { stage, file } = await twoRounds()
  stage.enter("/restore @2")
  await stage.sees("Enter restore")
  stage.press("enter")
  await stage.sees("Files restored")
  expect(file()).toBe("one")
  stage.enter("/undo")
  await stage.sees("Undone: restoring files")
  expect(file()).toBe("two")
  await stage.idle(2)
})

test("in --plain: /undo and /redo of a move that restored the files", async () => {
  const host = makeTestHost()
  const { session } = await host.open()
  await session.send({ text: "create a.txt with one" })
  await session.send({ text: "change one to two in a.txt" })
  await session.back({ files: "restore" })
  await session.close()
  expect(fileIn(host.root)).toBe("one")
  const seen: string[] = []
  const look = (text: string) => {
    seen.push(fileIn(host.root))
    return text
  }
  await plainTalk(
    host,
    [
      ["/help", "/undo"],
      ["Files restored too", () => look("/redo")],
      ["Files restored too", () => look("/quit")],
    ],
    { kind: "continue" },
  )
  expect(seen).toEqual(["two", "one"])
})

test("through the host: an explicit choice counts, else the move that is taken back; the setting is for rounds", async () => {
  const { open, root } = makeTestHost({ session: { ...systemOptions(), files: "restore" } })
  const { session } = await open()
  await session.send({ text: "create a.txt with one" })
  await session.send({ text: "change one to two in a.txt" })
  await session.goto("@2", { files: "keep" })
  await session.undo()
  expect(fileIn(root)).toBe("two")
  await session.goto("@2", { files: "restore" })
  await session.undo({ files: "keep" })
  expect(fileIn(root)).toBe("one")
  await session.restore("head")
  await session.undo()
  expect(fileIn(root)).toBe("one")
  await session.goto("@2")
  expect(fileIn(root)).toBe("one")
})
