// One MCP server: connected when first needed, and again when it was lost. Loads the protocol's package only then.
import type { Client } from "@modelcontextprotocol/client"
import { findProgram, trustedPath } from "../../programs/find-program.ts"
import type { McpServer } from "./server-config.ts"

export interface Connection {
  readonly server: McpServer
  /** Rejects if the server cannot be reached; another call tries again. */
  client(): Promise<Client>
  /** Nothing is started after this, not even by what began before. */
  close(): Promise<void>
}

export interface ConnectionOptions {
  /** The working directory of a server's process. */
  cwd: string
  version: string
  /** The person's PATH. */
  path: string | undefined
  /** Milliseconds. */
  timeout: number
}

export function connectionTo(server: McpServer, options: ConnectionOptions): Connection {
  let current: Promise<Client> | undefined
  /** Also that of a server that has not answered yet: closing does not wait for it. */
  let transport: { close(): Promise<void> } | undefined
  let isClosed = false
  const checkOpen = () => {
    if (isClosed) throw new Error(`The connection to the MCP server ${server.name} was closed.`)
  }
  return {
    server,
    async client() {
      checkOpen()
      if (current !== undefined) return current
      const told = {
        lost: () => {
          if (current === opened) current = undefined
        },
        opening: (made: { close(): Promise<void> }) => {
          checkOpen()
          transport = made
        },
      }
      const opened = open(server, options, told)
      current = opened
      opened.catch(() => {
        if (current === opened) current = undefined
      })
      return opened
    },
    async close() {
      isClosed = true
      current = undefined
      await transport?.close()
    },
  }
}

interface Told {
  lost(): void
  /** Before anything is started. Throws if it must not be. */
  opening(transport: { close(): Promise<void> }): void
}

async function open(server: McpServer, options: ConnectionOptions, told: Told): Promise<Client> {
  const { Client } = await import("@modelcontextprotocol/client")
  const client = new Client({ name: "retcon", version: options.version })
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is no EventTarget: this is its only way to say so
  client.onclose = () => told.lost()
  const transport = await transportTo(server, options)
  told.opening(transport)
  try {
    await client.connect(transport, { timeout: options.timeout })
    return client
  } catch (error) {
    // Ends the process of a server that does not answer.
    await transport.close()
    throw error
  }
}

async function transportTo(server: McpServer, options: ConnectionOptions) {
  if (server.kind === "http") {
    const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client")
    return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers: server.headers } })
  }
  const { StdioClientTransport } = await import("@modelcontextprotocol/client/stdio")
  const { args } = server
  const lookup = { path: options.path, workspace: options.cwd }
  // A name is looked up outside the workspace; a path is the file that the person named.
  const command = server.command.includes("/") ? server.command : findProgram(server.command, lookup)
  if (command === undefined) {
    throw new Error(
      `${server.command} is not on the PATH; relative folders, and folders inside ${options.cwd}, do not count`,
    )
  }
  const env = { PATH: trustedPath(lookup), ...server.env }
  return new StdioClientTransport({ command, args, env, cwd: options.cwd, stderr: "ignore" })
}
