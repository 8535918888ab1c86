// The built program as the server that an agent starts: the protocol over its standard streams, and its end.
import { spawn, spawnSync } from "node:child_process"
import { mkdtempSync, realpathSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { text } from "node:stream/consumers"
import { Client } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { expect, onTestFinished, test } from "vitest"
import { say } from "./claude-bench.ts"

const program = resolve("dist/cli.cjs")

function place() {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-mcp-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return { cwd: folder, env: { PATH: process.env.PATH ?? "", HOME: folder, RETCON_HOME: join(folder, "home") } }
}

test("an agent that starts it lists the tools, calls them, and its process ends with the connection", async () => {
  const { cwd, env } = place()
  const transport = new StdioClientTransport({ command: process.execPath, args: [program, "mcp"], cwd, env })
  const client = new Client({ name: "test", version: "1" })
  await client.connect(transport)
  expect((await client.listTools()).tools).toHaveLength(6)
  expect(await say(client, "note", { text: "hello" })).toMatchObject({ error: false })
  expect(await say(client, "changes")).toMatchObject({ error: true })
  const { pid } = transport
  await client.close()
  const isThere = () => spawnSync("kill", ["-0", String(pid)]).status === 0
  await expect.poll(isThere).toBe(false)
})

/** By their ids, with the codes of their errors. */
const WANTED = [
  [1, -32602],
  [2, -32601],
  [3, undefined],
  [4, -32602],
  [5, -32602],
  [6, undefined],
  [null, -32600],
  [null, -32700],
]

test("lines that are not protocol do not stop it, and standard output contains only the protocol", async () => {
  const { cwd, env } = place()
  const child = spawn(process.execPath, [program, "mcp", "--agent", "codex"], { cwd, env })
  const about = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } }
  const lines = [
    "not json",
    '{"jsonrpc":"2.0","id":1,"method":"initialize"}',
    '{"jsonrpc":"2.0","id":2,"method":"nonsense"}',
    JSON.stringify({ jsonrpc: "2.0", id: 3, method: "initialize", params: about }),
    '{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":7}}',
    '{"jsonrpc":"2.0","id":5,"method":"tools/call","params":{"name":"search","arguments":[]}}',
    '[{"jsonrpc":"2.0","id":7,"method":"tools/list"}]',
    '{"jsonrpc":"2.0","id":6,"method":"tools/list"}',
  ]
  child.stdin.write(`${lines.join("\n")}\n`)
  let out = ""
  child.stdout.on("data", (chunk) => {
    out += String(chunk)
    // As many as there are answers below, in whatever order they come.
    if (out.split("\n").length > WANTED.length) child.stdin.end()
  })
  const ended = new Promise<number | null>((settle) => child.on("close", settle))
  expect(await text(child.stderr)).toBe("")
  expect(await ended).toBe(0)
  const answers = out
    .trimEnd()
    .split("\n")
    .map(
      (line) => JSON.parse(line) as { jsonrpc: string; id: number | null; error?: { code: number; message: string } },
    )
  expect(answers.every(({ jsonrpc }) => jsonrpc === "2.0")).toBe(true)
  expect(answers.every(({ error }) => error?.message.includes("invalid_type") !== true)).toBe(true)
  const codes = answers.map(({ id, error }) => [id, error?.code])
  expect(codes).toEqual(expect.arrayContaining(WANTED))
  expect(codes).toHaveLength(WANTED.length)
})

test("a server for an unknown agent is refused with the known names", async () => {
  const { cwd, env } = place()
  const child = spawn(process.execPath, [program, "mcp", "--agent", "nobody"], { cwd, env })
  child.stdin.end()
  const [out, err] = await Promise.all([text(child.stdout), text(child.stderr)])
  expect(out).toBe("")
  expect(err).toContain("claude-code")
})
