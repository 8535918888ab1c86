// MCP servers as people configure them, in the shape that other agents use too. Pure.
import { z } from "zod"
import { isObject, type Json } from "../../model/json.ts"

export type McpServer =
  | { name: string; kind: "stdio"; command: string; args: string[]; env: Record<string, string> }
  | { name: string; kind: "http"; url: string; headers: Record<string, string> }

const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,39}$/
const texts = z.record(z.string(), z.string())
const stdio = z.object({ command: z.string().min(1), args: z.array(z.string()).optional(), env: texts.optional() })
const http = z.object({ url: z.url({ protocol: /^https?$/ }), headers: texts.optional() })

/** `{"NAME": {"command", "args"?, "env"?} | {"url", "headers"?}}`. Whatever is wrong is left out and reported. */
export function parseMcpServers(
  config: Json,
  env: Readonly<Record<string, string>>,
): { servers: McpServer[]; problems: string[] } {
  const servers: McpServer[] = []
  const problems: string[] = []
  if (!isObject(config)) return { servers, problems: ["The MCP servers must be an object, with a name for each."] }
  for (const [name, value] of Object.entries(config)) {
    const server = parseServer(name, value, env)
    if (typeof server === "string") problems.push(`MCP server ${JSON.stringify(name)}: ${server}`)
    else if (server !== undefined) servers.push(server)
  }
  return { servers, problems }
}

/** Undefined: disabled. A string: what is wrong. */
function parseServer(name: string, value: Json, env: Readonly<Record<string, string>>): McpServer | string | undefined {
  if (!NAME.test(name)) return "the name may have at most 40 letters, digits, _ . and -."
  if (!isObject(value)) return "expected an object."
  if (value.disabled === true) return undefined
  const missing = new Set<string>()
  const fill = (text: string) => expand(text, env, missing)
  const fillAll = (record: Record<string, string> = {}) =>
    Object.fromEntries(Object.entries(record).map(([key, text]) => [key, fill(text)]))
  const server = serverOf(name, value, fill, fillAll)
  if (typeof server !== "string" && missing.size > 0) return `not set in the environment: ${[...missing].join(", ")}.`
  return server
}

function serverOf(
  name: string,
  value: Json,
  fill: (text: string) => string,
  fillAll: (record?: Record<string, string>) => Record<string, string>,
): McpServer | string {
  const process = stdio.safeParse(value)
  if (process.success) {
    const { command, args = [], env } = process.data
    return { name, kind: "stdio", command: fill(command), args: args.map(fill), env: fillAll(env) }
  }
  const remote = http.safeParse(value)
  if (remote.success) return { name, kind: "http", url: remote.data.url, headers: fillAll(remote.data.headers) }
  return "expected a command (with args and env), or a url (with headers)."
}

/** `${NAME}` is taken from the environment, so that no secret has to be in a file. */
function expand(text: string, env: Readonly<Record<string, string>>, missing: Set<string>): string {
  return text.replace(/\$\{([A-Za-z_][A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const value = env[name]
    if (value === undefined) missing.add(name)
    return value ?? ""
  })
}
