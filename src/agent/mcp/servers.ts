// All MCP servers of a configuration. A server that fails causes a notice; it never stops the agent or the others.
import { createHash } from "node:crypto"
import type { CallToolResult, Tool as ServerTool } from "@modelcontextprotocol/client"
import { isObject, type JsonObject } from "../../model/json.ts"
import type { Part } from "../../model/record/record.ts"
import { inputGrant, toolGrant } from "../permission/grants.ts"
import { failure, type Tool, type ToolResult } from "../port/tool.ts"
import { type Connection, type ConnectionOptions, connectionTo } from "./connection.ts"
import type { McpServer } from "./server-config.ts"

export interface McpServers {
  /** Starts connecting to all servers, in parallel. Nobody has to wait for it. */
  start(): void
  /**
   * The tools of the connected servers, in the order of the configuration. Contract: never rejects, and waits only a
   * moment for slow servers, with a notice. A server that connects later causes a notice too, and its tools are
   * included from then on; a tool whose server is gone connects again when it is called.
   */
  tools(): Promise<readonly Tool[]>
  close(): Promise<void>
}

export interface McpOptions extends Omit<ConnectionOptions, "timeout"> {
  /** Milliseconds until a server counts as unavailable. */
  timeout?: number
  /** How many milliseconds the first request waits for servers, at most. */
  patience?: number
  /** One line for people. Contains no header and no variable. */
  notice(text: string): void
}

const TIMEOUT = 30_000
const PATIENCE = 5_000

interface Listed {
  name: string
  /** Undefined while connecting. */
  tools: readonly Tool[] | undefined
  ended: Promise<void>
}

export function connectMcp(servers: readonly McpServer[], options: McpOptions): McpServers {
  const { cwd, version, path, timeout = TIMEOUT, patience = PATIENCE } = options
  const connections = servers.map((server) => connectionTo(server, { cwd, version, path, timeout }))
  const told = new Set<string>()
  const once = (text: string) => {
    if (!told.has(text)) options.notice(text)
    told.add(text)
  }
  let listed: Listed[] | undefined
  let waited = false
  let closed = false
  const start = () => {
    listed ??= connections.map((connection) => {
      const entry: Listed = { name: connection.server.name, tools: undefined, ended: Promise.resolve() }
      entry.ended = listOf(connection, timeout, (text) => closed || once(text)).then((tools) => {
        entry.tools = tools
        if (waited && tools.length > 0)
          once(`MCP server ${entry.name} is connected: its tools are available from the next prompt on.`)
      })
      return entry
    })
    return listed
  }
  return {
    start: () => void start(),
    async tools() {
      const all = start()
      if (!waited) await inTime(all, patience, once)
      waited = true
      return named(
        all.flatMap(({ tools }) => tools ?? []),
        once,
      )
    },
    async close() {
      closed = true
      await Promise.allSettled(connections.map((connection) => connection.close()))
    },
  }
}

/** Resolves when all have answered, or when `patience` milliseconds have passed. */
async function inTime(all: readonly Listed[], patience: number, notice: (text: string) => void): Promise<void> {
  const pending = () => all.filter(({ tools }) => tools === undefined).map(({ name }) => name)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, patience)
  })
  const soon = setTimeout(() => {
    if (pending().length > 0) notice(`Waiting up to ${patience / 1_000} s for MCP servers: ${pending().join(", ")}`)
  }, patience / 6)
  await Promise.race([Promise.all(all.map(({ ended }) => ended)), late])
  clearTimeout(timer)
  clearTimeout(soon)
  const slow = pending()
  if (slow.length > 0) notice(`Continuing without MCP servers that have not answered yet: ${slow.join(", ")}`)
}

function named(tools: readonly Tool[], notice: (text: string) => void): Tool[] {
  const byName = new Map<string, Tool>()
  for (const tool of tools) {
    if (byName.has(tool.name)) notice(`Two MCP tools are called ${tool.name}; the first one is used.`)
    else byName.set(tool.name, tool)
  }
  return [...byName.values()]
}

async function listOf(connection: Connection, timeout: number, notice: (text: string) => void): Promise<Tool[]> {
  try {
    const client = await connection.client()
    const { tools } = await client.listTools({}, { timeout })
    return tools.map((tool) => mcpTool(connection, tool))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    notice(`MCP server ${connection.server.name} is not available: ${hushed(why, connection.server)}`)
    return []
  }
}

/** The text of an error, without the configuration's secrets. */
function hushed(text: string, server: McpServer): string {
  const secrets = Object.values(server.kind === "http" ? server.headers : server.env).filter(
    (value) => value.length >= 6,
  )
  const plain = secrets.reduce((rest, secret) => rest.replaceAll(secret, "[removed]"), text)
  return plain.replace(/\s+/g, " ").slice(0, 300)
}

const CALL_TIMEOUT = 300_000
const LONGEST_DESCRIPTION = 4000

/** A tool of an MCP server as one of ours. It may do anything, whatever the server says, so it is always judged. */
export function mcpTool(connection: Connection, offered: ServerTool): Tool {
  const server = connection.server.name
  const name = mcpToolName(server, offered.name)
  return {
    name,
    description: `${(offered.description ?? offered.title ?? offered.name).slice(0, LONGEST_DESCRIPTION)}\n\n(From the MCP server ${server}.)`,
    input: offered.inputSchema as JsonObject,
    parse: (input) => (isObject(input) ? { ok: true, value: input } : { ok: false, problem: "expected an object" }),
    effects: () => ({ effect: "runs", paths: [], anywhere: true }),
    preview: async (input) => ({
      action: { kind: "other", input: input as JsonObject },
      title: `${offered.name}, a tool of the MCP server ${server}`,
    }),
    grants: (input) => [inputGrant(name, input as JsonObject), toolGrant([name])],
    timeout: CALL_TIMEOUT,
    limit: 30_000,
    async run(input, { signal }) {
      const client = await connection.client()
      const result = await client.callTool(
        { name: offered.name, arguments: input as JsonObject },
        { signal, timeout: CALL_TIMEOUT },
      )
      return toolResult(result)
    },
  }
}

function toolResult(result: CallToolResult): ToolResult {
  const texts: string[] = []
  const media: Part[] = []
  for (const block of result.content) {
    if (block.type === "text") texts.push(block.text)
    else if (block.type === "image") media.push({ type: "image", mediaType: block.mimeType, data: block.data })
    else if (block.type === "resource" && "text" in block.resource) texts.push(block.resource.text)
    else if (block.type === "resource_link") texts.push(`${block.name}: ${block.uri}`)
    else texts.push(`[${block.type} that cannot be shown]`)
  }
  if (texts.length === 0 && result.structuredContent !== undefined) texts.push(JSON.stringify(result.structuredContent))
  const output = texts.join("\n") || (media.length > 0 ? "(an image)" : "(no output)")
  const made = result.isError === true ? failure(output) : { output }
  return media.length === 0 ? made : { ...made, media }
}

const LONGEST = 64

/**
 * The name by which the model knows a server's tool: mcp__SERVER__TOOL, in a form that all providers accept. Never two
 * `_` in a row within a part, so that a rule for `mcp__SERVER` cannot match another server.
 */
export function mcpToolName(server: string, tool: string): string {
  const name = `mcp__${clean(server)}__${clean(tool)}`
  if (name.length <= LONGEST) return name
  const hash = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, 8)
  return `${name.slice(0, LONGEST - 9)}_${hash}`
}

function clean(part: string): string {
  return part.replace(/[^A-Za-z0-9-]+/g, "_").replace(/_+/g, "_") || "_"
}
