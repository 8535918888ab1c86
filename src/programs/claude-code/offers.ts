// What Claude Code offers: its slash commands, models and permission modes.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { OfferedChoice, OfferedCommand, Offers } from "../../model/offers.ts"
import { textOf } from "./stream.ts"

/** Those that a person can set while it runs; to pass over all questions, they start it that way. */
const MODES: readonly OfferedChoice[] = [
  { id: "default", name: "default", about: "asks before it changes anything" },
  { id: "acceptEdits", name: "acceptEdits", about: "edits files without asking" },
  { id: "plan", name: "plan", about: "plans, and changes nothing" },
]

/** These need its own screen, or end the conversation that retcon shows. */
const NOT_HERE = new Set(["clear", "resume", "exit", "quit", "login", "logout", "config", "color", "focus", "rewind"])

/** `answer`: its answer to `initialize`. */
export function offersOf(answer: JsonObject): Offers {
  return {
    images: true,
    files: true,
    steer: true,
    modes: MODES,
    models: objects(answer.models).map(modelOf),
    efforts: [],
    commands: objects(answer.commands).map(commandOf).filter(isOffered),
    ...(typeof answer.current_permission_mode === "string" && { mode: answer.current_permission_mode }),
  }
}

/** `said`: what it says at the start of a turn. */
export function settingsOf(offers: Offers, { model, permissionMode }: JsonObject): Offers {
  return {
    ...offers,
    ...(typeof model === "string" && { model }),
    ...(typeof permissionMode === "string" && { mode: permissionMode }),
  }
}

function modelOf({ value, displayName, description }: JsonObject): OfferedChoice {
  const id = textOf(value)
  return { id, name: textOf(displayName) || id, about: textOf(description) }
}

function commandOf({ name, description, argumentHint }: JsonObject): OfferedCommand {
  const hint = textOf(argumentHint)
  const about = textOf(description).split("\n", 1)[0] ?? ""
  return { name: textOf(name), about, ...(hint !== "" && { hint }) }
}

function isOffered({ name }: OfferedCommand): boolean {
  return /^[a-z][\w:-]*$/i.test(name) && !NOT_HERE.has(name)
}

function objects(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isObject) : []
}
