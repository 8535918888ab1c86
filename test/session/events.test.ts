import { expect, test, vi } from "vitest"
import { openSession, type Session } from "../../src/session/session.ts"
import type { SessionEvent } from "../../src/session/state/session-events.ts"
import { answer, callsDraft, newSession, prompt, told } from "./new-session.ts"

function hear(session: Session): SessionEvent[] {
  const heard: SessionEvent[] = []
  session.on((event) => heard.push(event))
  return heard
}

test("each change is reported once, after it can be seen", async () => {
  const { session } = await newSession()
  const seen: (string | null)[] = []
  session.on(() => seen.push(session.head))
  const heard = hear(session)
  const [first = "", second = ""] = await session.append([prompt("p1"), answer("a1")])
  await session.label("head", "good")
  await session.configure("title", "t")
  await session.undo()
  expect(heard.map(({ type }) => type)).toEqual(["appended", "labelled", "configured", "moved"])
  expect(heard[0]).toEqual({ type: "appended", entries: [first, second] })
  expect(heard[3]).toMatchObject({ kind: "undo", by: "person", from: second, to: null, prompt: first })
  expect(seen).toEqual([second, second, second, null])
})

test("what a stopped turn left open is reported as appended, before the move", async () => {
  const { session } = await newSession()
  const turn = await session.beginTurn()
  await turn.append([prompt("p1"), callsDraft("x")])
  const heard = hear(session)
  await session.goto("@1")
  expect(heard.map(({ type }) => type)).toEqual(["turn-stopped", "appended", "moved"])
  expect(heard[0]).toEqual({ type: "turn-stopped", epoch: turn.epoch })
})

test("nothing is reported for what was refused or only planned", async () => {
  const { session } = await newSession()
  const heard = hear(session)
  await session.undo()
  await session.back({ dryRun: true })
  expect(heard).toEqual([])
})

test("what someone else appends in the same moment is reported as well", async () => {
  const { session, store, parts } = await newSession("file", { head: "own" })
  await session.append(prompt("p1"))
  const other = await openSession(store, session.id, parts)
  const append = session.log.append.bind(session.log)
  vi.spyOn(session.log, "append").mockImplementationOnce(async (records, options) => {
    await other.append(answer("theirs"))
    return await append(records, options)
  })
  const heard = hear(session)
  await session.append(answer("ours"))
  expect(heard.filter(({ type }) => type === "changed")).toMatchObject([{ lines: 1, apart: true }])
  expect(told(session)).toBe("p1 > ours")
  await other.close()
})

test("someone else's appends are reported, and a head of our own stays until we follow", async () => {
  const { session, store, parts } = await newSession("memory", { head: "own" })
  await session.append(prompt("p1"))
  const other = await openSession(store, session.id, parts)
  await other.append(answer("theirs"))
  const heard: SessionEvent[] = []
  const stop = session.on((event) => heard.push(event))
  await session.append(answer("ours"))
  expect(heard.filter(({ type }) => type === "changed")).toMatchObject([{ lines: 1, apart: true }])
  expect(told(session)).toBe("p1 > ours")
  expect(session.history.tips()).toHaveLength(2)
  await other.append(answer("again"))
  session.log.refresh()
  session.follow()
  expect(told(session)).toBe("p1 > theirs > again")
  stop()
  heard.length = 0
  await session.append(prompt("p2"))
  expect(heard).toEqual([])
  await other.close()
})
