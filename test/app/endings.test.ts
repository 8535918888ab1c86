// How answers end that are no plain answers: each is told as what it is, and only what may go better is tried again.
import { describe, expect, test } from "vitest"
import type { HostEvent } from "../../src/protocol/event.ts"
import { VENDORS, type Vendor } from "../provider/fakes/vendors.ts"
import { wireHost } from "./wire.ts"

const noticesOf = (events: HostEvent[]) => events.flatMap((event) => (event.type === "notice" ? [event.text] : []))

const REFUSALS = [
  ["anthropic", "refusal"],
  ["openai", "content_filter"],
  ["google", "SAFETY"],
] as const

test.each(REFUSALS)("%s: an answer that is refused is reported as that, and requested once", async (name, finish) => {
  const at = await wireHost(VENDORS[name])
  const { session } = await at.open()
  at.say({ finish })
  expect(await session.send({ text: "do it" })).toMatchObject({
    outcome: "failed",
    message: expect.stringContaining("refused to answer"),
    advice: expect.arrayContaining([{ do: "back" }]),
  })
  expect(at.server.requests).toHaveLength(1)
})

test.each(REFUSALS)("%s: an answer that is broken off by a refusal says so", async (name, finish) => {
  const at = await wireHost(VENDORS[name])
  const { session, events } = await at.open()
  at.say({ text: "so far", finish })
  await session.send({ text: "do it" })
  expect(noticesOf(events).join()).toContain("refused to continue")
})

test.each([
  ["bound", "max_tokens"],
  ["deepseek", "length"],
  ["google", "MAX_TOKENS"],
] as const)(
  "%s: an answer that was all thinking is reported as that, and the conversation continues",
  async (name, finish) => {
    const at = await wireHost(VENDORS[name])
    const { session } = await at.open()
    at.say({ reasoning: "on the one hand", finish })
    expect(await session.send({ text: "think" })).toMatchObject({
      outcome: "failed",
      message: expect.stringContaining("on thinking"),
      advice: expect.arrayContaining([{ do: "think", level: "low" }]),
    })
    expect(at.server.requests).toHaveLength(1)
    at.say({ text: "ok" })
    expect(await session.send({ text: "a smaller step" })).toMatchObject({ outcome: "done" })
    expect(at.server.refused).toEqual([])
  },
)

describe.each([
  ["with Backtrack", true],
  ["without Backtrack", false],
] as const)("%s", (_, backtrack) => {
  test.each(["anthropic", "bound"] as const)(
    "%s: an answer that fills the window is followed by a compaction",
    async (name) => {
      const vendor: Vendor = VENDORS[name]
      const at = await wireHost(vendor, { backtrack })
      const { session, events } = await at.open()
      at.say({ text: "One." }, { text: "Two." }, { text: "Three." })
      for (const text of ["one", "two", "three"]) await session.send({ text: `${text} ${"words ".repeat(3_000)}` })
      at.say(
        { text: "so far", finish: "model_context_window_exceeded" },
        { text: "## Goal\nAll of it." },
        { text: "Done." },
      )
      expect(await session.send({ text: "go" })).toMatchObject({ outcome: "done" })
      expect(events.map(({ type }) => type)).toContain("compaction-end")
      expect(noticesOf(events).join()).not.toContain("the most that the model writes at once")
      expect(at.server.refused).toEqual([])
    },
  )
})
