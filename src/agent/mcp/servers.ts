// All MCP servers of a configuration. A server that fails causes a notice; it never stops the agent or the others.
import type { Tool } from "../port/tool.ts"
import { type Connection, type ConnectionOptions, connectionTo } from "./connection.ts"
import { mcpTool } from "./mcp-tool.ts"
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
