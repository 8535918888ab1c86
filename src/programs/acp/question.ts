// An agent's question to the person, with everything that it says about what would happen, and with its own options.
import { resolve } from "node:path"
import type { ApprovalAction } from "../../model/approval.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { unifiedDiff } from "../../model/text/unified-diff.ts"
import type { ProgramAnswer, ProgramOption, ProgramQuestion } from "../port.ts"
import { textOf, textsIn, toolName } from "./updates.ts"

const MEANS: Readonly<Record<string, ProgramOption["means"]>> = {
  allow_once: "once",
  allow_always: "always",
  reject_once: "no",
  reject_always: "never",
}

const NO_MORE = "The agent does not say more than this."

/** `call`: all that it has said about the call. Undefined if no option allows just this once: retcon cannot ask that. */
export function questionOf(call: JsonObject, options: Json | undefined, cwd: string): ProgramQuestion | undefined {
  const offered = (Array.isArray(options) ? options.filter(isObject) : []).flatMap((option): ProgramOption[] => {
    const kind = textOf(option.kind)
    const means = Object.hasOwn(MEANS, kind) ? MEANS[kind] : undefined
    return means === undefined ? [] : [{ id: textOf(option.optionId), words: textOf(option.name), means }]
  })
  if (!offered.some(({ means }) => means === "once")) return undefined
  const { action, warnings } = actionOf(call, cwd)
  const title = textOf(call.title) || toolName(call)
  return { call: textOf(call.toolCallId), tool: toolName(call), title, action, warnings, options: offered }
}

function actionOf(call: JsonObject, cwd: string): { action: ApprovalAction; warnings: string[] } {
  const input = isObject(call.rawInput) ? call.rawInput : {}
  const texts = textsIn(call.content).flatMap((text) => text.split("\n").filter((line) => line.trim() !== ""))
  const diffs = (Array.isArray(call.content) ? call.content.filter(isObject) : []).filter(({ type }) => type === "diff")
  const [first] = diffs
  if (first !== undefined) {
    const diff = diffs.map((each) => diffText(each, cwd)).join("")
    return { action: { kind: "write", path: resolve(cwd, textOf(first.path)), diff }, warnings: texts }
  }
  const command = commandOf(input.command)
  if (command !== undefined) {
    const folder = textOf(input.cwd) || textOf(input.directory) || textOf(input.workdir)
    const background = input.is_background === true || input.run_in_background === true
    return { action: { kind: "command", command, cwd: resolve(cwd, folder), background }, warnings: texts }
  }
  const places = Array.isArray(call.locations) ? call.locations.filter(isObject).map(({ path }) => path ?? null) : []
  const says = {
    title: call.title ?? "",
    ...input,
    ...(places.length > 0 && { locations: places }),
    ...(texts.length > 0 && { says: texts }),
  }
  return { action: { kind: "other", input: says }, warnings: Object.keys(input).length === 0 ? [NO_MORE] : [] }
}

/** An agent may name the path relative to its folder. */
function diffText({ path, oldText, newText }: JsonObject, cwd: string): string {
  const before = typeof oldText === "string" ? oldText : undefined
  return unifiedDiff(resolve(cwd, textOf(path)).replace(/^\//, ""), before, textOf(newText))
}

function commandOf(command: Json | undefined): string | undefined {
  if (Array.isArray(command))
    return command.map((word) => (typeof word === "string" ? word : JSON.stringify(word))).join(" ")
  return typeof command === "string" && command !== "" ? command : undefined
}

/** What the agent gets for an answer. `cancelled`: the question was withdrawn, or there is no option to refuse with. */
export function outcomeOf(answer: ProgramAnswer, options: readonly ProgramOption[]): Json {
  const refusing = options.find(({ means }) => means === "no")?.id
  const option = "option" in answer ? answer.option : refusing
  return option === undefined ? CANCELLED : { outcome: { outcome: "selected", optionId: option } }
}

export const CANCELLED: Json = { outcome: { outcome: "cancelled" } }
