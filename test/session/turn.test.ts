import { statSync, truncateSync } from "node:fs"
import { expect, test, vi } from "vitest"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { createSession, openSession } from "../../src/session/session.ts"
import type { SessionEvent } from "../../src/session/state/session-events.ts"
import {
  answer,
  callsDraft,
  lines,
  MADE,
  newSession,
  outcome,
  prompt,
  resultsDraft,
  stateDraft,
  told,
} from "./new-session.ts"

test("a late result of a stopped turn is refused and writes nothing", async () => {
  const { session } = await newSession()
  const turn = await session.beginTurn()
  await turn.append([prompt("p1"), callsDraft("x")])
  expect(await session.stopTurn()).toBe(true)
  const before = lines(session)
  await expect(turn.append(resultsDraft("x"))).rejects.toEqual(new RetconError({ code: "turn-ended" }))
  expect([lines(session), turn.isOver()]).toEqual([before, true])
})

test("an append that was asked for before the stop is recorded, one asked for after it is not", async () => {
  const { session } = await newSession()
  const turn = await session.beginTurn()
  const results = await Promise.allSettled([turn.append(prompt("p1")), session.stopTurn(), turn.append(answer("a1"))])
  expect(results.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"])
  expect(told(session)).toBe("p1")
})

test("stopping a turn settles all its open calls as one message, and keeps the results that came", async () => {
  const { session } = await newSession()
  const turn = await session.beginTurn()
  await turn.append([prompt("p1"), callsDraft("x", "y", "z"), resultsDraft("y")])
  await session.stopTurn()
  expect(told(session)).toBe("p1 > tool-call x tool-call y tool-call z > tool-result y > tool-result x tool-result z")
  const last = session.history.record(session.headRow)
  expect(last).toMatchObject({ role: "tool", origin: "interrupt" })
})

test("stopping a turn without open calls writes nothing", async () => {
  const { session } = await newSession()
  const turn = await session.beginTurn()
  await turn.append([prompt("p1"), answer("a1")])
  const before = lines(session)
  await session.stopTurn()
  expect(lines(session)).toEqual(before)
  expect(await session.stopTurn()).toBe(false)
})

test("a turn that has ended is not stopped again, and cannot append", async () => {
  const { session } = await newSession()
  const turn = await session.beginTurn()
  await turn.end()
  await turn.end()
  expect(await session.stopTurn()).toBe(false)
  await expect(turn.append(prompt("p1"))).rejects.toMatchObject({ code: "turn-ended" })
})

test("within one process a move stops the turn first", async () => {
  const { session } = await newSession()
  const told_: SessionEvent["type"][] = []
  session.on((event) => told_.push(event.type))
  const turn = await session.beginTurn()
  await turn.append([prompt("p1"), answer("a1"), prompt("p2"), callsDraft("x")])
  expect(outcome(await session.back())).toBe("moved")
  expect([told(session), turn.isOver()]).toEqual(["p1 > a1", true])
  expect(told_).toEqual(["appended", "turn-stopped", "appended", "moved"])
  await session.undo()
  expect(told(session)).toBe("p1 > a1 > p2 > tool-call x > tool-result x")
})

test("a dry run and a refused move let the turn continue", async () => {
  const { session } = await newSession()
  const turn = await session.beginTurn()
  await turn.append([prompt("p1"), answer("a1")])
  await session.undo({ dryRun: true })
  expect(outcome(await session.back())).toBe("at-start")
  expect(outcome(await session.goto("nowhere"))).toBe("not-found")
  expect(turn.isOver()).toBe(false)
})

test("labels and config do not stop a turn", async () => {
  const { session } = await newSession()
  const turn = await session.beginTurn()
  await turn.append(prompt("p1"))
  await session.label("head", "begin")
  await session.configure("title", "Mine")
  await turn.append(answer("a1"))
  expect(told(session)).toBe("p1 > a1")
})

test("a second turn ends the first, and still holds the lease", async () => {
  const { session, store, parts } = await newSession()
  const first = await session.beginTurn()
  await first.append([prompt("p1"), callsDraft("x")])
  const second = await session.beginTurn()
  expect([first.isOver(), second.isOver()]).toEqual([true, false])
  await expect(first.append(answer("late"))).rejects.toMatchObject({ code: "turn-ended" })
  const other = await openSession(store, session.id, parts)
  expect(outcome(await other.undo())).toBe("session-busy")
  await expect(other.beginTurn()).rejects.toMatchObject({ code: "session-busy" })
  await second.append(answer("a1"))
  expect(told(session)).toBe("p1 > tool-call x > tool-result x > a1")
  await other.close()
})

test("while a turn runs elsewhere every move is refused, and reading and labelling are not", async () => {
  const { session, store, parts } = await newSession()
  const turn = await session.beginTurn()
  await turn.append([prompt("p1"), answer("a1"), { type: "checkpoint", n: 0 }, prompt("p2"), answer("a2")])
  const other = await openSession(store, session.id, parts)
  const before = lines(other).length
  const moves = [
    other.back(),
    other.goto("@1"),
    other.undo(),
    other.redo(),
    other.retract(),
    other.backtrack({ checkpoint: 0, note: "n" }),
    other.compact({ summarise: () => "s" }),
  ]
  expect((await Promise.all(moves)).map(outcome)).toEqual(moves.map(() => "session-busy"))
  expect(lines(other).length).toBe(before)
  expect(other.context()).toEqual(session.context())
  await other.label("@1", "begin")
  await turn.end()
  expect(outcome(await other.back())).toBe("moved")
  await other.close()
})

test("calls that a dead process left open are shown as interrupted, and recorded so with the next append", async () => {
  const { session, store, parts } = await newSession()
  await session.append([prompt("p1"), callsDraft("x", "y"), resultsDraft("x")])
  await session.close()
  const reopened = await openSession(store, session.id, parts)
  const shown = JSON.stringify(reopened.context())
  const before = lines(reopened).length
  expect(shown).toContain("interrupted")
  expect(lines(reopened).length).toBe(before)
  await reopened.append(prompt("p2"))
  expect(told(reopened)).toBe("p1 > tool-call x tool-call y > tool-result x > tool-result y > p2")
  expect(JSON.stringify(reopened.context()).startsWith(shown.slice(0, -1))).toBe(true)
  await reopened.close()
})

test("state and checkpoints may follow an open call without settling it, and its result may still come", async () => {
  const { session } = await newSession()
  await session.append([prompt("p1"), callsDraft("x")])
  await session.append(stateDraft("todos", "one"))
  await session.append(resultsDraft("x"))
  expect(told(session)).toBe("p1 > tool-call x > state > tool-result x")
})

test("the ids that append returns are those of what was passed in, not of what settles calls", async () => {
  const { session } = await newSession()
  await session.append([prompt("p1"), callsDraft("x")])
  const ids = await session.append([prompt("p2"), answer("a2")])
  expect(ids).toHaveLength(2)
  expect(ids[1]).toBe(session.head)
})

test("nothing appended is nothing written", async () => {
  const { session } = await newSession()
  const before = lines(session)
  expect(await session.append([])).toEqual([])
  expect(lines(session)).toEqual(before)
})

test("a dry run is answered while a turn runs elsewhere, and says that it does", async () => {
  const { session, store, parts } = await newSession()
  const turn = await session.beginTurn()
  await turn.append([prompt("p1"), answer("a1"), prompt("p2"), answer("a2")])
  const other = await openSession(store, session.id, parts)
  const before = lines(other).length
  const planned = await other.back({ dryRun: true })
  expect(planned).toMatchObject({
    outcome: "planned",
    left: 2,
    prompt: { text: "p2" },
    busy: { pid: expect.any(Number) },
  })
  expect(outcome(await other.redo({ dryRun: true }))).toBe("nothing-to-redo")
  expect(lines(other).length).toBe(before)
  await turn.append(answer("a3"))
  await turn.end()
  expect(await other.back({ dryRun: true })).not.toHaveProperty("busy")
  await other.close()
})

test("a log that another program cuts ends the turn, and without a turn the session continues with what is left", async () => {
  const { session } = await newSession("file")
  const file = session.log.file ?? ""
  await session.append([prompt("p1"), answer("a1")])
  const kept = statSync(file).size
  const turn = await session.beginTurn()
  await turn.append(answer("a2"))
  truncateSync(file, kept)
  await expect(turn.append(answer("a3"))).rejects.toEqual(new RetconError({ code: "overwritten", path: file }))
  expect(told(session)).toBe("p1 > a1")
  await expect(turn.append(answer("a4"))).rejects.toEqual(new RetconError({ code: "overwritten", path: file }))
  await turn.end()
  await session.append([prompt("p2"), answer("b1")])
  const left = statSync(file).size
  await session.append(answer("b2"))
  truncateSync(file, left)
  await session.append(answer("b3"))
  expect(told(session)).toBe("p1 > a1 > p2 > b1 > b3")
})

test("a prompt and the end of a step survive a power cut; what comes in between is written without sync", async () => {
  const { store, parts } = await newSession()
  const session = await createSession(store, { cwd: "/project", made: MADE }, { ...parts, durability: "sync" })
  const append = vi.spyOn(session.log, "append")
  const turn = await session.beginTurn()
  await turn.append(prompt("p1"))
  await turn.append(callsDraft("x"))
  await turn.append(resultsDraft("x"), { durable: true })
  await turn.append(answer("a1"), { durable: false })
  expect(append.mock.calls.map(([, { durability }]) => durability)).toEqual(["sync", "fast", "sync", "fast"])
})
