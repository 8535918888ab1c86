// Several processes write to one session at once: nothing is lost, nothing is damaged, and each is told of the others.
import { appendFileSync, readFileSync } from "node:fs"
import { expect, test } from "vitest"
import { config, labels, path } from "../../src/history/tree/tree.ts"
import { KIND, type WritableRecord } from "../../src/model/record/record.ts"
import { parseRecord } from "../../src/model/record/record-parse.ts"
import { printRecord } from "../../src/model/record/record-print.ts"
import { openSession } from "../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { damage, FAST, message, newLog, openLog, parts, sameWhenReopened, say, start, texts } from "./kit.ts"

interface Answer {
  entries: string[]
  changed: number
  head: string
  labels: number
}

test("two processes append a thousand messages each: two thousand messages, and nobody's update is lost", async () => {
  const { file, home, log } = await newLog()
  const children = await Promise.all(["a", "b"].map((name) => start("talk", [file, home, name, "1000"])))
  for (const child of children) expect((await child.lines.next()).value).toBe("ready")
  for (const child of children) child.send("go")
  const answers = await Promise.all(
    children.map(async (child) => {
      const { value } = await child.lines.next()
      expect((await child.ended).errors).toBe("")
      return JSON.parse(value as string) as Answer
    }),
  )
  log.refresh()
  const { history } = log
  expect(damage(log)).toEqual([])
  const written = answers.flatMap(({ entries }) => entries)
  expect(new Set(written).size).toBe(written.length)
  expect(written.length).toBeGreaterThanOrEqual(2000)
  const found = Array.from({ length: history.size }, (_, row) => row).filter(
    (row) => history.kind(row) === KIND.message,
  )
  expect(found.map((row) => history.id(row) as string).toSorted()).toEqual(written.toSorted())
  for (const answer of answers) {
    // Each one's messages are one unbroken branch, in the order they were written.
    const branch = path(history, history.rowOf(answer.head)).map((row) => history.id(row) as string)
    expect(branch).toEqual(answer.entries)
    expect(answer.changed).toBeGreaterThan(0)
  }
  expect(history.tips().length).toBeLessThanOrEqual(2)
  for (const name of ["a", "b"]) {
    expect([...config(history).keys()].filter((key) => key.startsWith(name)).length).toBeGreaterThanOrEqual(15)
    expect([...labels(history).values()].filter((label) => label.startsWith(name)).length).toBeGreaterThanOrEqual(12)
  }
  await sameWhenReopened(log)
})

test("a writer that is killed in the middle of a line does not harm the one that continues", async () => {
  const { file, log } = await newLog()
  await say(log, "one")
  for (let round = 0; round < 20; round++) {
    const torn = printRecord(message(null, `torn ${round}`))
    appendFileSync(file, torn.slice(0, 5 + round * 9))
    await say(log, `a${round}`, `b${round}`)
    const other = openLog(file)
    await say(other, `c${round}`)
    log.refresh()
    await other.close()
  }
  expect(damage(log).length).toBe(20)
  const said = Array.from({ length: 20 }, (_, round) => [`a${round}`, `b${round}`, `c${round}`])
  expect(texts(log)).toEqual(["one", ...said.flat()])
  await sameWhenReopened(log)
})

test("a torn line that comes between looking and writing swallows no record: it is written again", async () => {
  const { file, log } = await newLog()
  await say(log, "one")
  const torn = printRecord(message(null, "torn")).slice(0, 80)
  // The append has been asked for and looks at the file when its turn comes: the torn line is there, ours is after it.
  for (const records of [1, 3]) {
    const chain = [message(log.history.id(log.history.head), "first")]
    for (let i = 1; i < records; i++) chain.push(message(chain.at(-1)?.id ?? null, `${i}`))
    const appended = log.append(chain, FAST)
    appendFileSync(file, torn)
    const rows = await appended
    expect(rows.map((row) => log.history.id(row))).toEqual(chain.map((record) => record.id))
    expect(rows.map((row) => log.problem(row))).toEqual(chain.map(() => undefined))
  }
  expect(texts(log)).toEqual(["one", "first", "first", "1", "2"])
  await sameWhenReopened(log)
})

/** Another writer's line is torn when the records are read: after the look at what others wrote, before the write. */
function tearingWhenRead(records: readonly WritableRecord[], file: string): WritableRecord[] {
  const [first, ...rest] = records as [WritableRecord, ...WritableRecord[]]
  const { at } = first
  let torn = false
  const tearing = Object.defineProperty({ ...first }, "at", {
    enumerable: true,
    get() {
      if (!torn) appendFileSync(file, printRecord(message(null, "torn")).slice(0, 80))
      torn = true
      return at
    },
  })
  return [tearing, ...rest]
}

test("of several records, those that a torn line swallowed are written again, and no other: an id counts once", async () => {
  for (const durability of ["fast", "sync"] as const) {
    const { file, log } = await newLog()
    await say(log, "one")
    const chain = [message(log.history.id(log.history.head), "first")]
    for (let i = 1; i < 3; i++) chain.push(message(chain.at(-1)?.id ?? null, `${i}`))
    const rows = await log.append(tearingWhenRead(chain, file), { durability })
    expect(rows.map((row) => log.history.id(row))).toEqual(chain.map((record) => record.id))
    expect(damage(log).length).toBe(1)
    const lines = readFileSync(file, "utf8").split("\n")
    for (const { id } of chain.slice(1)) {
      expect(lines.filter((line) => line.startsWith(`{"id":"${id}"`))).toHaveLength(1)
    }
    await sameWhenReopened(log)
  }
})

/** A session, the first append of whose log that has several records meets a torn line which nobody saw before. */
async function meetingTornLine() {
  const { file, store, id } = await newLog()
  const log = openLog(file)
  const append = log.append.bind(log)
  let armed = false
  log.append = (records, options) => {
    if (!armed || records.length === 1) return append(records, options)
    armed = false
    return append(tearingWhenRead(records as readonly WritableRecord[], file), options)
  }
  const session = await openSession({ ...store, open: async () => log }, id, parts)
  return { store, session, arm: () => (armed = true) }
}

test("a session whose messages a torn line separated appends them again, one after the other", async () => {
  const { store, session, arm } = await meetingTornLine()
  await session.append(promptDraft("one"))
  arm()
  const said = await session.append([answerDraft("two"), answerDraft("three")])
  const branch = () => path(session.history, session.headRow).map((row) => session.history.id(row))
  expect(branch().slice(1)).toEqual(said)
  const again = await openSession(store, session.id, parts)
  expect([again.head, path(again.history, again.headRow).length]).toEqual([said.at(-1), 3])
  await again.close()
  await session.close()
})

test("a move whose note a torn line swallowed is still a move, also after a restart", async () => {
  const { store, session, arm } = await meetingTornLine()
  await session.append([promptDraft("one"), answerDraft("1")])
  const [two] = await session.append([promptDraft("two"), answerDraft("2")])
  const left = session.head
  arm()
  expect(await session.goto(two as string, { summary: "what was found" })).toMatchObject({ outcome: "moved" })
  const { head } = session
  const again = await openSession(store, session.id, parts)
  expect(again.head).toBe(head)
  expect(again.history.record(again.headRow)).toMatchObject({ type: "note", text: "what was found" })
  expect(await again.undo()).toMatchObject({ outcome: "moved", head: left })
  await again.close()
  await session.close()
})

test("two writers with heads of their own make two branches, and both are told", async () => {
  const { store, id } = await newLog()
  const a = await openSession(store, id, { ...parts, head: "own" })
  const b = await openSession(store, id, { ...parts, head: "own" })
  const told: string[] = []
  const heard = ["a", "b"].map(
    (name) =>
      new Promise<void>((done) => {
        const session = name === "a" ? a : b
        session.on((event) => {
          if (event.type !== "changed") return
          told.push(`${name} ${event.apart ? "apart" : "together"}`)
          done()
        })
      }),
  )
  const draft = (text: string) => ({
    type: "message" as const,
    role: "user" as const,
    origin: "prompt" as const,
    content: [{ type: "text" as const, text }],
  })
  await a.append(draft("from a"))
  await b.append(draft("from b"))
  await Promise.all(heard)
  expect(new Set(told)).toEqual(new Set(["a apart", "b apart"]))
  expect([a.head === b.head, a.history.tips().length]).toEqual([false, 2])
  await Promise.all([a.close(), b.close()])
})

test("every line that two writers wrote is a record on its own", async () => {
  const { file, store, id } = await newLog()
  const logs = await Promise.all([store.open(id), store.open(id), store.open(id)])
  await Promise.all(
    logs.flatMap((log, n) => Array.from({ length: 30 }, (_, i) => log.append([message(null, `${n}.${i}`)], FAST))),
  )
  const lines = readFileSync(file, "utf8").trimEnd().split("\n")
  expect(lines.filter((line) => line !== "" && !parseRecord(line).ok)).toEqual([])
  expect(lines.filter((line) => line !== "").length).toBe(91)
  await Promise.all(logs.map((log) => log.close()))
})
