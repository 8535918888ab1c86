// All MCP servers of a configuration. A server that fails is a notice; it never stops the agent or the others.
import type { Tool } from "../tool.ts"
import type { McpServer } from "./config.ts"
import { type Connection, type ConnectionOptions, connectionTo } from "./connection.ts"
import { mcpTool } from "./mcp-tool.ts"

export interface McpServers {
  /**
   * Contract: connects at the first call and never rejects. Later calls give the same list, so that the model's prompt
   * cache holds; a tool whose server is gone connects again when it is called.
   */
  tools(): Promise<readonly Tool[]>
  close(): Promise<void>
}

export interface McpOptions extends Omit<ConnectionOptions, "timeout"> {
  timeout?: number
  /** What people should know, in one line. Holds no header and no variable. */
  notice(text: string): void
}

const TIMEOUT = 10_000

export function connectMcp(servers: readonly McpServer[], options: McpOptions): McpServers {
  const { cwd, version, path, timeout = TIMEOUT } = options
  const connections = servers.map((server) => connectionTo(server, { cwd, version, path, timeout }))
  let listed: Promise<readonly Tool[]> | undefined
  return {
    tools() {
      listed ??= listAll(connections, timeout, options)
      return listed
    },
    async close() {
      await Promise.allSettled(connections.map((connection) => connection.close()))
    },
  }
}

async function listAll(connections: readonly Connection[], timeout: number, options: McpOptions): Promise<Tool[]> {
  const lists = await Promise.all(connections.map((connection) => listOf(connection, timeout, options)))
  const byName = new Map<string, Tool>()
  for (const tool of lists.flat()) {
    if (byName.has(tool.name)) options.notice(`Two MCP tools are called ${tool.name}; the first one is used.`)
    else byName.set(tool.name, tool)
  }
  return [...byName.values()]
}

async function listOf(connection: Connection, timeout: number, options: McpOptions): Promise<Tool[]> {
  try {
    const client = await connection.client()
    const { tools } = await client.listTools({}, { timeout })
    return tools.map((tool) => mcpTool(connection, tool))
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    options.notice(`MCP server ${connection.server.name} is not available: ${hushed(why, connection.server)}`)
    return []
  }
}

/** The words of an error, without what the configuration holds secret. */
function hushed(text: string, server: McpServer): string {
  const secrets = Object.values(server.kind === "http" ? server.headers : server.env).filter(
    (value) => value.length >= 6,
  )
  const plain = secrets.reduce((rest, secret) => rest.replaceAll(secret, "[removed]"), text)
  return plain.replace(/\s+/g, " ").slice(0, 300)
}
