// What attempts did becomes branches of the tree, and nothing moves.
import { execFileSync } from "node:child_process"
import fs from "node:fs"
import { expect, test } from "vitest"
import { Rows } from "../../src/history/rows/rows.ts"
import { readFacts } from "../../src/history/wire/read-facts.ts"
import { writeFacts } from "../../src/history/wire/write-facts.ts"
import { createSession, openSession, type Session } from "../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import { memoryStore } from "../../src/store/memory/memory-store.ts"
import { makeProject, round } from "./project.ts"

const made = { name: "test", version: "0" }

/** A session with three rounds and one back, so that there is something to undo and to redo. */
async function withHistory() {
  const project = makeProject()
  project.write("a", "1\n")
  const session = await project.open(undefined, "restore")
  for (const n of [2, 3, 4])
    await round(session, `round ${n}`, { paths: ["a"], run: () => project.write("a", `${n}\n`) })
  const forward = session.head
  await session.back({ files: "restore" })
  return { project, session, forward }
}

async function attempt(session: Session, messages: number): Promise<Session> {
  const { session: split } = await session.split("head", made, "", "attempt")
  await split.append(
    Array.from({ length: messages }, (_, i) => (i === 0 ? promptDraft("attempt") : answerDraft(`step ${i}`))),
  )
  return split
}

const labelsOf = (session: Session) => Object.fromEntries([...session.labels()].map(([entry, name]) => [name, entry]))

test.each([0, 1, 65, 10_000])(
  "taking in %i messages moves neither head nor files nor what undo and redo do",
  async (messages) => {
    const { project, session, forward } = await withHistory()
    const one = await attempt(session, messages)
    const [head, text] = [session.head, project.read("a")]
    const { tips } = await session.takeIn([{ log: one.log, label: "a1" }])
    expect([session.head, session.history.head, project.read("a")]).toEqual([head, session.headRow, text])
    expect(tips).toEqual([one.head])
    expect(labelsOf(session)).toEqual(messages === 0 ? {} : { a1: one.head })
    // Another process, which reads the file, sees the same.
    const again = await openSession(project.store, session.id, systemOptions())
    expect(again.head).toBe(head)
    await again.close()
    await one.close()
    expect(await session.undo()).toMatchObject({ outcome: "moved" })
    expect(session.head).toBe(forward)
    expect(project.read("a")).toBe("4\n")
  },
)

test("lines are taken as they are, also those that this version does not know", async () => {
  const { session } = await withHistory()
  const one = await attempt(session, 1)
  const strange = (type: string, more: object) =>
    JSON.stringify({ id: systemOptions().ids.record(), type, at: "2026-01-01T00:00:00.000Z", ...more })
  const lines = [strange("hologram", { parent: one.head, light: 1 }), strange("weather", { "a b": [1, 2] })]
  fs.appendFileSync(one.log.file ?? "", `${lines.join("\n")}\n`)
  one.look()
  await session.takeIn([{ log: one.log }])
  const text = fs.readFileSync(session.log.file ?? "", "utf8").split("\n")
  for (const line of lines) expect(text).toContain(line)
  await one.close()
})

test("large parts of a message are read in the session that took it in", async () => {
  const { session } = await withHistory()
  const { session: one } = await session.split("head", made, "", "attempt")
  const large = "text ".repeat(20_000)
  await one.append(promptDraft(large))
  await session.takeIn([{ log: one.log }])
  const record = session.history.record(session.history.rowOf(one.head ?? ""))
  expect(record).toMatchObject({ content: [{ type: "text", text: large }] })
  await one.close()
})

test("taken in twice, an attempt is there once; what it did since is added", async () => {
  const { session } = await withHistory()
  const one = await attempt(session, 3)
  await session.takeIn([{ log: one.log, label: "a1" }])
  const { size } = session.history
  await session.takeIn([{ log: one.log, label: "a1" }])
  expect(session.history.size).toBe(size)
  await one.append(answerDraft("more"))
  await session.takeIn([{ log: one.log, label: "a1" }])
  expect(labelsOf(session)).toEqual({ a1: one.head })
  await one.close()
})

test("what another process appends meanwhile stays the path", async () => {
  const { project, session } = await withHistory()
  const one = await attempt(session, 3)
  const other = await openSession(project.store, session.id, systemOptions())
  const [said] = await other.append(promptDraft("meanwhile"))
  await session.takeIn([{ log: one.log, label: "a1" }])
  expect(session.head).toBe(said)
  const told: string[] = []
  other.on((event) => told.push(event.type === "changed" ? `changed followed ${event.followed === true}` : event.type))
  other.look()
  expect([other.head, told]).toEqual([said, ["changed followed false"]])
  await other.close()
  await one.close()
})

test("the page's copy of the tree is the same, and so is what Python reads", async () => {
  const { session } = await withHistory()
  const attempts = [await attempt(session, 4), await attempt(session, 70)]
  await session.takeIn(attempts.map(({ log }, i) => ({ log, label: `a${i + 1}` })))
  await session.append(promptDraft("after"))
  const { history } = session
  const rows = new Rows()
  readFacts(rows, writeFacts(history as unknown as Rows, 0, history.size))
  const columns = (tree: Pick<Rows, "headAfter" | "undo" | "redo" | "parent">) =>
    Array.from({ length: history.size }, (_, row) => [
      tree.headAfter(row),
      tree.undo(row),
      tree.redo(row),
      tree.parent(row),
    ])
  expect(columns(rows)).toEqual(columns(history))
  const python = execFileSync("python3", ["examples/read_session.py", session.log.file ?? ""], { encoding: "utf8" })
  const read = JSON.parse(python) as { head: string; undo: number; redo: number; labels: object }
  expect(read.head).toBe(session.head)
  expect(new Set(Object.values(read.labels))).toEqual(new Set(["a1", "a2"]))
  const depth = (row: number, next: (row: number) => number) => {
    let count = 0
    for (let at = row; at !== 0xffff_ffff; at = next(at)) count++
    return count
  }
  const last = history.size - 1
  expect(read.undo).toBe(depth(history.undo(last), (row) => history.link(row)))
  for (const each of attempts) await each.close()
})

test("a store in memory takes in lines too", async () => {
  const store = memoryStore()
  const session = await createSession(store, { cwd: "/", made })
  await session.append([promptDraft("one"), answerDraft("two")])
  const one = await attempt(session, 3)
  const { head } = session
  await session.takeIn([{ log: one.log, label: "a1" }])
  expect([session.head, labelsOf(session)]).toEqual([head, { a1: one.head }])
  await session.goto("a1")
  expect(session.head).toBe(one.head)
})
