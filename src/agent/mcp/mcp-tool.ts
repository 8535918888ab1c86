// A tool of an MCP server as one of ours. It may do anything, whatever the server says, so it is always judged.
import type { CallToolResult, Tool as ServerTool } from "@modelcontextprotocol/client"
import { isObject, type JsonObject } from "../../model/json.ts"
import type { Part } from "../../model/record/part.ts"
import { inputGrant, toolGrant } from "../permission/grants.ts"
import { failure, type Tool, type ToolResult } from "../port/tool.ts"
import type { Connection } from "./connection.ts"
import { mcpToolName } from "./name.ts"

const TIMEOUT = 300_000
const LONGEST_DESCRIPTION = 4000

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
    timeout: TIMEOUT,
    limit: 30_000,
    async run(input, { signal }) {
      const client = await connection.client()
      const result = await client.callTool(
        { name: offered.name, arguments: input as JsonObject },
        { signal, timeout: TIMEOUT },
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
