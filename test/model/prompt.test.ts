import { expect, test } from "vitest"
import { ORIGINS, ROLES, type Role } from "../../src/model/record/origin.ts"
import { isPrompt } from "../../src/model/record/prompt.ts"

/** Every origin that makes a message of this role a prompt. */
function promptsOf(role: Role, turn: boolean): string[] {
  return ORIGINS.filter((origin) => isPrompt({ role, origin, turn }))
}

test("of what a person sends, a prompt is what they typed, and a command that starts a turn", () => {
  expect(promptsOf("user", false)).toEqual(["prompt"])
  expect(promptsOf("user", true)).toEqual(["prompt", "command"])
  expect(isPrompt({ role: "user", origin: "command" })).toBe(false)
})

test.each(ROLES.filter((role) => role !== "user"))("no %s message is a prompt, whatever its origin", (role) => {
  expect([...promptsOf(role, false), ...promptsOf(role, true)]).toEqual([])
})
