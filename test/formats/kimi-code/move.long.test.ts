// What retcon appends so that Kimi Code continues elsewhere: the real program followed it.
import { appendFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { kimiCode } from "../../../src/formats/kimi-code/format.ts"
import { NONE } from "../../../src/history/tree/tree.ts"
import { moveContract } from "../move-contract.ts"
import { moveTo, OPERATION, readSession } from "../read-session.ts"
import { answer, begin, calls, end, result, says, session, switched, user } from "./wires.ts"

const sample = (...names: string[]) => join(import.meta.dirname, "samples", ...names)
const wire = (path: string) => join(path, "agents", "main", "wire.jsonl")

moveContract(
  kimiCode,
  [
    { path: sample("three-rounds"), prompts: [], honoured: 16 },
    { path: sample("undone"), prompts: [], honoured: 19 },
  ],
  wire,
)

const ONE = [user("one"), ...answer("s1", "a1")]
const TWO = [user("two"), ...answer("s2", "a2")]

test("a branch begins at the last line of an entry, as Kimi Code's own /undo begins it", async () => {
  const read = await readSession(kimiCode, session(...ONE, { type: "turn.prompt" }, ...TWO))
  expect(moveTo(read, 1)).toMatchObject({
    branch: "b1",
    base: { branch: "main", line: 6 },
    retcon: { operation: OPERATION },
  })
})

test("no answer has begun where a branch begins", async () => {
  const read = await readSession(kimiCode, session(user("one"), { type: "turn.started" }, ...answer("s1", "a1")))
  expect(moveTo(read, 0)).toMatchObject({ base: { branch: "main", line: 3 } })
})

test("an abandoned branch is reached by its own name, and each gets another one", async () => {
  const path = session(...ONE, switched("b1", { branch: "main", line: 2 }), ...answer("s2", "a2"))
  const read = await readSession(kimiCode, path)
  const [left, now] = [1, read.history.head]
  expect(moveTo(read, left)).toMatchObject({ branch: "b2", base: { branch: "main", line: 5 } })
  appendFileSync(wire(path), `${JSON.stringify(moveTo(read, left))}\n`)
  read.session.refresh()
  expect(read.history.head).toBe(left)
  expect(read.history.id(read.history.size - 1)).toBe(OPERATION)
  expect(moveTo(read, now)).toMatchObject({ branch: "b3", base: { branch: "b1", line: 9 } })
})

test("what Kimi Code cannot continue from is refused", async () => {
  const steers = ["x", "y"].map((text) => user(text, { kind: "user", inTurn: true }))
  const step = [begin("s1"), says("s1", "look"), calls("s1", "c1"), ...steers, result("c1", "r1"), end("s1")]
  const read = await readSession(kimiCode, session(user("one"), ...step, user("two")))
  expect(moveTo(read, NONE)).toMatchObject({ ok: false, advice: [expect.any(String), { do: "goto", entry: "@1" }] })
  // The result and both steers come with one line, which the conversation stands behind the second steer after.
  expect([3, 4, 5].map((row) => moveTo(read, row).ok)).toEqual([false, false, undefined])
  const subAgent = await readSession(kimiCode, sample("three-rounds", "agents", "agent-0"))
  expect(moveTo(subAgent, 1)).toMatchObject({ ok: false, problem: expect.stringContaining("sub-agent") })
})

test("nothing is appended after a line that cannot be read: Kimi Code would remove it with that line", async () => {
  const path = session(...ONE, ...TWO)
  appendFileSync(wire(path), '{"type":"context.app')
  const torn = { ok: false, problem: expect.stringContaining("cannot be read") }
  expect(moveTo(await readSession(kimiCode, path), 1)).toMatchObject(torn)
  appendFileSync(wire(path), "\n")
  expect(moveTo(await readSession(kimiCode, path), 1)).toMatchObject(torn)
})
