import { expect, test } from "vitest"
import { sessionIdIn, sessionIdOf } from "../../../src/formats/ids.ts"

test("a new session is found by the name that Kimi Code gives it, which has a word in front of its UUID", () => {
  const uuid = "5d2f6a3e-0c41-4c58-9a57-21f0b6c0ffee"
  expect(sessionIdIn("kimi-code", `session_${uuid}`)).toBe(sessionIdOf("kimi-code", uuid))
  expect(sessionIdIn("opencode", "ses_abc")).toBe(sessionIdOf("opencode", "ses_abc"))
})
