// A conversation as text for its summary: what is shortened first, and when there is more than one piece.
import { expect, test } from "vitest"
import type { ContextMessage } from "../../src/history/context/message.ts"
import { pieces, toTokens, transcript } from "../../src/runner/window/conversation-text.ts"

const tokens = (text: string) => text.length
const said = (size: number) => ({ text: "s".repeat(size), result: false })
const printed = (size: number) => ({ text: "r".repeat(size), result: true })
const sizes = (all: string[]) => all.map((piece) => piece.split("\n\n").map((text) => text.length))

test("who said it, what was called and what came of it; no system prompt and no reasoning", () => {
  const messages = [
    { role: "system", content: [{ type: "text", text: "rules" }] },
    {
      role: "user",
      content: [
        { type: "text", text: "look" },
        { type: "image", mediaType: "image/png", data: "" },
      ],
    },
    {
      role: "assistant",
      content: [
        { type: "reasoning", text: "hm" },
        { type: "text", text: "Yes." },
        { type: "tool-call", call: "1", name: "Read", input: { path: "a" } },
      ],
    },
    { role: "tool", content: [{ type: "tool-result", call: "1", name: "Read", output: "text" }] },
  ] as unknown as ContextMessage[]
  expect(transcript(messages)).toEqual([
    { text: "User: look", result: false },
    { text: "User: [image/png]", result: false },
    { text: "Agent: Yes.", result: false },
    { text: 'Agent calls Read: {"path":"a"}', result: false },
    { text: "Result of Read: text", result: true },
  ])
})

test("what fits is left as it is, in one piece", () => {
  expect(sizes(pieces([printed(5_000), said(5_000)], 10_000, tokens))).toEqual([[5_000, 5_000]])
})

test("results are shortened first, the oldest first, and only as many as it takes", () => {
  const [piece] = pieces([printed(4_000), said(4_000), printed(4_000)], 9_000, tokens)
  const [first = "", second, third] = piece?.split("\n\n") ?? []
  expect(first).toMatch(/^r{300}\n\[3400 characters left out here\]\nr{300}$/)
  expect([second, third]).toEqual([said(4_000).text, printed(4_000).text])
})

test("then everything else, down to more than is left of a result", () => {
  const [piece] = pieces([said(9_000), printed(9_000), said(100)], 3_500, tokens)
  const [first = "", second = "", third] = piece?.split("\n\n") ?? []
  expect(first).toMatch(/^s{1200}\n\[6600 characters left out here\]\ns{1200}$/)
  expect(second).toMatch(/^r{300}\n\[8400 characters left out here\]\nr{300}$/)
  expect(third).toBe(said(100).text)
})

test("what is still too much comes in pieces, in order, each as full as it may be", () => {
  const lines = [said(400), said(600), said(1), said(999), said(1_000)]
  expect(sizes(pieces(lines, 1_000, tokens))).toEqual([[400, 600], [1, 999], [1_000]])
})

test("a single line that is larger than a piece is cut to it", () => {
  const all = pieces([said(100), said(9_000), said(900)], 1_000, tokens)
  expect(all).toHaveLength(3)
  expect(all[1]?.length).toBeLessThanOrEqual(1_000)
  expect(all[1]).toMatch(/^s+\n\[\d+ characters left out here\]\ns+$/)
})

test("a text is cut to about so many tokens, and left whole when it has no more", () => {
  expect(toTokens("x".repeat(1_000), 1_000, tokens)).toBe("x".repeat(1_000))
  const cut = toTokens("x".repeat(10_000), 1_000, tokens)
  expect(cut.length).toBeLessThanOrEqual(1_000)
  expect(cut.length).toBeGreaterThan(700)
})
