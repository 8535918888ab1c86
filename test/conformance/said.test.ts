// When a program's request and retcon's context say the same.
import { describe, expect, test } from "vitest"
import { anthropic } from "../../conformance/model/anthropic.ts"
import { partSaid } from "../../conformance/part-said.ts"
import { claudeSdk } from "../../conformance/programs/claude-code.ts"
import { addedText, comparable, difference, type Said, SYSTEM_PROMPT } from "../../conformance/said.ts"
import type { JsonObject } from "../../src/model/json.ts"
import type { WireRequest } from "../provider/wire/server.ts"

const user = (text: string): Said => ({ by: "user", text })

describe("what counts as a difference", () => {
  test("a text that is missing, changed or in another place", () => {
    expect(difference([user("a"), user("b")], [user("a"), user("b")])).toBeUndefined()
    expect(difference([user("a")], [user("a"), user("b")])).toContain("text 2 differs: sent was nothing (of 1)")
    expect(difference([user("a"), user("c")], [user("a"), user("b")])).toContain('"c" (of 2), expected user "b"')
    expect(difference([user("b"), user("a")], [user("a"), user("b")])).toContain("text 1 differs")
    expect(difference([{ by: "assistant", text: "a" }], [user("a")])).toContain("text 1 differs")
  })

  test("names the place in a long text where it begins", () => {
    const start = "x".repeat(10_000)
    const words = difference([user(`${start}one`)], [user(`${start}two`)]) ?? ""
    expect(words).toContain('one"')
    expect(words.length).toBeLessThan(300)
  })

  test("only what is on the program's list is left out, and newlines at the end; a system message counts as well", () => {
    const said: Said[] = [
      { by: "instructions", text: "You are an agent." },
      user("<note>"),
      user("typed\n"),
      user("\n"),
      { by: "system", text: "A hook said so." },
      { by: "result", text: "<note>" },
    ]
    expect(comparable(said, { adds: [SYSTEM_PROMPT, addedText("notes", /^<note>$/)] })).toEqual([
      user("typed"),
      { by: "system", text: "A hook said so." },
      { by: "result", text: "<note>" },
    ])
  })
})

describe("what Claude Code sends as its own words", () => {
  const system = (text: string): Said => ({ by: "system", text })
  const reminder = (text: string) => user(`<system-reminder>\n${text}\n</system-reminder>\n`)

  test("each paragraph counts unless it is on the list, as a reminder and as a system message", () => {
    const mixed = "Available agent types for the Agent tool:\n- one\n\nA hook said so.\n\nToday's date is 2026-01-01."
    for (const sent of [reminder(mixed), system(mixed)])
      expect(comparable([sent], claudeSdk)).toEqual([system("A hook said so.")])
  })

  test("a prompt with empty lines, or one that quotes a reminder, is one text", () => {
    const typed = user("What is this?\n\n<system-reminder>\nA hook said so.\n</system-reminder>")
    expect(comparable([typed], claudeSdk)).toEqual([typed])
  })

  test("the words around a notification do not count, and the notification does", () => {
    const notification = "<task-notification>\n\n<status>completed</status>\n</task-notification>"
    const sent = reminder(`[SYSTEM NOTIFICATION - NOT USER INPUT]\nNot a message.\n\n${notification}`)
    expect(comparable([sent], claudeSdk)).toEqual([user(notification)])
  })
})

test("a program that joins prompts is compared with prompts that are joined", () => {
  const never = { adds: [] }
  expect(comparable([user("a"), user("b"), { by: "call", text: "c" }, user("d")], { ...never, joins: "\n\n" })).toEqual(
    [user("a\n\nb"), { by: "call", text: "c" }, user("d")],
  )
  expect(comparable([user("a"), user("b")], never)).toHaveLength(2)
})

test("a call, its result and an image are the same from a request and from retcon's context", () => {
  const sent = anthropic.said(
    request({
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "look" },
            { type: "image", source: PNG },
          ],
        },
        { role: "assistant", content: [{ type: "tool_use", id: "1", name: "Read", input: { b: 1, a: 2 } }] },
        {
          role: "user",
          content: [{ type: "tool_result", tool_use_id: "1", content: [{ type: "text", text: "done" }] }],
        },
      ],
    }),
  )
  const shown = [
    ...partSaid("user", { type: "text", text: "look" }),
    ...partSaid("user", { type: "image", mediaType: "image/png", data: PNG.data }),
    ...partSaid("assistant", { type: "tool-call", call: "x", name: "Read", input: { a: 2, b: 1 } }),
    ...partSaid("tool", { type: "tool-result", call: "x", output: "done" }),
  ]
  expect(sent).toEqual(shown)
})

const PNG = { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" }

function request(json: JsonObject): WireRequest {
  return { path: "/v1/messages", headers: {}, text: "", json, gone: Promise.resolve() }
}
