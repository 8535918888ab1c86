// How a file of Neovate Code is told from those of other agents.
import { expect, test } from "vitest"
import { isNeovate } from "../../../src/formats/neovate/format-marks.ts"

const message = { role: "user", type: "message", uuid: "1", parentUuid: null, content: "hi" }

test.each([
  ["a message, whatever the order of its fields", [message], true],
  ["a message after lines of another kind", [{ type: "other" }, message], true],
  ["its own settings", [{ type: "config", config: { approvalTools: [] } }], true],
  ["settings of another", [{ type: "config", config: { tools: [] } }], false],
  ["a line of another type with the same fields", [{ ...message, type: "user" }], false],
  ["a message without an id", [{ ...message, uuid: 1 }], false],
  ["a message without a role", [{ ...message, role: undefined }], false],
  ["a message without a parent", [{ type: "message", uuid: "1", role: "user" }], false],
  ["nothing", [], false],
] as const)("%s: %s", (_, lines, known) => {
  expect(isNeovate(Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join("")))).toBe(known)
})

test("a first message that is longer than what was read is known by how it begins", () => {
  const begins = (role: string) =>
    Buffer.from(`{"parentUuid":null,"uuid":"1","role":"${role}","content":"${"x".repeat(999)}`)
  expect(isNeovate(begins("user"))).toBe(true)
  expect(isNeovate(begins("robot"))).toBe(false)
})
