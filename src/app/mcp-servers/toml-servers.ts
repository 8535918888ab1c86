// MCP servers in a TOML file: a table by name, `[mcp_servers.NAME]`.
import type { Edited } from "../../hooks/port.ts"
import { NOT_OURS, SERVER, type ServerProgram, type ServerSettings, startsOurs } from "./port.ts"
import { parseToml, type TomlTable } from "./toml-text.ts"

const KEY = "mcp_servers"

export const tomlServers: Pick<ServerSettings, "add" | "remove" | "read"> = {
  add(text, program) {
    const found = tablesOf(text)
    if (!("tables" in found)) return found
    const { tables } = found
    const elsewhere = otherForm(tables)
    if (elsewhere !== undefined) return elsewhere
    const line = text.includes("\r\n") ? "\r\n" : "\n"
    const wanted = printed(program).join(line) + line
    const own = tables.find(isServer)
    if (own === undefined) return { ok: true, text: joined(text, wanted, line) }
    if (!startsOurs(wordsIn(text, own))) return NOT_OURS
    const there = text.slice(own.start, own.end)
    return { ok: true, text: there === wanted ? text : text.slice(0, own.start) + wanted + text.slice(own.end) }
  },

  /** Including what belongs to it, such as which of its tools need no approval. */
  remove(text) {
    const found = tablesOf(text)
    if (!("tables" in found)) return found
    const own = found.tables.find(isServer)
    if (own === undefined || !startsOurs(wordsIn(text, own))) return { ok: true, text }
    let rest = text
    for (const { start, end } of found.tables.filter(belongs).reverse()) rest = without(rest, start, end)
    return { ok: true, text: rest }
  },

  read(text) {
    const found = tablesOf(text)
    const own = "tables" in found ? found.tables.find(isServer) : undefined
    const words = own && wordsIn(text, own)
    return startsOurs(words) ? words : undefined
  },
}

function tablesOf(text: string): { tables: TomlTable[] } | Extract<Edited, { ok: false }> {
  const parsed = parseToml(text)
  return parsed.ok ? { tables: parsed.tables } : { ok: false, line: parsed.line, problem: parsed.problem }
}

function belongs({ path }: TomlTable): boolean {
  return path[0] === KEY && path[1] === SERVER
}

function isServer(table: TomlTable): boolean {
  return belongs(table) && table.path.length === 2
}

/** Servers that are written as values cannot be extended with a table. */
function otherForm(tables: readonly TomlTable[]): Edited | undefined {
  const inline = tables.some(({ path, values }) =>
    values.some((value) => {
      const whole = [...path, ...value.path]
      return whole[0] === KEY && (whole.length === 1 || (whole[1] === SERVER && path.length < 2))
    }),
  )
  return inline ? { ok: false, problem: `its "${KEY}" is not written as tables` } : undefined
}

/** All strings of its command and arguments. */
function wordsIn(text: string, { values }: TomlTable): string[] {
  const told = values.filter(({ path }) => path.length === 1 && (path[0] === "command" || path[0] === "args"))
  return told.flatMap(({ start, end }) =>
    [...text.slice(start, end).matchAll(/"((?:[^"\\]|\\.)*)"|'([^']*)'/g)].map(
      ([, basic, literal]) => literal ?? unescaped(basic ?? ""),
    ),
  )
}

function unescaped(text: string): string {
  return text.replace(/\\(["\\])/g, "$1")
}

function printed({ command, args, env }: ServerProgram): string[] {
  const variables = Object.entries(env).map(([name, value]) => `${name} = ${quoted(value)}`)
  return [
    `[${KEY}.${SERVER}]`,
    `command = ${quoted(command)}`,
    `args = [${args.map(quoted).join(", ")}]`,
    ...(variables.length === 0 ? [] : [`env = { ${variables.join(", ")} }`]),
  ]
}

/** A TOML basic string; TOML understands JSON's escapes. */
function quoted(text: string): string {
  return JSON.stringify(text).replaceAll("\u007f", "\\u007f")
}

/** At the end, after an empty line. */
function joined(text: string, table: string, line: string): string {
  if (text.trim() === "") return text + table
  return `${text}${text.endsWith("\n") ? "" : line}${line}${table}`
}

/** Including the empty line above it. */
function without(text: string, start: number, end: number): string {
  const before = text.slice(0, start)
  return before.replace(/(^|\n)\r?\n$/, "$1") + text.slice(end)
}
