// The name by which the model knows a server's tool: mcp__SERVER__TOOL, in a form that all providers accept.
import { createHash } from "node:crypto"

const LONGEST = 64

/** Never two `_` in a row within a part, so that a rule for `mcp__SERVER` cannot match another server. */
export function mcpToolName(server: string, tool: string): string {
  const name = `mcp__${clean(server)}__${clean(tool)}`
  if (name.length <= LONGEST) return name
  const hash = createHash("sha256").update(`${server}\0${tool}`).digest("hex").slice(0, 8)
  return `${name.slice(0, LONGEST - 9)}_${hash}`
}

function clean(part: string): string {
  return part.replace(/[^A-Za-z0-9-]+/g, "_").replace(/_+/g, "_") || "_"
}
