// One head per session: everyone who has it open is where the log ends, and asks from what they see.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { elsewhereWords } from "../../src/model/text/done-elsewhere.ts"
import { openSession, type Session } from "../../src/session/session.ts"
import type { SessionEvent } from "../../src/session/state/session-events.ts"
import { answer, makeStore, newSession, outcome, prompt, STORES, told } from "./new-session.ts"
import { Play } from "./play.ts"

type Changed = Extract<SessionEvent, { type: "changed" }>

async function threeRounds() {
  const made = await newSession("file", { via: "page" })
  for (const n of ["1", "2", "3"]) await made.session.append([prompt(`p${n}`), answer(`a${n}`)])
  const other = await openSession(made.store, made.session.id, { ...made.parts, via: "command-line" })
  const heard: Changed[] = []
  other.on((event) => event.type === "changed" && heard.push(event))
  return { ...made, other, heard }
}

test("whoever moves, everyone is there with the next thing they ask", async () => {
  const { session, other } = await threeRounds()
  await other.back()
  expect(await session.back()).toMatchObject({ outcome: "moved", prompt: { text: "p2" } })
  expect(told(session)).toBe("p1 > a1")
  await other.undo()
  await session.undo()
  expect(told(session)).toBe("p1 > a1 > p2 > a2 > p3 > a3")
  await other.back()
  await session.append([prompt("instead"), answer("ok")])
  expect(told(session)).toBe("p1 > a1 > p2 > a2 > instead > ok")
  await other.close()
})

test("a move from another head than the one that is shown is refused, with where the head is now and a plan from there", async () => {
  const { session, other } = await threeRounds()
  const shown = session.head
  await other.back()
  const refused = await session.back({ expects: shown })
  expect(refused).toMatchObject({
    outcome: "refused",
    failure: {
      code: "moved-elsewhere",
      head: other.head,
      did: { kind: "back", by: "person", via: "command-line", rounds: 1 },
    },
    plan: { outcome: "planned", kind: "back", prompt: { text: "p2" } },
  })
  expect(session.history.size).toBe(other.history.size)
  expect(await session.back({ expects: other.head })).toMatchObject({ outcome: "moved", prompt: { text: "p2" } })
  await other.close()
})

test.each(["undo", "redo", "goto", "restore"] as const)("so is %s", async (kind) => {
  const { session, other } = await threeRounds()
  await other.back()
  await other.undo()
  const shown = session.resolve("head~2")
  const options = { expects: shown }
  const make = { goto: () => session.goto("@1", options), restore: () => session.files.restore("@1", options) }
  const result = await (kind === "goto" || kind === "restore" ? make[kind]() : session[kind](options))
  expect(outcome(result)).toBe("moved-elsewhere")
  await other.close()
})

test("a turn that would continue elsewhere does not begin, and holds nothing", async () => {
  const { session, other } = await threeRounds()
  const shown = session.head
  await other.back()
  const refused = await session.beginTurn({ expects: shown }).catch((error: unknown) => error)
  expect(refused).toBeInstanceOf(RetconError)
  expect(refused).toMatchObject({ failure: { code: "moved-elsewhere", head: other.head } })
  expect(outcome(await other.back())).toBe("moved")
  const turn = await session.beginTurn({ expects: other.head })
  await turn.append(prompt("from there"))
  await turn.end()
  expect(told(session)).toBe("p1 > a1 > from there")
  await other.close()
})

test("nobody has to ask again because the agent went on in the round that they see", async () => {
  const { session, other } = await threeRounds()
  const turn = await session.beginTurn()
  const [asked = null] = await turn.append(prompt("p4"))
  await turn.append(answer("more"))
  await turn.end()
  expect(await other.back({ dryRun: true, expects: asked })).toMatchObject({
    outcome: "planned",
    prompt: { text: "p4" },
  })
  expect(outcome(await other.back({ dryRun: true, expects: session.resolve("@3") }))).toBe("moved-elsewhere")
  await other.close()
})

test("the empty conversation is as shown until somebody sends a prompt", async () => {
  const { session, store, parts } = await newSession("file")
  const other = await openSession(store, session.id, parts)
  const shell = { type: "message", role: "user", origin: "shell", content: [{ type: "text", text: "$ ls" }] } as const
  await other.append({ ...shell, content: [...shell.content] })
  const turn = await session.beginTurn({ expects: null })
  await turn.end()
  await other.append(prompt("p1"))
  await expect(session.beginTurn({ expects: null })).rejects.toMatchObject({ failure: { code: "moved-elsewhere" } })
  await other.close()
})

test("a running turn keeps its own place until it ends, whatever others append", async () => {
  const { session, store, parts } = await newSession("file")
  await session.append([prompt("p1"), answer("a1")])
  const stubborn = await openSession(store, session.id, { ...parts, head: "own" })
  const turn = await session.beginTurn()
  await turn.append(prompt("p2"))
  await stubborn.append(prompt("beside"))
  await turn.append(answer("a2"))
  expect(told(session)).toBe("p1 > a1 > p2 > a2")
  await stubborn.append(answer("later"))
  await turn.append(answer("a3"))
  expect(told(session)).toBe("p1 > a1 > p2 > a2 > a3")
  await turn.end()
  expect(told(session)).toBe("p1 > a1 > p2 > a2 > a3")
  await stubborn.close()
})

test("while another process runs a turn, nothing can be added in the middle of it", async () => {
  const { session, other } = await threeRounds()
  const turn = await session.beginTurn()
  await turn.append(prompt("p4"))
  await expect(other.append(prompt("in between"))).rejects.toMatchObject({ failure: { code: "session-busy" } })
  await turn.append(answer("a4"))
  await turn.end()
  await other.append(prompt("p5"))
  expect(told(other)).toBe("p1 > a1 > p2 > a2 > p3 > a3 > p4 > a4 > p5")
  await other.close()
})

test("listeners hear what was done, through what, and that their head followed", async () => {
  const { session, other, heard } = await threeRounds()
  const words = (event: Changed | undefined) => event?.did && elsewhereWords(event.did)
  const next = async (act: () => Promise<unknown>) => {
    heard.length = 0
    await act()
    other.log.refresh()
    other.mustBeAt(undefined)
    return heard.at(-1)
  }
  const back = await next(() => session.back({ rounds: 2 }))
  expect(back).toMatchObject({ apart: false, followed: true, head: session.head })
  expect(words(back)).toBe("The page went back 2 rounds")
  expect(words(await next(() => session.undo({ via: "voice" })))).toBe(
    "A spoken command undid the last step (2 rounds more now)",
  )
  expect(words(await next(() => session.goto("@2")))).toBe("The page went to another point of the conversation: “p1”")
  expect(words(await next(() => session.append(prompt("and now\nthis"))))).toBe("A prompt was sent: “and now this”")
  expect(await next(() => session.append(answer("an answer")))).toMatchObject({ followed: true, lines: 1 })
  expect(await next(() => session.label("head", "good"))).not.toHaveProperty("followed")
  await other.close()
})

type Act = { who: 0 | 1; do: "prompt" | "back" | "undo" | "redo" | "goto"; shown: boolean }

test.each(STORES)(
  "two who share a session undo through the same states, whoever did what, in a %s store",
  async (name) => {
    const anyAct: fc.Arbitrary<Act> = fc.record({
      who: fc.constantFrom(0, 1),
      do: fc.constantFrom("prompt", "back", "undo", "redo", "goto"),
      shown: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(fc.array(anyAct, { minLength: 2, maxLength: 25 }), async (acts) => {
        const { store, remove } = makeStore(name)
        const { session: first, parts } = await Play.begin(store)
        const second = await openSession(store, first.id, parts)
        const both = [first, second] as const
        const states = new Set<string | null>([null])
        try {
          for (const [n, act] of acts.entries()) {
            const session = both[act.who]
            const before = session.head
            const result = await make(session, act, n)
            for (const each of both) each.log.refresh()
            expect(first.head).toBe(second.head)
            if (result === "moved-elsewhere") expect(before).not.toBe(session.head)
            states.add(first.head)
          }
          while (outcome(await both[1].undo()) === "moved") expect(states).toContain(second.head)
          first.log.refresh()
          expect(first.head).toBe(second.head)
        } finally {
          for (const session of both) await session.close()
          remove()
        }
      }),
      { numRuns: name === "file" ? 25 : 60 },
    )
  },
)

async function make(session: Session, act: Act, n: number): Promise<string> {
  const options = act.shown ? { expects: session.head } : {}
  if (act.do === "goto") return outcome(await session.goto(n % 3 === 0 ? null : "head~1", options))
  if (act.do !== "prompt") return outcome(await session[act.do](options))
  await session.append([prompt(`p${n}`), answer(`a${n}`)])
  return "appended"
}
