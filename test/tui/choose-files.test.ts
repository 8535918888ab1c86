// Files that changed while a command ran may be the person's: each can be taken along or left.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { systemOptions } from "../../src/session/state/system.ts"
import { behind } from "../behind.ts"
import { makeTestHost } from "../test-host.ts"
import { makeStage, plainTalk, type Stage } from "./stage.ts"

const COMMAND = 'run "echo mine > mine.txt; echo built > built.txt"'
const unsure = { session: { ...systemOptions(), now: behind } }
const restores = { session: { ...unsure.session, files: "restore" as const } }

async function afterCommand(options: Parameters<typeof makeStage>[0] = {}): Promise<Stage> {
  const stage = await makeStage({ rows: 30, host: unsure, ...options })
  stage.enter("say hello")
  await stage.idle(1)
  stage.enter(COMMAND)
  await stage.idle(2)
  stage.enter("create certain.txt with sure")
  await stage.idle(3)
  return stage
}

const there = (stage: Stage) =>
  ["built.txt", "mine.txt", "certain.txt"].filter((name) => existsSync(join(stage.host.root, name)))

test("in the rewind list Space opens the files: what has no tick stays, and the command is named", async () => {
  const stage = await afterCommand()
  stage.enter("/rewind")
  await stage.sees("Enter go back to it")
  stage.press("down", "enter")
  await stage.sees(/deleted {3}built\.txt −1 {2}perhaps yours[\s\S]*Space choose files/)
  stage.type(" ")
  await stage.sees(/\[x\] deleted {3}built\.txt −1 +perhaps yours[\s\S]*\[x\] deleted {3}certain\.txt −1/)
  await stage.sees(/Perhaps you changed built\.txt, not the agent: it changed while this ran:\s+echo\s+mine/)
  stage.press("down")
  stage.type(" ")
  await stage.sees(/\[ \] stays {5}mine\.txt/)
  await stage.sees("2 of 3 files")
  stage.press("enter")
  await stage.sees("Kept mine.txt: as you asked")
  expect(there(stage)).toEqual(["mine.txt"])
  stage.enter("/undo")
  await stage.sees("Undone")
  expect(there(stage)).toEqual(["built.txt", "mine.txt", "certain.txt"])
})

test("d shows what changed in a file before you decide, c leaves everything that is uncertain", async () => {
  const stage = await afterCommand()
  stage.enter("/restore @2")
  await stage.sees("Restore the files as they were before @2")
  stage.press("down")
  stage.type("d")
  await stage.sees(/Since then: mine\.txt[\s\S]*1 \+ mine/)
  stage.press("escape")
  stage.type("c")
  await stage.sees("1 of 3 files")
  stage.press("enter")
  await stage.sees("Kept mine.txt: as you asked")
  expect(there(stage)).toEqual(["built.txt", "mine.txt"])
})

test("at 60 columns the way out is among the keys, and a long command does not push it away", async () => {
  const stage = await makeStage({ rows: 20, columns: 60, host: unsure })
  stage.enter(`run "echo x > a.txt; echo ${"words ".repeat(60)}"`)
  await stage.idle(1)
  stage.enter("/restore @1")
  await stage.sees(
    /this ran: echo x > a\.txt;[\s\S]*…\nEnter restore · Space take or skip · Esc change nothing\nc only/,
  )
})

test("where the setting takes files along, a move with uncertain files asks first; Esc changes nothing", async () => {
  const stage = await afterCommand({ host: restores })
  stage.enter("/back")
  await stage.sees("round 2 of 3")
  expect(there(stage)).toEqual(["built.txt", "mine.txt"])
  stage.enter("/back")
  await stage.sees("These files change too")
  stage.press("escape")
  await stage.sees("Nothing was changed")
  expect(there(stage)).toEqual(["built.txt", "mine.txt"])
  stage.enter("/back")
  await stage.sees("These files change too")
  stage.press("enter")
  await stage.sees("round 1 of 3")
  expect(there(stage)).toEqual([])
})

test("a conflict shows both versions, page by page, and a choice leads on to the files that are uncertain", async () => {
  const stage = await makeStage({ rows: 20, columns: 60, host: restores })
  const file = join(stage.host.root, "a.txt")
  stage.enter("create a.txt with old words")
  await stage.idle(1)
  stage.enter('run "echo other > b.txt"')
  await stage.idle(2)
  stage.enter("change old words to new words in a.txt")
  await stage.idle(3)
  const mine = Array.from({ length: 20 }, (_, i) => `my line ${i}`).join("\n")
  writeFileSync(file, mine)
  stage.enter("/goto @2")
  await stage.sees(/now {2}│ my line 0\n[\s\S]*m keep mine/)
  await stage.sees("lines 1 to ")
  stage.type(" ".repeat(4))
  await stage.sees("then │ old words")
  stage.type("o")
  await stage.sees("[x] deleted   b.txt")
  expect(readFileSync(file, "utf8")).toBe(mine)
  stage.type(" ")
  stage.press("enter")
  await stage.sees("Went to @2")
  expect(readFileSync(file, "utf8")).toBe("old words")
  expect(existsSync(join(stage.host.root, "b.txt"))).toBe(true)
})

test("--plain names what is uncertain, and asks; options leave it, or single files", async () => {
  const host = makeTestHost(restores)
  const exists = (name: string) => existsSync(join(host.root, name))
  const seen: boolean[][] = []
  const then = (line: string) => () => {
    seen.push([exists("mine.txt"), exists("built.txt")])
    return line
  }
  const written = await plainTalk(host, [
    ["/help", "say hello"],
    ["Turn done.", COMMAND],
    ["Turn done.", "/back"],
    ["Go there and change all of these files? y/N", then("n")],
    ["Nothing was changed.", then("/back --only-certain")],
    ["Moved.", then("/undo")],
    ["Moved.", "/back --keep mine.txt"],
    ["Moved.", then("/undo")],
    ["Moved.", "/restore @2"],
    ["Change these files? y/N", "/restore @2 --keep built.txt --yes"],
    ["Files restored.", then("/undo")],
    ["Take this back with", "/back"],
    ["y/N", "y"],
    ["Moved.", then("/quit")],
  ])
  expect(written).toContain("deleted   mine.txt −1  perhaps yours: a command ran")
  expect(written).toContain("add --only-certain, or --keep PATH")
  expect(written).toContain("Kept mine.txt: as you asked")
  expect(seen).toEqual([
    [true, true],
    [true, true],
    [true, true],
    [true, false],
    [false, true],
    [false, false],
  ])
})

test("--plain shows both versions of what conflicts, before you can choose", async () => {
  const host = makeTestHost(restores)
  const file = join(host.root, "a.txt")
  const written = await plainTalk(host, [
    ["/help", "create a.txt with one"],
    ["Turn done.", "change one to two in a.txt"],
    [
      "Turn done.",
      () => {
        writeFileSync(file, "mine")
        return "/back"
      },
    ],
    ["--ours keeps these lines", "/back --ours"],
    ["Moved.", "/quit"],
  ])
  expect(written).toMatch(/line 1\n {2}now {2}│ mine\n {2}then │ one\n/)
  expect(readFileSync(file, "utf8")).toBe("mine")
})
