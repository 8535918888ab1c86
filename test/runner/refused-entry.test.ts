// Which entry a refusal is about: something that came after the model's last answer.
import { expect, test } from "vitest"
import { LEFT_OUT_KEY } from "../../src/model/record/state-key.ts"
import { refusedEntry } from "../../src/runner/conclude.ts"
import { type Body, message, type Picture, picture } from "../history/picture.ts"

const IMAGE = { type: "image", mediaType: "image/png", data: "" }
const withImage = (role: "user" | "tool"): Body => ({ ...message(role, "prompt", "see"), content: [IMAGE] })
const answerOf = (model: string): Body => ({ ...message("assistant", "agent", "ok"), model })

/** The name of the entry in the picture. */
function named(tree: Picture, words = "No.", before?: string): string | undefined {
  const entry = refusedEntry(tree, tree.head, "m", { kind: "invalid", message: words }, before)?.entry
  return entry === undefined ? undefined : tree.name(tree.rowOf(entry))
}

test("the last message after the model's last answer is named", () => {
  const tree = picture("p1 > a1 > p2", { a1: answerOf("m") })
  expect(named(tree)).toBe("p2")
  const { message: words } = refusedEntry(tree, tree.head, "m", { kind: "invalid", message: "No." }) ?? {}
  expect(words).toMatch(/^No\. It refuses your message \(entry \w+\) and would refuse the same conversation again\.$/)
})

test("what the model has answered is not suspected, and an answer is not either", () => {
  expect(named(picture("p1 > a1", { a1: answerOf("m") }))).toBeUndefined()
  expect(named(picture("p1 > a1", { a1: answerOf("another") }))).toBe("p1")
})

test("a refusal of an image names the message with an image", () => {
  const image = { p1: withImage("user") }
  expect(named(picture("p1 > p2", image), "Could not process image")).toBe("p1")
  expect(named(picture("p1 > p2", image), "Could not process it")).toBe("p2")
  expect(named(picture("p1 > p2"), "Could not process image")).toBe("p2")
})

test("what was named before is named again, unless it is left out by now", () => {
  const tree = picture("p1 > p2")
  expect(named(tree, "No.", tree.idOf("p1"))).toBe("p1")
  const value = { entry: tree.idOf("p1"), parts: "all" }
  const after = picture("p1 > p2 > s1", { s1: { type: "state", key: LEFT_OUT_KEY, value } })
  expect(named(after, "No.", after.idOf("p1"))).toBe("p2")
})

test("a tool's result is named by the tool", () => {
  const result = { type: "tool-result", call: "c", name: "Read", output: "x", status: "ok" }
  const tree = picture("p1 > r1", { r1: { ...message("tool", "tool", ""), content: [result] } })
  const problem = { kind: "invalid", message: "No." } as const
  expect(refusedEntry(tree, tree.head, "m", problem)?.message).toContain("the result of Read (entry")
})
