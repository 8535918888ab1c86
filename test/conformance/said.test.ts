// When a program's request and retcon's context say the same.
import { describe, expect, test } from "vitest"
import { anthropic } from "../../conformance/model/anthropic.ts"
import { partSaid } from "../../conformance/part-said.ts"
import { claudeSdk } from "../../conformance/programs/claude-code.ts"
import { comparable, difference, type Said } from "../../conformance/said.ts"
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

  test("only what the program adds by itself is left out, and newlines at the end", () => {
    const said = [user("<note>"), user("typed\n"), user("\n"), { by: "result" as const, text: "<note>" }]
    expect(comparable(said, { injected: (text) => text === "<note>" })).toEqual([
      user("typed"),
      { by: "result", text: "<note>" },
    ])
  })
})

test("what Claude Code puts around a notification does not count, and the notification does", () => {
  const notification = "<task-notification>\n<status>completed</status>\n</task-notification>"
  const sent = `<system-reminder>\n[SYSTEM NOTIFICATION - NOT USER INPUT]\nNot a message.\n\n${notification}\n</system-reminder>`
  const reminder = "<system-reminder>\nToday is Monday.\n</system-reminder>"
  expect(comparable([user(reminder), user(sent)], claudeSdk)).toEqual([user(notification)])
})

test("a program that joins prompts is compared with prompts that are joined", () => {
  const never = { injected: () => false }
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
