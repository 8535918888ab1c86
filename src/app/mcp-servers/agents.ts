// The agents whose settings we know, and where each keeps its MCP servers.
import { existsSync } from "node:fs"
import { join } from "node:path"
import { codexHome } from "../../formats/codex/rollouts.ts"
import { geminiFolder } from "../../formats/gemini-cli/place.ts"
import type { AgentHomes } from "../../formats/port.ts"
import { appendPart, removePart, replaceValue } from "../../hooks/json-edit.ts"
import { type JsonNode, jsonOf, memberOf, parseText } from "../../hooks/json-text.ts"
import type { Edited } from "../../hooks/port.ts"
import { isObject, type Json } from "../../model/json.ts"
import { NOT_OURS, SERVER, type ServerProgram, type ServerSettings, startsOurs } from "./port.ts"
import { tomlServers } from "./toml-servers.ts"

const apart = ({ command, args, env }: ServerProgram) => ({
  command,
  args,
  ...(Object.keys(env).length > 0 && { env }),
})

export const SERVER_SETTINGS: readonly ServerSettings[] = [
  {
    name: "claude",
    agent: "claude-code",
    title: "Claude Code",
    file: ({ home, env }, cwd) =>
      cwd === undefined ? join(env.CLAUDE_CONFIG_DIR || home, ".claude.json") : join(cwd, ".mcp.json"),
    ...jsonServers({ key: "mcpServers", comments: false, entry: (program) => ({ type: "stdio", ...apart(program) }) }),
    note: "Sessions that are already running get it after a restart. See it there with /mcp.",
  },
  {
    name: "codex",
    agent: "codex",
    title: "Codex",
    file: (homes, cwd) => join(cwd === undefined ? codexHome(homes) : join(cwd, ".codex"), "config.toml"),
    ...tomlServers,
    note: "Sessions that are already running get it after a restart. See it there with /mcp.",
  },
  {
    name: "cursor",
    agent: "cursor",
    title: "Cursor",
    file: ({ home }, cwd) => join(cwd ?? home, ".cursor", "mcp.json"),
    ...jsonServers({ key: "mcpServers", comments: true, entry: apart }),
    note: "Turn it on in Cursor's MCP settings.",
  },
  {
    name: "gemini",
    agent: "gemini-cli",
    title: "Gemini CLI",
    file: (homes, cwd) => join(cwd === undefined ? geminiFolder(homes) : join(cwd, ".gemini"), "settings.json"),
    ...jsonServers({ key: "mcpServers", comments: true, entry: apart }),
    note: "Sessions that are already running get it after a restart. See it there with /mcp.",
  },
  {
    name: "opencode",
    agent: "opencode",
    title: "opencode",
    file: opencodeFile,
    ...jsonServers({
      key: "mcp",
      comments: true,
      entry: ({ command, args, env }) => ({
        type: "local",
        command: [command, ...args],
        ...(Object.keys(env).length > 0 && { environment: env }),
        enabled: true,
      }),
    }),
    note: "Sessions that are already running get it after a restart.",
  },
]

/** Whichever exists; opencode reads both names. */
function opencodeFile({ home, env }: AgentHomes, cwd?: string): string {
  const folder = cwd ?? join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode")
  const commented = join(folder, "opencode.jsonc")
  return existsSync(commented) ? commented : join(folder, "opencode.json")
}

/** A prefix is enough, and so is retcon's own name for the agent. */
export function settingsOf(typed: string): ServerSettings | undefined {
  const name = typed.toLowerCase()
  return SERVER_SETTINGS.find((each) => name !== "" && (each.name.startsWith(name) || each.agent === name))
}

interface JsonStyle {
  /** The member with the servers. */
  key: string
  /** Comments are allowed. */
  comments: boolean
  entry(program: ServerProgram): Json
}

/** MCP servers in a JSON file: an object by name, in one member of the file. */
function jsonServers(style: JsonStyle): Pick<ServerSettings, "add" | "remove" | "read"> {
  return {
    add: (text, program) => added(text.trim() === "" ? "{}\n" : text, style, style.entry(program)),
    remove: (text) => removed(text, style),
    read: (text) => wordsOf(serverIn(text, style)),
  }
}

function added(text: string, style: JsonStyle, entry: Json): Edited {
  const root = rootOf(text, style)
  if (!("kind" in root)) return root
  const servers = memberOf(root, style.key)
  if (servers === undefined) return added(appendPart(text, root, {}, style.key), style, entry)
  if (servers.kind !== "object") return { ok: false, problem: `its "${style.key}" is not an object` }
  const there = memberOf(servers, SERVER)
  if (there === undefined) return { ok: true, text: appendPart(text, servers, entry, SERVER) }
  if (!startsOurs(wordsOf(there))) return NOT_OURS
  const same = JSON.stringify(jsonOf(there)) === JSON.stringify(entry)
  return { ok: true, text: same ? text : replaceValue(text, there, entry) }
}

/** Removes it, and whatever contained only it. */
function removed(text: string, style: JsonStyle): Edited {
  const root = rootOf(text, style)
  if (!("kind" in root)) return root
  const servers = memberOf(root, style.key)
  if (servers?.kind !== "object" || wordsOf(serverIn(text, style)) === undefined) return { ok: true, text }
  const [from, key] = servers.parts.length > 1 ? [servers, SERVER] : [root, style.key]
  const place = from.parts.findIndex((part) => part.key === key)
  return { ok: true, text: removePart(text, from, place) }
}

type ObjectNode = Extract<JsonNode, { kind: "object" }>

function rootOf(text: string, { key, comments }: JsonStyle): ObjectNode | Extract<Edited, { ok: false }> {
  const parsed = parseText(text, comments)
  if (!parsed.ok) return { ok: false, line: parsed.line, problem: parsed.problem }
  const { root } = parsed
  if (root.kind !== "object") return { ok: false, problem: "it is not an object" }
  const twice = root.parts.filter((part) => part.key === key).length > 1
  return twice ? { ok: false, problem: `it has "${key}" twice` } : root
}

function serverIn(text: string, style: JsonStyle): JsonNode | undefined {
  const root = text.trim() === "" ? undefined : rootOf(text, style)
  return root !== undefined && "kind" in root ? memberOf(memberOf(root, style.key), SERVER) : undefined
}

/** The command with its arguments, in one list or separate. Undefined: it is not ours. */
function wordsOf(node: JsonNode | undefined): string[] | undefined {
  const value = node && jsonOf(node)
  if (!isObject(value)) return undefined
  const words = [value.command, value.args].flat().filter((word) => typeof word === "string")
  return startsOurs(words) ? words : undefined
}
