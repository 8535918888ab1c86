import { expect, test } from "vitest"
import { parseMcpServers } from "../../../src/agent/mcp/server-config.ts"

const variable = (name: string) => `$\{${name}}`

test("configuration is read with its variables, and problems are reported", () => {
  const config = {
    files: { command: "server", args: ["--root", variable("ROOT")], env: { TOKEN: variable("TOKEN") } },
    web: { url: "https://example.org/mcp", headers: { authorization: `Bearer ${variable("TOKEN")}` } },
    off: { command: "x", disabled: true },
    "bad name!": { command: "x" },
    neither: { port: 1 },
    unset: { command: variable("NOT_SET") },
    file: { url: "file:///etc/passwd" },
  }
  expect(parseMcpServers(config, { ROOT: "/r", TOKEN: "t" })).toEqual({
    servers: [
      { name: "files", kind: "stdio", command: "server", args: ["--root", "/r"], env: { TOKEN: "t" } },
      { name: "web", kind: "http", url: "https://example.org/mcp", headers: { authorization: "Bearer t" } },
    ],
    problems: [
      'MCP server "bad name!": the name may have at most 40 letters, digits, _ . and -.',
      'MCP server "neither": expected a command (with args and env), or a url (with headers).',
      'MCP server "unset": not set in the environment: NOT_SET.',
      'MCP server "file": expected a command (with args and env), or a url (with headers).',
    ],
  })
})
