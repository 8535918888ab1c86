import { expect, test } from "vitest"
import { AGENTS } from "../../src/formats/all/formats.ts"
import { AGENT_COLOURS, agentColour } from "../../web/sessions/agent-colour.ts"

test("every agent has a colour of its own", () => {
  const all = ["retcon", ...AGENTS]
  expect(Object.keys(AGENT_COLOURS).sort()).toEqual([...all].sort())
  expect(new Set(all.map(agentColour)).size).toBe(all.length)
  expect(agentColour("somebody-new")).toBe("transparent")
})
