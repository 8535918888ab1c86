// MCP servers in a JSON file: an object by name, in one member of the file.
import { appendPart, removePart, replaceValue } from "../../hooks/json-edit.ts"
import { type JsonNode, jsonOf, memberOf, parseText } from "../../hooks/json-text.ts"
import type { Edited } from "../../hooks/port.ts"
import { isObject, type Json } from "../../model/json.ts"
import { NOT_OURS, SERVER, type ServerProgram, type ServerSettings, startsOurs } from "./port.ts"

interface JsonStyle {
  /** The member with the servers. */
  key: string
  /** Comments are allowed. */
  comments: boolean
  entry(program: ServerProgram): Json
}

export function jsonServers(style: JsonStyle): Pick<ServerSettings, "add" | "remove" | "read"> {
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
