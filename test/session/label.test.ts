import { describe, expect, test, vi } from "vitest"
import { KIND } from "../../src/model/record/record.ts"
import { openSession } from "../../src/session/session.ts"
import { answer, lines, newSession, outcome, prompt } from "./new-session.ts"

async function round() {
  const made = await newSession()
  await made.session.append([prompt("p1"), answer("a1")])
  return made
}

describe("a label", () => {
  test("is a way to an entry, from any branch and after reopening", async () => {
    const { session, store, parts } = await round()
    const entry = await session.label("head", "  good ")
    await session.goto("@1")
    await session.append(prompt("q1"))
    const reopened = await openSession(store, session.id, parts)
    expect(reopened.resolve("good")).toBe(entry)
    expect(outcome(await reopened.goto("good"))).toBe("moved")
    expect(reopened.head).toBe(entry)
    await reopened.close()
  })

  test.each(["head", "head~3", "@7", "start", "\u200b", "x".repeat(81), "01890000-0000-7000-8000-000000ABCDEF"])(
    "%j is refused and writes nothing",
    async (name) => {
      const { session } = await round()
      const before = lines(session)
      await expect(session.label("head", name)).rejects.toMatchObject({ code: "invalid" })
      expect(lines(session)).toEqual(before)
    },
  )

  test("that reads as the end of an entry's id is refused; other words in hexadecimal are not", async () => {
    const { session } = await round()
    const end = session.head?.slice(-6) ?? ""
    for (const name of [end, end.toUpperCase(), session.head?.slice(-9) ?? ""]) {
      await expect(session.label("@1", name)).rejects.toMatchObject({ code: "invalid" })
    }
    const entry = await session.label("@1", "facade")
    expect(session.resolve("facade")).toBe(entry)
  })

  test("names one entry: given to another, it moves in the same write", async () => {
    const { session } = await round()
    await session.label("@1", "Foo")
    const before = lines(session).length
    const entry = await session.label("head", "Foo")
    expect([...session.labels()]).toEqual([[entry, "Foo"]])
    expect(lines(session).length).toBe(before + 2)
    expect(session.resolve("Foo")).toBe(entry)
  })

  test("is stored as it can be typed: composed, on one line, without invisible characters", async () => {
    const { session } = await round()
    const entry = await session.label("head", "cafe\u0301\n\u202eau\u200b\u0007 lait")
    expect([...session.labels().values()]).toEqual(["café au lait"])
    for (const typed of ["café au lait", "cafe\u0301 au lait"]) expect(session.resolve(typed)).toBe(entry)
  })

  test("may have 80 characters", async () => {
    const { session } = await round()
    const entry = await session.label("head", "x".repeat(80))
    expect(session.resolve("x".repeat(80))).toBe(entry)
  })

  test("that another process set is known at once", async () => {
    const { session, store, parts } = await round()
    const other = await openSession(store, session.id, parts)
    const [entry] = await other.append(prompt("theirs"))
    await other.label("head", "theirs")
    expect(session.resolve("theirs")).toBe(entry)
    await other.close()
  })

  test("is nothing to undo, and an undo does not remove it", async () => {
    const { session } = await round()
    await session.label("head", "good")
    await session.undo()
    expect([session.head, [...session.labels().values()]]).toEqual([null, ["good"]])
  })
})

test("a title set elsewhere and a mode set here both stay", async () => {
  const { session, store, parts } = await round()
  const other = await openSession(store, session.id, parts)
  await other.configure("title", "Theirs")
  await session.configure("mode", "ask")
  other.log.refresh()
  for (const each of [session, other]) {
    expect(Object.fromEntries(each.config())).toEqual({ title: "Theirs", mode: "ask" })
  }
  await other.close()
})

test("two new sessions share no setting", async () => {
  const [{ session: one }, { session: two }] = [await round(), await round()]
  await one.configure("allow", ["bash"])
  expect(two.config().size).toBe(0)
})

test("one more label costs one more to read, however many there are", async () => {
  const { session } = await newSession()
  const ids = await session.append(Array.from({ length: 40 }, (_, n) => prompt(`${n}`)))
  for (const [n, id] of ids.slice(1).entries()) await session.label(id, `name-${n}`)
  expect(session.labels().size).toBe(39)
  const read = vi.spyOn(session.history, "record")
  await session.label(ids[0] ?? "", "one-more")
  expect(session.labels().size).toBe(40)
  const labels = read.mock.calls.filter(([row]) => session.history.kind(row) === KIND.label)
  expect(labels).toHaveLength(1)
})
