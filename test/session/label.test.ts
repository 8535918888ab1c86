import { describe, expect, test } from "vitest"
import { openSession } from "../../src/session/session.ts"
import { answer, lines, newSession, outcome, prompt } from "./desk.ts"

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

  test.each(["head", "head~3", "@7", "a\nb", "a\u0007", "x".repeat(81)])(
    "%j is refused and writes nothing",
    async (name) => {
      const { session } = await round()
      const before = lines(session)
      await expect(session.label("head", name)).rejects.toMatchObject({ code: "invalid" })
      expect(lines(session)).toEqual(before)
    },
  )

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
