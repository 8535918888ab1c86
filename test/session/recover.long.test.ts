import { appendFileSync, readFileSync, truncateSync } from "node:fs"
import { expect, test } from "vitest"
import { openSession } from "../../src/session/session.ts"
import { answer, checkpointDraft, lines, newSession, outcome, prompt, stateDraft, told } from "./new-session.ts"

test("written, closed and reopened: same path, context, system prompt and next checkpoint", async () => {
  const { session, store, parts } = await newSession("file")
  await session.append([stateDraft("system", "Be kind."), prompt("p1"), checkpointDraft(session), answer("a1")])
  const before = [told(session), session.context(), session.nextCheckpoint()]
  await session.close()
  const reopened = await openSession(store, session.id, parts)
  expect([told(reopened), reopened.context(), reopened.nextCheckpoint()]).toEqual(before)
  await reopened.close()
})

test("a log cut at any byte of its last record opens with everything before it, and continues on a new line", async () => {
  const { session, store, parts } = await newSession("file")
  await session.append([prompt("p1"), answer("a1")])
  const file = session.log.file ?? ""
  const whole = readFileSync(file).length
  await session.append(prompt("ä😀 torn"))
  const bytes = readFileSync(file)
  await session.close()
  for (let cut = whole; cut < bytes.length - 1; cut++) {
    truncateSync(file, whole)
    appendFileSync(file, bytes.subarray(whole, cut))
    const opened = await openSession(store, session.id, parts)
    expect(told(opened)).toBe("p1 > a1")
    await opened.append(prompt("p2"))
    await opened.close()
    const again = await openSession(store, session.id, parts)
    expect(told(again)).toBe("p1 > a1 > p2")
    await again.close()
  }
})

test("a line that was cut off, or that cannot be read, is named by its number", async () => {
  const { session, store, parts } = await newSession("file")
  await session.append([prompt("p1"), answer("a1")])
  await session.close()
  appendFileSync(session.log.file ?? "", 'broken\n{"id":"to')
  const reopened = await openSession(store, session.id, parts)
  expect(reopened.damage()).toEqual([
    { line: 4, problem: expect.any(String) },
    { line: 5, problem: "it was cut off" },
  ])
  await reopened.close()
})

test("a malformed line in the middle does not keep a backtrack from finding its checkpoint", async () => {
  const { session, store, parts } = await newSession("file")
  await session.append([prompt("p1"), checkpointDraft(session)])
  appendFileSync(session.log.file ?? "", '{"id":"torn\n')
  await session.append([answer("a1"), checkpointDraft(session)])
  await session.close()
  const reopened = await openSession(store, session.id, parts)
  expect(outcome(await reopened.backtrack({ checkpoint: 0, note: "n" }))).toBe("moved")
  expect(told(reopened)).toBe("p1 > checkpoint 0 > note")
  await reopened.close()
})

test("a record that is JSON and of a wrong shape, and one of a newer version, change nothing and stay", async () => {
  const { session, store, parts } = await newSession("file")
  await session.append([prompt("p1"), answer("a1")])
  const id = parts.ids.record()
  const strange = [
    `{"id":"${id}","type":"message","parent":"${session.head}","role":7,"origin":"prompt","at":"","content":[]}`,
    `{"id":"${parts.ids.record()}","type":"hologram","at":"2030-01-01T00:00:00.000Z","hue":3}`,
  ]
  appendFileSync(session.log.file ?? "", `${strange.join("\n")}\n`)
  await session.append(prompt("p2"))
  await session.close()
  const reopened = await openSession(store, session.id, parts)
  expect(told(reopened)).toBe("p1 > a1 > p2")
  expect(lines(reopened).filter((line) => strange.includes(line))).toEqual(strange)
  expect(reopened.log.problem(3)).toContain('"role"')
  await reopened.close()
})

test("a message whose role is not known keeps its place, so that what continues it is not cut off", async () => {
  const { session, store, parts } = await newSession("file")
  await session.append([prompt("p1"), answer("a1")])
  const id = parts.ids.record()
  const strange = `{"id":"${id}","type":"message","parent":"${session.head}","role":"king","origin":"agent","at":"","content":[]}`
  appendFileSync(session.log.file ?? "", `${strange}\n`)
  session.log.refresh()
  session.follow()
  await session.append(prompt("p2"))
  await session.close()
  const reopened = await openSession(store, session.id, parts)
  expect(told(reopened)).toBe("p1 > a1 > unknown-entry > p2")
  expect(reopened.context().map(({ role }) => role)).toEqual(["user", "assistant", "user"])
  await reopened.close()
})

test("many appends asked for at once all reach the log, in the order they were asked for", async () => {
  const { session } = await newSession("file")
  const wanted = Array.from({ length: 200 }, (_, n) => `p${n}`)
  await Promise.all(wanted.map((text) => session.append(prompt(text))))
  expect(told(session)).toBe(wanted.join(" > "))
})

test("a session that has only its header opens as an empty conversation", async () => {
  const { session, store, parts } = await newSession("file")
  await session.close()
  const reopened = await openSession(store, session.id, parts)
  expect([reopened.head, reopened.context(), reopened.history.tips()]).toEqual([null, [], []])
  expect(outcome(await reopened.back())).toBe("at-start")
  await reopened.close()
})
