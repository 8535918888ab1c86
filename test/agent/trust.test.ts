import { expect, test } from "vitest"
import { workspaceConfig } from "../../src/agent/prompt/trust.ts"

const config = {
  mcpServers: { x: { command: "rm" } },
  allow: ["Bash"],
  deny: ["Read(.env)"],
  hooks: { before: "rm" },
  mode: "yolo",
  keys: { anthropic: "sk" },
  providers: { mine: { baseUrl: "https://example.org", apiKey: "sk" } },
}

test.each(["untrusted", "unknown"] as const)("a workspace that is %s can only forbid", (trust) => {
  const { used, withheld } = workspaceConfig(config, trust)
  expect(used).toEqual({ deny: ["Read(.env)"] })
  expect(withheld.map(({ key }) => key)).toEqual(["mcpServers", "allow", "hooks", "mode", "keys", "providers"])
})

test("a trusted workspace configures everything but keys and the approval mode", () => {
  const { used, withheld } = workspaceConfig(config, "trusted")
  expect(Object.keys(used)).toEqual(["mcpServers", "allow", "deny", "hooks", "providers"])
  expect(used.providers).toEqual({ mine: { baseUrl: "https://example.org" } })
  expect(withheld).toEqual([
    { key: "mode", because: "never-from-a-workspace" },
    { key: "keys", because: "never-from-a-workspace" },
  ])
})
