import { expect, test } from "vitest"
import { mcpToolName } from "../../../src/agent/mcp/servers.ts"

test.each([
  ["files", "read", "mcp__files__read"],
  ["my.server", "read/all", "mcp__my_server__read_all"],
  ["a__b", "c__d", "mcp__a_b__c_d"],
])("%s and %s are called %s", (server, tool, name) => expect(mcpToolName(server, tool)).toBe(name))

test("a long name is cut to what every provider accepts, and stays itself", () => {
  const [one, two] = ["x".repeat(80), `${"x".repeat(79)}y`].map((tool) => mcpToolName("server", tool))
  expect(one).toMatch(/^mcp__server__x+_[0-9a-f]{8}$/)
  expect(one).toHaveLength(64)
  expect(one).not.toBe(two)
})
