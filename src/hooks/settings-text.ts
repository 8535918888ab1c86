// Hooks in a settings file: `hooks`, then lists of groups by event, each with a matcher and commands.
import type { Json, JsonObject } from "../model/json.ts"
import { hookCommand, readCommand } from "./command.ts"
import { appendPart, removePart, replaceValue } from "./json-edit.ts"
import { type JsonNode, jsonOf, memberOf, parseText } from "./json-text.ts"
import type { Edited, HookSettings } from "./port.ts"

/** One entry: when to run the hook. */
interface HookedEvent {
  event: string
  /** Only for these tools, as a regular expression. */
  matcher?: string
}

/** How an agent reads the file. */
interface SettingsStyle {
  events: readonly HookedEvent[]
  /** Comments are allowed. */
  comments: boolean
  /** Other fields of a command, such as its time limit. */
  more: JsonObject
}

/** The settings of an agent that keeps its hooks this way. */
export function jsonSettings(agent: string, file: HookSettings["file"], style: SettingsStyle): HookSettings {
  return {
    file,
    add: (text, program) => withHooks(text, hookCommand(program, agent), style),
    remove: (text) => withoutHooks(text, style),
    read: (text) => installedIn(text, style),
  }
}

/** Adds our hooks, all with this command, and updates those already there. */
function withHooks(text: string, command: string, style: SettingsStyle): Edited {
  let edited: Edited = checked(text.trim() === "" ? "{}\n" : text, style)
  for (const wanted of style.events) {
    if (!edited.ok) return edited
    edited = withEvent(edited.text, wanted, command, style)
  }
  return edited
}

function withEvent(text: string, wanted: HookedEvent, command: string, style: SettingsStyle): Edited {
  const { event, matcher } = wanted
  const root = rootOf(text, style)
  const hooks = memberOf(root, "hooks")
  if (root?.kind !== "object") return NOT_AN_OBJECT
  if (hooks === undefined) return withEvent(appendPart(text, root, {}, "hooks"), wanted, command, style)
  if (hooks.kind !== "object") return { ok: false, problem: `its "hooks" is not an object` }
  const group = { ...(matcher !== undefined && { matcher }), hooks: [{ type: "command", command, ...style.more }] }
  const groups = memberOf(hooks, event)
  if (groups === undefined) return { ok: true, text: appendPart(text, hooks, [group], event) }
  if (groups.kind !== "list") return { ok: false, problem: `"hooks.${event}" is not a list` }
  if (!covers(groups, wanted)) {
    const without = withoutOne(text, style, event)
    if (without !== undefined) return withEvent(without, wanted, command, style)
  }
  const [first] = groups.parts.flatMap(({ node }) => ownCommands(node))
  if (first === undefined) return { ok: true, text: appendPart(text, groups, group) }
  const place = memberOf(first.node, "command")
  if (place === undefined || jsonOf(place) === command) return { ok: true, text }
  return { ok: true, text: replaceValue(text, place, command) }
}

/** Removes our hooks, and the groups and lists that become empty. */
function withoutHooks(text: string, style: SettingsStyle): Edited {
  const start = checked(text, style)
  if (!start.ok) return start
  let now = text
  for (let next = withoutOne(now, style); next !== undefined; next = withoutOne(now, style)) now = next
  return { ok: true, text: now }
}

/** Undefined if nothing in it is ours. `only`: of this event. */
function withoutOne(text: string, style: SettingsStyle, only?: string): string | undefined {
  const root = rootOf(text, style)
  const hooks = memberOf(root, "hooks")
  if (root?.kind !== "object" || hooks?.kind !== "object") return undefined
  for (const [place, { key, node: groups }] of hooks.parts.entries()) {
    if (groups.kind !== "list" || (only !== undefined && key !== only)) continue
    for (const [index, { node: group }] of groups.parts.entries()) {
      const commands = memberOf(group, "hooks")
      const own = ownCommands(group)[0]
      if (own === undefined || commands?.kind !== "list") continue
      if (commands.parts.length > 1) return removePart(text, commands, own.index)
      if (groups.parts.length > 1) return removePart(text, groups, index)
      if (hooks.parts.length > 1) return removePart(text, hooks, place)
      return removePart(
        text,
        root,
        root.parts.findIndex((part) => part.key === "hooks"),
      )
    }
  }
  return undefined
}

/** Whether our commands run for all that they are meant for: a person may have changed a matcher. */
function covers(groups: JsonNode, { matcher = "" }: HookedEvent): boolean {
  if (groups.kind !== "list") return false
  const own = groups.parts.filter(({ node }) => ownCommands(node).length > 0)
  const matchers = own.map(({ node }) => {
    const found = memberOf(node, "matcher")
    return found && jsonOf(found)
  })
  // One tool for each alternative; something that no list of names contains stands for all tools.
  const tools = matcher === "" ? ["any tool"] : matcher.replace(/^\^\(|\)\$$/g, "").split("|")
  return tools.every((tool) => matchers.some((each) => matches(each, tool.replaceAll(".*", "any"))))
}

function matches(matcher: Json | undefined, tool: string): boolean {
  if (matcher === undefined || matcher === "" || matcher === "*") return true
  try {
    return typeof matcher === "string" && new RegExp(`^(?:${matcher})$`).test(tool)
  } catch {
    return false
  }
}

/** Our commands in the text, by event. */
function installedIn(text: string, style: SettingsStyle): { event: string; command: string }[] {
  const hooks = memberOf(rootOf(text, style), "hooks")
  if (hooks?.kind !== "object") return []
  return hooks.parts.flatMap(({ key, node }) =>
    node.kind === "list" && covers(node, style.events.find(({ event }) => event === key) ?? { event: key })
      ? node.parts.flatMap((part) => ownCommands(part.node).map(({ command }) => ({ event: key, command })))
      : [],
  )
}

function ownCommands(group: JsonNode): { node: JsonNode; index: number; command: string }[] {
  const commands = memberOf(group, "hooks")
  if (commands?.kind !== "list") return []
  return commands.parts.flatMap(({ node }, index) => {
    const place = memberOf(node, "command")
    const command: Json | undefined = place && jsonOf(place)
    return typeof command === "string" && readCommand(command) !== undefined ? [{ node, index, command }] : []
  })
}

const NOT_AN_OBJECT: Edited = { ok: false, problem: "it is not an object" }

function checked(text: string, { comments }: SettingsStyle): Edited {
  const parsed = parseText(text, comments)
  if (!parsed.ok) return { ok: false, line: parsed.line, problem: parsed.problem }
  const { root } = parsed
  if (root.kind !== "object") return NOT_AN_OBJECT
  const twice = root.parts.filter(({ key }) => key === "hooks").length > 1
  return twice ? { ok: false, problem: `it has "hooks" twice` } : { ok: true, text }
}

function rootOf(text: string, { comments }: SettingsStyle): JsonNode | undefined {
  const parsed = parseText(text, comments)
  return parsed.ok ? parsed.root : undefined
}
