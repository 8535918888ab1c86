// What builders need of a session besides its moves: another parent, a signal, an end that cannot be forgotten.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { createSession } from "../../src/session/session.ts"
import { gitWorkspace } from "../../src/session/state/system.ts"
import { memoryStore } from "../../src/store/memory/memory-store.ts"
import { answer, callsDraft, MADE, newSession, outcome, prompt, told } from "./new-session.ts"

test("an append can continue another entry than the head, and the head is there afterwards", async () => {
  const { session } = await newSession("file")
  const [first] = await session.append([prompt("one"), answer("1")])
  await session.append([prompt("two"), answer("2")])
  await session.append([prompt("instead"), answer("3")], { parent: first as never })
  expect(told(session)).toBe("one > instead > 3")
  expect(session.history.tips().length).toBe(2)
  await session.append(prompt("anew"), { parent: null })
  expect(told(session)).toBe("anew")
  await session.undo()
  expect(told(session)).toBe("")
})

test("calls that the entry leaves open are settled there, and not those of the head", async () => {
  const { session } = await newSession()
  const [, open] = await session.append([prompt("one"), callsDraft("a")])
  await session.append(prompt("elsewhere"), { parent: null })
  await session.append(prompt("go on"), { parent: open as never })
  expect(told(session)).toBe("one > tool-call a > tool-result a > go on")
})

test("a parent that is not an entry is refused, and nothing is written", async () => {
  const { session, parts } = await newSession()
  await session.append(prompt("one"))
  const { size } = session.history
  for (const parent of [parts.ids.entry(), session.id as never]) {
    await expect(session.append(prompt("two"), { parent })).rejects.toMatchObject({ code: "not-found" })
  }
  expect(session.history.size).toBe(size)
})

test("the signal of a turn is aborted by whatever stops it, and not by its own end", async () => {
  const { session } = await newSession()
  await session.append([prompt("one"), answer("1")])
  const ended = await session.beginTurn()
  await ended.end()
  const replaced = await session.beginTurn()
  const moved = await session.beginTurn()
  expect([ended, replaced, moved].map(({ signal }) => signal.aborted)).toEqual([false, true, false])
  await moved.append([prompt("two"), answer("2")])
  expect(outcome(await session.back())).toBe("moved")
  expect(moved.signal.aborted).toBe(true)
  expect(moved.signal.reason).toMatchObject({ code: "turn-ended" })
  const closed = await session.beginTurn()
  await session.close()
  expect(closed.signal.aborted).toBe(true)
})

test("a session ends with its block, and needs no clock and no ids to be fast", async () => {
  const store = memoryStore()
  const open = async () => {
    await using session = await createSession(store, { cwd: "/project", made: MADE }, { durability: "fast" })
    await session.append(prompt("one"))
    return session
  }
  await expect((await open()).append(prompt("two"))).rejects.toMatchObject({ code: "io" })
})

test("an error says what happened, and what to do, in words", () => {
  const error = new RetconError({ code: "nothing-to-undo" })
  expect([error.code, error.message, error.hint]).toEqual([
    "nothing-to-undo",
    "There is nothing to undo.",
    "See what was done with: ops",
  ])
  expect(String(error)).toBe("RetconError: There is nothing to undo.")
})

test("a session whose folder is covered restores the files too", async () => {
  const [root, home] = [mkdtempSync(join(tmpdir(), "retcon-root-")), mkdtempSync(join(tmpdir(), "retcon-home-"))]
  onTestFinished(() => {
    for (const folder of [root, home]) rmSync(folder, { recursive: true, force: true })
  })
  const file = join(root, "a.txt")
  writeFileSync(file, "before\n")
  const workspace = await gitWorkspace({ root, home, session: "mine" })
  await using session = await createSession(memoryStore(), { cwd: root, made: MADE }, { workspace })
  await session.append([prompt("one"), answer("1"), prompt("two")])
  const [entry] = await session.append(callsDraft("a"))
  const open = await session.files.openSpan({ entry: entry as never, call: "a", paths: ["a.txt"] })
  writeFileSync(file, "after\n")
  await session.files.closeSpan(open)
  expect(outcome(await session.back({ files: "restore" }))).toBe("moved")
  expect(readFileSync(file, "utf8")).toBe("before\n")
  await workspace.close()
})
