import { describe, expect, test } from "vitest"
import { contextAt } from "../../src/history/context/context.ts"
import { contextTokens } from "../../src/history/plan/describe.ts"
import { path } from "../../src/history/tree/tree.ts"
import { textTokens } from "../../src/model/tokens.ts"
import { openSession, type Session } from "../../src/session/session.ts"
import {
  answer,
  callsDraft,
  lines,
  newSession,
  outcome,
  prompt,
  resultsDraft,
  stateDraft,
  told,
} from "./new-session.ts"

/** Three rounds. */
async function rounds() {
  const made = await newSession()
  await made.session.append([prompt("p1"), answer("a1")])
  await made.session.append([prompt("p2"), answer("a2")])
  await made.session.append([prompt("p3"), answer("a3")])
  return made
}

describe("a move that is refused writes nothing and leaves everything as it was", () => {
  test.each([0, -1, 1.5, Number.NaN, 1e20])("back %d", async (rounds_) => {
    const { session } = await rounds()
    const before = [lines(session), told(session)]
    expect(outcome(await session.back({ rounds: rounds_ }))).toBe("invalid")
    expect([lines(session), told(session)]).toEqual(before)
  })

  test("back 99 says how many rounds there are", async () => {
    const { session } = await rounds()
    const before = lines(session)
    expect(await session.back({ rounds: 99 })).toEqual({
      outcome: "refused",
      failure: { code: "too-few-rounds", asked: 99, possible: 2 },
    })
    expect(lines(session)).toEqual(before)
  })

  test("back in the first round", async () => {
    const { session } = await newSession()
    await session.append([prompt("p1"), answer("a1")])
    const before = lines(session)
    expect(outcome(await session.back())).toBe("at-start")
    expect(lines(session)).toEqual(before)
  })

  test("goto an entry that does not exist, undo and redo of nothing, retract of nothing", async () => {
    const { session } = await newSession()
    const before = lines(session)
    const refused = [await session.goto("@1"), await session.undo(), await session.redo(), await session.retract()]
    expect(refused.map(outcome)).toEqual(["not-found", "nothing-to-undo", "nothing-to-redo", "at-start"])
    expect(lines(session)).toEqual(before)
  })

  test("goto where the head already is is not a move", async () => {
    const { session } = await rounds()
    const before = lines(session)
    expect(outcome(await session.goto("head"))).toBe("unchanged")
    expect(lines(session)).toEqual(before)
  })
})

describe("a dry run", () => {
  test("says what the move then does, and writes nothing", async () => {
    const { session } = await rounds()
    const before = lines(session)
    const planned = await session.back({ rounds: 2, dryRun: true })
    expect(lines(session)).toEqual(before)
    const moved = await session.back({ rounds: 2 })
    if (planned.outcome === "refused" || moved.outcome === "refused") throw new Error("refused")
    const { cost, modes, ...rest } = planned
    expect({ ...rest, outcome: "moved", operation: moved.operation }).toEqual(moved)
    expect(cost).toMatchObject({ cached: 2, againTokens: 0 })
    const why = "no snapshots are taken here"
    expect(modes).toEqual({ conversation: null, files: why, both: why })
    expect(moved).toMatchObject({ left: 4, messages: 4, prompt: { text: "p2" } })
  })

  test("counts what would be sent again", async () => {
    const { session } = await rounds()
    await session.goto("@3", { summary: "other" })
    const id = session.head ?? ""
    await session.undo()
    await session.back()
    const shared = contextTokens(session.history, session.headRow)
    expect(await session.goto(id, { dryRun: true })).toMatchObject({
      cost: { cached: 4, cachedTokens: shared, againTokens: textTokens("other") },
    })
  })
})

describe("going back", () => {
  test("gives the text that the person typed, not what it was expanded to", async () => {
    const { session } = await rounds()
    await session.append([prompt("a very long paste", { display: "[paste 1]" }), answer("a4")])
    expect(await session.back()).toMatchObject({ prompt: { text: "[paste 1]" } })
  })

  test("counts prompts alone: reminders, notifications, hooks, retries, shell output and steering start no round", async () => {
    const { session } = await rounds()
    for (const origin of ["injection", "notification", "hook", "retry", "shell", "steer", "skill", "task"] as const) {
      await session.append(prompt(`by ${origin}`, { origin }))
    }
    expect(await session.back()).toMatchObject({ outcome: "moved", prompt: { text: "p3" } })
    expect(told(session)).toBe("p1 > a1 > p2 > a2")
  })

  test("brings back what the state was, and the context that the model had", async () => {
    const { session } = await newSession()
    await session.append([stateDraft("system", "one"), prompt("p1"), stateDraft("todos", "write"), answer("a1")])
    const context = JSON.stringify(session.context())
    await session.append([prompt("p2"), stateDraft("todos", "test"), stateDraft("system", "two"), answer("a2")])
    await session.back()
    expect([session.state("todos"), session.state("system")]).toEqual(["write", "one"])
    expect(JSON.stringify(session.context())).toBe(context)
  })

  test("beyond a compaction is possible, and undo does not stop at one", async () => {
    const { session } = await rounds()
    const whole = session.context()
    await session.compact({ summarise: () => "all of it" })
    await session.append([prompt("p4"), answer("a4")])
    expect(outcome(await session.back({ rounds: 3 }))).toBe("moved")
    expect(told(session)).toBe("p1 > a1")
    for (const expected of ["p4 > a4", "compaction", "a3", "a2"]) {
      await session.undo()
      expect(told(session).endsWith(expected)).toBe(true)
      if (expected === "a3") expect(session.context()).toEqual(whole)
    }
  })

  test("to the first prompt empties the conversation, the model sees nothing, and the next prompt is a root", async () => {
    const { session, store, parts } = await rounds()
    expect(await session.goto("@1")).toMatchObject({ head: null, prompt: { text: "p1" } })
    expect(session.context()).toEqual([])
    const reopened = await openSession(store, session.id, parts)
    expect([reopened.head, reopened.context()]).toEqual([null, []])
    await reopened.append(prompt("q1"))
    expect(told(reopened)).toBe("q1")
    expect(reopened.history.tips()).toHaveLength(2)
    await reopened.close()
  })

  test("and quitting before anything is sent: the head is where it was", async () => {
    const { session, store, parts } = await rounds()
    await session.back({ rounds: 2 })
    await session.close()
    const reopened = await openSession(store, session.id, parts)
    expect(told(reopened)).toBe("p1 > a1")
    await reopened.close()
  })

  test("a shell command after it continues there, not at the old end", async () => {
    const { session } = await rounds()
    await session.back({ rounds: 2 })
    await session.append(prompt("!ls", { origin: "shell" }))
    expect(told(session)).toBe("p1 > a1 > !ls")
  })
})

describe("undo and redo", () => {
  test("requested at once run one after the other", async () => {
    const { session } = await rounds()
    const results = await Promise.all([session.undo(), session.undo(), session.undo(), session.undo()])
    expect(results.map(outcome)).toEqual(["moved", "moved", "moved", "nothing-to-undo"])
    expect(told(session)).toBe("")
    await Promise.all([session.redo(), session.redo()])
    expect(told(session)).toBe("p1 > a1 > p2 > a2")
  })

  test("during a turn stop it first, and settle what it left open", async () => {
    const { session } = await rounds()
    const turn = await session.beginTurn()
    await turn.append([prompt("p4"), callsDraft("x")])
    expect(await session.undo()).toMatchObject({ outcome: "moved", prompt: { text: "p4" } })
    expect([told(session), turn.isOver()]).toEqual(["p1 > a1 > p2 > a2 > p3 > a3", true])
    await session.redo()
    expect(told(session).endsWith("p4 > tool-call x > tool-result x")).toBe(true)
  })

  test("a prompt with the skills and reminders bundled with it is one unit", async () => {
    const { session } = await rounds()
    await session.append([
      prompt("p4"),
      prompt("skill", { origin: "skill" }),
      prompt("reminder", { origin: "injection" }),
    ])
    await session.append(answer("a4"))
    await session.undo()
    expect(told(session).endsWith("a3")).toBe(true)
  })

  test("times and ids are not rolled back: what is appended after an undo is newer than what was undone", async () => {
    const { session } = await rounds()
    const undone = session.head ?? ""
    await session.undo()
    const [id = ""] = await session.append(prompt("p4"))
    expect(id > undone).toBe(true)
  })

  test("the list of prompts and the context agree after every step", async () => {
    const { session } = await rounds()
    await session.compact({ summarise: () => "sum" })
    for (const step of ["undo", "undo", "undo", "redo", "redo", "redo"] as const) {
      await session[step]()
      const users = path(session.history, session.headRow).filter((row) => session.history.isPrompt(row)).length
      expect(users).toBe(session.history.round(session.headRow))
      expect(session.context()).toEqual(contextAt(session.history, session.headRow))
    }
  })
})

describe("retract", () => {
  test("withdraws the prompt, live and after reopening; the text is there to be sent again", async () => {
    const { session, store, parts } = await rounds()
    const turn = await session.beginTurn()
    await turn.append(prompt("p4"))
    expect(await session.retract()).toMatchObject({ outcome: "moved", prompt: { text: "p4" }, left: 1 })
    expect(told(session).endsWith("a3")).toBe(true)
    const reopened = await openSession(store, session.id, parts)
    expect(told(reopened).endsWith("a3")).toBe(true)
    expect(outcome(await reopened.undo())).toBe("moved")
    expect(told(reopened).endsWith("p4")).toBe(true)
    await reopened.close()
  })

  test("keeps what else was recorded beside the tree", async () => {
    const { session } = await rounds()
    await session.append(prompt("p4"))
    await session.label("head", "asked")
    await session.configure("title", "Mine")
    await session.retract()
    expect([session.labels().size, session.config().get("title")]).toEqual([1, "Mine"])
  })

  test("of a prompt with an image gives the image back through its entry", async () => {
    const { session } = await rounds()
    const image = { type: "image" as const, mediaType: "image/png", data: "aGk=" }
    await session.append(prompt("see", { content: [{ type: "text", text: "see" }, image] }))
    const result = await session.retract()
    const id = result.outcome === "moved" ? (result.prompt?.id ?? "") : ""
    expect(session.history.record(session.history.rowOf(id))).toMatchObject({ content: [{ text: "see" }, image] })
    await session.undo()
    expect(told(session).endsWith("see")).toBe(true)
  })

  test("of one prompt leaves the answer of the round before alone", async () => {
    const { session } = await rounds()
    await session.append([prompt("p4"), callsDraft("x"), resultsDraft("x")])
    await session.retract()
    await session.append(prompt("p5"))
    expect(told(session)).toBe("p1 > a1 > p2 > a2 > p3 > a3 > p5")
  })
})

test("goto with a summary leaves it for the model as a note, and one undo takes both back", async () => {
  const { session } = await rounds()
  const result = await session.goto("@2", { summary: "B does not work." })
  expect(result).toMatchObject({ outcome: "moved", prompt: { text: "p2" } })
  expect(told(session)).toBe("p1 > a1 > note")
  expect(JSON.stringify(session.context())).toContain("<note>\\nB does not work.\\n</note>")
  expect(session.history.record(session.headRow)).toMatchObject({ discards: 4, text: "B does not work." })
  await session.undo()
  expect(told(session)).toBe("p1 > a1 > p2 > a2 > p3 > a3")
})

describe("redo gives back the prompt that the move gave back", () => {
  test.each([
    ["back", (session: Session) => session.back({ rounds: 2 })],
    ["goto a prompt", (session: Session) => session.goto("@2")],
    ["retract", (session: Session) => session.retract()],
  ])("%s", async (_, move) => {
    const { session, store, parts } = await rounds()
    const made = await move(session)
    await session.undo()
    const planned = await session.redo({ dryRun: true })
    const reopened = await openSession(store, session.id, parts)
    const redone = await reopened.redo()
    const prompt = made.outcome === "refused" ? undefined : made.prompt
    expect(prompt).not.toBeNull()
    expect([planned, redone]).toMatchObject([{ prompt }, { prompt }])
    await reopened.undo()
    expect(await reopened.redo()).toMatchObject({ prompt })
    await reopened.close()
  })

  test("of another branch too, and none for a move that gave none", async () => {
    const { session } = await rounds()
    const left = session.resolve("@3")
    await session.back()
    await session.append([prompt("p4"), answer("a4")])
    expect(await session.goto(left)).toMatchObject({ prompt: { id: left, text: "p3" } })
    await session.undo()
    expect(await session.redo()).toMatchObject({ prompt: { id: left, text: "p3" } })
    await session.goto("head~1")
    await session.undo()
    expect(await session.redo()).toMatchObject({ prompt: null })
    await session.append([prompt("p5"), answer("a5")])
    await session.undo()
    expect(await session.redo()).toMatchObject({ prompt: null })
  })
})

test("goto head~N is N rounds back, also where that round is a prompt without an answer", async () => {
  const { session } = await newSession()
  await session.append(prompt("p1"))
  await session.append([prompt("p2"), answer("a2")])
  expect(await session.goto("head~1", { dryRun: true })).toMatchObject({ left: 2, prompt: null })
  const back = await session.back({ dryRun: true })
  const gone = await session.goto("head~1")
  expect(gone).toMatchObject({ left: 2, head: back.outcome === "refused" ? undefined : back.head })
  expect(told(session)).toBe("p1")
})
