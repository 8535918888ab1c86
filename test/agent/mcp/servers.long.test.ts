import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { resolve } from "node:path"
import { createMcpHandler } from "@modelcontextprotocol/server"
import { expect, onTestFinished, test } from "vitest"
import type { McpServer } from "../../../src/agent/mcp/server-config.ts"
import { connectMcp } from "../../../src/agent/mcp/servers.ts"
import { type Setting, scripted, setting, takeStep } from "../setting.ts"

const script = resolve(import.meta.dirname, "server.mjs")
const stdio = (name: string, mode = ""): McpServer => ({
  name,
  kind: "stdio",
  command: process.execPath,
  args: [script, mode],
  env: { GIVEN: "given-by-us" },
})

function connect(at: Setting, servers: McpServer[], timeout = 20_000, patience = 20_000) {
  const notices: string[] = []
  const mcp = connectMcp(servers, {
    path: process.env.PATH,
    cwd: at.root.folder,
    version: "0",
    timeout,
    patience,
    notice: (text) => void notices.push(text),
  })
  onTestFinished(() => mcp.close())
  return { mcp, notices }
}

async function call(at: Setting, mcp: ReturnType<typeof connectMcp>, name: string, input: Record<string, number> = {}) {
  const tools = [...(await mcp.tools())]
  return (await takeStep(at, scripted({ calls: [{ name, input }] }), { tools })).result
}

async function listen(handle: (request: Request) => Promise<Response>): Promise<string> {
  const server: Server = createServer((request, response) => {
    void (async () => {
      const chunks: Buffer[] = []
      for await (const chunk of request) chunks.push(chunk as Buffer)
      const headers = Object.entries(request.headers).flatMap(([name, value]) =>
        typeof value === "string" ? [[name, value] as [string, string]] : [],
      )
      const body = chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}
      const answer = await handle(
        new Request(`http://127.0.0.1${request.url}`, { method: request.method ?? "GET", headers, ...body }),
      )
      response.writeHead(answer.status, Object.fromEntries(answer.headers))
      response.end(Buffer.from(await answer.arrayBuffer()))
    })()
  })
  await new Promise<void>((settle) => server.listen(0, "127.0.0.1", settle))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
}

test("tools of a server over stdio are offered with a prefix, and run in the workspace", async () => {
  const at = setting()
  const { mcp, notices } = connect(at, [stdio("calc")])
  const tools = await mcp.tools()
  expect(tools.map((tool) => tool.name)).toContain("mcp__calc__add")
  expect(tools[0]).toMatchObject({ description: "Adds.\n\n(From the MCP server calc.)", input: { type: "object" } })
  expect(await call(at, mcp, "mcp__calc__add", { a: 2, b: 3 })).toMatchObject({ results: [{ output: "5" }] })
  expect(await call(at, mcp, "mcp__calc__where")).toMatchObject({
    results: [{ output: `${at.root.folder} given-by-us` }],
  })
  expect(await call(at, mcp, "mcp__calc__picture")).toMatchObject({
    results: [{ output: "(an image)", media: [{ type: "image", mediaType: "image/png", data: "AAAA" }] }],
  })
  expect(notices).toEqual([])
})

test("a failure of a server's tool is an error result", async () => {
  const at = setting()
  const { mcp } = connect(at, [stdio("calc")])
  expect(await call(at, mcp, "mcp__calc__fail")).toMatchObject({ results: [{ output: "it went wrong", error: true }] })
  expect(await call(at, mcp, "mcp__calc__throw")).toMatchObject({ results: [{ error: true }] })
  expect(await call(at, mcp, "mcp__calc__add", { a: 1 })).toMatchObject({ results: [{ error: true }] })
})

test("a server that dies in a call is an error result, and is started again by the next call", async () => {
  const at = setting()
  const { mcp } = connect(at, [stdio("calc")])
  expect(await call(at, mcp, "mcp__calc__die")).toMatchObject({ results: [{ error: true }] })
  expect(await call(at, mcp, "mcp__calc__add", { a: 1, b: 1 })).toMatchObject({ results: [{ output: "2" }] })
})

test("a stop does not wait for a server's tool", async () => {
  const at = setting()
  const { mcp } = connect(at, [stdio("calc")])
  const stop = new AbortController()
  const hooks = {
    beforeTool: async () => {
      setImmediate(() => stop.abort())
      return undefined
    },
  }
  const calls = [{ name: "mcp__calc__wait", input: {} }]
  const { result } = await takeStep(at, scripted({ calls }), {
    tools: [...(await mcp.tools())],
    signal: stop.signal,
    hooks,
  })
  expect(result).toMatchObject({ outcome: "called", interrupted: true, results: [{ error: true }] })
})

test("a server that is missing, crashes or hangs is a notice, and the others still work", async () => {
  const at = setting()
  const missing: McpServer = { name: "missing", kind: "stdio", command: "/no/such/program", args: [], env: {} }
  const { mcp, notices } = connect(at, [missing, stdio("crash", "crash"), stdio("calc")])
  expect(await call(at, mcp, "mcp__calc__add", { a: 1, b: 1 })).toMatchObject({ results: [{ output: "2" }] })
  expect(notices.map((notice) => notice.replace(/: .*/, "")).sort()).toEqual([
    "MCP server crash is not available",
    "MCP server missing is not available",
  ])
  const hanging = connect(at, [stdio("hang", "hang")], 300)
  expect(await hanging.mcp.tools()).toEqual([])
  expect(hanging.notices).toHaveLength(1)
})

test("a server that hangs is waited for only a moment, with a notice; the others work meanwhile", async () => {
  const at = setting()
  const { mcp, notices } = connect(at, [stdio("hang", "hang")], 20_000, 60)
  expect(await mcp.tools()).toEqual([])
  expect(notices).toEqual([
    "Waiting up to 0.06 s for MCP servers: hang",
    "Continuing without MCP servers that have not answered yet: hang",
  ])
  expect(await mcp.tools()).toEqual([])
  expect(notices).toHaveLength(2)
})

test("a server that answers late gets a notice, and its tools are there the next time", async () => {
  const at = setting()
  const notices: string[] = []
  let tell: (text: string) => void = () => undefined
  const connected = new Promise<void>((resolve) => {
    tell = (text) => {
      notices.push(text)
      if (text.includes("is connected")) resolve()
    }
  })
  const mcp = connectMcp([stdio("calc")], {
    cwd: at.root.folder,
    version: "0",
    path: process.env.PATH,
    timeout: 20_000,
    patience: 1,
    notice: tell,
  })
  onTestFinished(() => mcp.close())
  expect(await mcp.tools()).toEqual([])
  await connected
  expect((await mcp.tools()).map(({ name }) => name)).toContain("mcp__calc__add")
  expect(notices.at(-1)).toBe("MCP server calc is connected: its tools are available from the next prompt on.")
})

test("nothing is started before tools are requested", async () => {
  const at = setting()
  const { mcp, notices } = connect(at, [{ name: "x", kind: "stdio", command: "/no/such/program", args: [], env: {} }])
  await mcp.close()
  expect(notices).toEqual([])
})

test("a server over HTTP works the same, with its headers", async () => {
  const at = setting()
  const tools: string = "./tools.mjs"
  const { makeServer } = (await import(tools)) as {
    makeServer: Parameters<typeof createMcpHandler>[0]
  }
  const handler = createMcpHandler(makeServer)
  const seen: (string | null)[] = []
  const url = await listen((request) => {
    seen.push(request.headers.get("authorization"))
    return handler.fetch(request)
  })
  const { mcp, notices } = connect(at, [
    { name: "web", kind: "http", url, headers: { authorization: "Bearer abc123" } },
  ])
  expect(await call(at, mcp, "mcp__web__add", { a: 20, b: 22 })).toMatchObject({ results: [{ output: "42" }] })
  expect(notices).toEqual([])
  expect(new Set(seen)).toEqual(new Set(["Bearer abc123"]))
})

test("a server over HTTP that refuses is a notice without its secrets", async () => {
  const at = setting()
  const url = await listen(
    async (request) => new Response(`bad ${request.headers.get("authorization")}`, { status: 403 }),
  )
  const { mcp, notices } = connect(at, [
    { name: "web", kind: "http", url, headers: { authorization: "Bearer abc123" } },
  ])
  expect(await mcp.tools()).toEqual([])
  expect(notices[0]).toMatch(/^MCP server web is not available: /)
  expect(notices[0]).not.toContain("abc123")
})

test("a server's tool asks in every mode but yolo, for itself or for the whole server", async () => {
  const at = setting()
  const { mcp } = connect(at, [stdio("calc")])
  const tools = [...(await mcp.tools())]
  const model = scripted({ calls: [{ name: "mcp__calc__add", input: { a: 1, b: 1 } }] })
  const asked = await takeStep(at, model, { tools, mode: "autoEdit", answer: () => ({ answer: "session" }) })
  expect(asked.asked[0]).toMatchObject({
    title: "add, a tool of the MCP server calc",
    action: { kind: "other", input: { a: 1, b: 1 } },
    grants: [{ rules: ['mcp__calc__add(={"a":1,"b":1})'] }, { rules: ["mcp__calc__add"] }],
  })
  expect(asked.granted).toEqual(['mcp__calc__add(={"a":1,"b":1})'])
  const [same, other] = [model, scripted({ calls: [{ name: "mcp__calc__add", input: { a: 1, b: 2 } }] })]
  expect((await takeStep(at, same, { tools, mode: "default", allow: asked.granted })).asked).toEqual([])
  expect((await takeStep(at, other, { tools, mode: "default", allow: asked.granted })).asked).toHaveLength(1)
  const listed = await takeStep(at, model, { tools, mode: "default", allow: ["mcp__calc"] })
  expect(listed.outputs).toEqual(["2"])
  const denied = await takeStep(at, model, { tools, mode: "yolo", deny: ["mcp__calc"] })
  expect(denied.outputs[0]).toContain("the rule mcp__calc forbids it")
})
