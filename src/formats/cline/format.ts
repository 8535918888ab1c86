// Sessions of Cline, and of Roo Code and Kilo Code, which began as Cline: a JSON file per session, rewritten as it grows.
import { existsSync } from "node:fs"
import type { JsonObject } from "../../model/json.ts"
import type { Part, Usage } from "../../model/record/record.ts"
import { sessionIdOf } from "../ids.ts"
import type { Format, GlanceInput, SessionPlace } from "../port.ts"
import { partsOf } from "../shared/anthropic-parts.ts"
import { numberField, objectField, textField } from "../shared/json-line.ts"
import { lineFormat, type SaidLine } from "../shared/line-format.ts"
import { readHead } from "../shared/read-head.ts"
import { factsOf, linesAt } from "./messages.ts"
import {
  besideOf,
  conversationIn,
  type FamilyMember,
  isConversation,
  isOwn,
  nameOf,
  placeAt,
  placesIn,
} from "./place.ts"

const MEMBERS = {
  cline: { agent: "cline", extension: "saoudrizwan.claude-dev" },
  kiloCode: { agent: "kilo-code", extension: "kilocode.kilo-code" },
  rooCode: { agent: "roo-code", extension: "rooveterinaryinc.roo-cline" },
}

export const cline = memberFormat(MEMBERS.cline)
export const kiloCode = memberFormat(MEMBERS.kiloCode)
export const rooCode = memberFormat(MEMBERS.rooCode)

function memberFormat(member: FamilyMember): Format {
  const { agent } = member
  return lineFormat({
    agent,
    fields: { at: "ts" },
    find: (homes) => placesIn(member, homes),
    session(line) {
      const name = textField(line, "name")
      if (line.type !== "session" || name === undefined) return undefined
      const [cwd, title, at] = ["cwd", "title", "at"].map((field) => textField(line, field))
      return { name, cwd, title, at }
    },
    title: (line) => (line.type === "session" ? textField(line, "title") : undefined),
    classify,
    glance: (place, look) => glanceAt(agent, place, look),
    detect({ path, head, names }) {
      const file = names === undefined ? path : conversationIn(path, names)
      return file !== undefined && isOf(member, file, head ?? readHead(file)) ? placeAt(file) : undefined
    },
    files: ({ main }) => besideOf(main),
    load: (place) => () => linesAt(place),
    beside: ({ main }) =>
      besideOf(main)
        .slice(0, 1)
        .filter((file) => existsSync(file)),
    // An extension continues a session only from its own list, in the editor.
    resume: (name, { main }) => (isOwn(main) ? ["cline", "--id", name] : ["code"]),
  })
}

/** A file of the others is in a folder with the name of their extension. */
function isOf({ extension, agent }: FamilyMember, path: string, head: Buffer): boolean {
  if (!isConversation(path) || !/^\s*(?:\[|\{[^[]*"messages"\s*:\s*\[)/.test(head.toString("utf8"))) return false
  const others = Object.values(MEMBERS).filter((each) => each.agent !== agent)
  return agent === "cline" ? !others.some((each) => path.includes(each.extension)) : path.includes(extension)
}

function glanceAt(agent: string, { main: path }: SessionPlace, { head, read }: GlanceInput) {
  const name = nameOf(path)
  const facts = factsOf(path, read)
  const text = head.toString("utf8")
  if (!/^\s*[[{]/.test(text)) return undefined
  const [, told] = /# Current (?:Working Directory|Workspace Directory) \((.+?)\) Files/.exec(text) ?? []
  const [, task] = /<(?:task|user_message|user_input[^>]*)>(?:\\n)?(.*?)(?:\\n)?<\//.exec(text) ?? []
  return { name, id: sessionIdOf(agent, name), cwd: facts.cwd ?? told, title: facts.title ?? task }
}

/** What a person typed is in one of these. */
const TYPED = /<(task|feedback|user_message|answer|user_input)(?: [^>]*)?>\n?([\s\S]*?)\n?<\/\1>/

function classify(line: JsonObject): SaidLine | undefined {
  if (line.type !== "message") return undefined
  const { content: raw, role } = line
  const content = partsOf(raw)
  if (content.length === 0) return undefined
  const why = `role is "${textField(line, "role") ?? ""}"`
  if (line.isSummary === true)
    return { role: "user", origin: "summary", why: "isSummary is true", content, summary: true }
  if (role === "assistant") {
    const model =
      textField(objectField(line, "modelInfo"), "id") ?? textField(objectField(line, "modelInfo"), "modelId")
    return { role: "assistant", origin: "agent", why, content, model, usage: usageOf(objectField(line, "metrics")) }
  }
  if (role !== "user") return undefined
  if (content.some(({ type }) => type === "tool-result")) {
    return { role: "tool", origin: "tool", why: "it has a tool_result", content }
  }
  return userOf(content)
}

function userOf(content: Part[]): SaidLine {
  const texts = content.flatMap((part) => (part.type === "text" ? [part.text ?? ""] : []))
  const typed = texts.flatMap((text) => TYPED.exec(text) ?? [])
  const [, tag, inner] = typed
  if (tag !== undefined)
    return { role: "user", origin: "prompt", why: `it has <${tag}>`, content, display: inner ?? "" }
  // The results of its older tools, errors and the state of the editor are texts too.
  const own = texts.find((text) => /^\s*(?:\[|<environment_details>|<explicit_instructions)/.test(text))
  if (own !== undefined) {
    return { role: "user", origin: "injection", why: `its text begins with "${own.trim().slice(0, 30)}"`, content }
  }
  return { role: "user", origin: "prompt", why: "nothing says otherwise", content }
}

/** The cached tokens are among the input's. */
function usageOf(metrics: JsonObject | undefined): Usage | undefined {
  if (metrics === undefined) return undefined
  const tokens = objectField(metrics, "tokens") ?? metrics
  const count = (...fields: string[]) =>
    Math.max(0, fields.map((field) => numberField(tokens, field)).find((n) => n !== undefined) ?? 0)
  const [cacheRead, cacheWrite] = [count("cacheReadTokens", "cached"), count("cacheWriteTokens")]
  return {
    input: Math.max(0, count("inputTokens", "prompt") - cacheRead - cacheWrite),
    output: count("outputTokens", "completion"),
    ...(cacheRead > 0 && { cacheRead }),
    ...(cacheWrite > 0 && { cacheWrite }),
  }
}
