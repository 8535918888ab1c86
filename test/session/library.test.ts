// What builders need of a session besides its moves: another parent, a signal, an end that cannot be forgotten.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { branchesOf } from "../../src/history/tree/branches.ts"
import { entriesOf } from "../../src/history/tree/tree.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { createSession, openSession } from "../../src/session/session.ts"
import { fileStore } from "../../src/store/file/file-store.ts"
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
  const undone = ["", "one > instead > 3", "one", "one > 1 > two > 2"]
  for (const shown of undone) {
    expect(outcome(await session.undo())).toBe("moved")
    expect(told(session)).toBe(shown)
  }
})

test("an exact move goes to the prompt itself, and what is said there is undone by itself", async () => {
  const { session } = await newSession("file")
  const [asked = ""] = await session.append([prompt("one"), answer("1")])
  expect(outcome(await session.goto(asked))).toBe("moved")
  expect(told(session)).toBe("")
  await session.goto(asked, { at: "exactly" })
  await session.append(answer("another 1"))
  expect(told(session)).toBe("one > another 1")
  const { siblings, children } = branchesOf(session.history)
  expect(siblings(session.headRow)).toEqual(children(session.history.parent(session.headRow)).toReversed())
  expect(siblings(session.headRow)).toHaveLength(2)
  await session.undo()
  expect(told(session)).toBe("one")
})

test("an entry can have an id that the caller made, once", async () => {
  const { session, parts } = await newSession()
  const id = parts.ids.entry()
  expect(await session.append(prompt("one", { id }))).toEqual([id])
  const size = session.history.size
  const other = parts.ids.entry()
  for (const drafts of [[prompt("two", { id })], [prompt("a", { id: other }), answer("b", { id: other })]])
    await expect(session.append(drafts)).rejects.toMatchObject({ code: "invalid" })
  await expect(session.append(prompt("two", { id: "msg-1" as never }))).rejects.toThrow("msg-1 is not a UUID")
  expect(session.history.size).toBe(size)
  expect([...entriesOf(session.history, session.headRow)].map((entry) => entry.id)).toEqual([id])
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

test("a session whose folder is covered restores the files too, and keeps no place where it has none", async () => {
  const [root, home] = [mkdtempSync(join(tmpdir(), "retcon-root-")), mkdtempSync(join(tmpdir(), "retcon-home-"))]
  onTestFinished(() => {
    for (const folder of [root, home]) rmSync(folder, { recursive: true, force: true })
  })
  const file = join(root, "a.txt")
  writeFileSync(file, "before\n")
  const wanted = { cwd: root, made: MADE }
  const store = fileStore({ home })
  const session = await createSession(store, wanted, { files: true })
  await session.append([prompt("one"), answer("1"), prompt("two")])
  const [entry] = await session.append(callsDraft("a"))
  const failing = async () => {
    writeFileSync(file, "after\n")
    throw new Error("the tool failed")
  }
  const during = session.files.during({ entry: entry as never, call: "a", paths: ["a.txt"] }, failing)
  await expect(during).rejects.toThrow("the tool failed")
  await session.close()
  await using again = await openSession(store, session.id, { files: true })
  expect(outcome(await again.back())).toBe("moved")
  expect(readFileSync(file, "utf8")).toBe("before\n")
  const memory = memoryStore()
  await expect(createSession(memory, wanted, { files: true })).rejects.toMatchObject({ code: "invalid" })
  expect(await memory.list()).toEqual([])
})
