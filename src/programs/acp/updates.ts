// What an agent tells while it works on a prompt, in the port's words. Its updates have no steps: one begins with what it says or
// does after the calls before have ended.
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import type { Usage } from "../../model/record/record.ts"
import type { ProgramEvent } from "../port.ts"

export interface TurnUpdates {
  /** Contract: an update of an unknown kind or shape is passed over. */
  take(update: JsonObject): void
  /** What is known of a call, for a question about it. The question may be the first that is heard of it. */
  call(fields: JsonObject): JsonObject
  /** `answer`: of the request. */
  end(answer: JsonObject): void
}

interface KnownCall {
  fields: JsonObject
  isTold: boolean
  ended: boolean
}

/** `callPrefix`: what the program puts in front of the ids that calls have in its file. */
export function turnUpdates(told: (event: ProgramEvent) => void, callPrefix = /^(?!)/): TurnUpdates {
  const calls = new Map<string, KnownCall>()
  /** What is being said. */
  let saying: "text" | "reasoning" | undefined
  /** `called`: the next thing said begins another step. */
  let step: "none" | "said" | "called" = "none"

  function quiet(): void {
    if (saying !== undefined) told({ type: `${saying}-end` })
    saying = undefined
  }
  function begin(): void {
    if (step === "said") return
    if (step === "called") told({ type: "step-end", usage: {} })
    step = "said"
    told({ type: "step-start" })
  }
  function say(kind: "text" | "reasoning", content: Json | undefined): void {
    const text = isObject(content) && content.type === "text" ? textOf(content.text) : ""
    if (text === "") return
    if (saying !== kind) quiet()
    begin()
    saying = kind
    told({ type: `${kind}-delta`, text })
  }
  function known(fields: JsonObject): KnownCall {
    const id = textOf(fields.toolCallId).replace(callPrefix, "")
    const call = calls.get(id) ?? { fields: {}, isTold: false, ended: false }
    const given = Object.entries(fields).filter(([, value]) => value !== null)
    call.fields = { ...call.fields, ...Object.fromEntries(given), toolCallId: id }
    calls.set(id, call)
    return call
  }
  function tell(call: KnownCall): void {
    if (call.isTold) return
    call.isTold = true
    quiet()
    begin()
    told({
      type: "tool-start",
      call: textOf(call.fields.toolCallId),
      name: toolName(call.fields),
      input: inputOf(call.fields),
    })
  }
  function called(fields: JsonObject): void {
    const call = known(fields)
    const { status } = call.fields
    const hasEnded = status === "completed" || status === "failed"
    // A call that has not begun, or whose input is still being written, may say later what it is.
    if (hasEnded || isObject(givenInput(call.fields)) || (status === "in_progress" && !isWriting(call.fields)))
      tell(call)
    if (!hasEnded || call.ended) return
    call.ended = true
    step = "called"
    told({
      type: "tool-end",
      call: textOf(call.fields.toolCallId),
      output: outputOf(call.fields),
      error: status === "failed",
    })
    told({ type: "grown" })
  }

  return {
    take(update) {
      switch (textOf(update.sessionUpdate)) {
        case "agent_message_chunk":
          return say("text", update.content)
        case "agent_thought_chunk":
          return say("reasoning", update.content)
        case "tool_call":
        case "tool_call_update":
          return called(update)
        default:
          return undefined
      }
    },
    call(fields) {
      const call = known(fields)
      tell(call)
      return call.fields
    },
    end(answer) {
      quiet()
      if (step !== "none") told({ type: "step-end", usage: usageOf(answer) })
      told({ type: "grown" })
    },
  }
}

/** Its name for the model if it says that, otherwise its title. */
export function toolName({ name, title, kind }: JsonObject): string {
  return textOf(name) || textOf(title) || textOf(kind)
}

function inputOf(call: JsonObject): Json {
  const { title, locations } = call
  const [first] = Array.isArray(locations) ? locations.filter(isObject) : []
  const about = { ...(typeof title === "string" && { description: title }), ...(first && { path: first.path ?? null }) }
  return givenInput(call) ?? about
}

/** Some give it as a text that grows, while the model writes it. */
function givenInput(call: JsonObject): JsonObject | undefined {
  const { rawInput } = call
  if (isObject(rawInput) && Object.keys(rawInput).length > 0) return rawInput
  const parsed = parseJson(isWriting(call) ? textsIn(call.content).join("") : "")
  return parsed.ok && isObject(parsed.value) ? parsed.value : undefined
}

function isWriting({ content, status }: JsonObject): boolean {
  return (status === "pending" || status === "in_progress") && textsIn(content).join("").startsWith("{")
}

/** The texts in a call's content, without its diffs. */
export function textsIn(content: Json | undefined): string[] {
  const items = Array.isArray(content) ? content.filter(isObject) : []
  return items.flatMap(({ content }) => (isObject(content) && content.type === "text" ? [textOf(content.text)] : []))
}

function outputOf({ content, rawOutput }: JsonObject): string {
  const texts = textsIn(content)
  if (texts.length > 0) return texts.join("\n")
  return typeof rawOutput === "string" ? rawOutput : rawOutput === undefined ? "" : JSON.stringify(rawOutput)
}

/** The protocol's own counts, or those that Gemini CLI and Qwen Code put beside them. */
function usageOf({ usage, _meta }: JsonObject): Usage {
  const meta = isObject(_meta) ? _meta : {}
  const quota = isObject(meta.quota) ? meta.quota : {}
  const counts = [usage, quota.token_count, meta.usage].find(isObject) ?? {}
  const count = (key: keyof Usage, ...names: string[]) => {
    const value = names.map((name) => counts[name]).find((each) => typeof each === "number")
    return value === undefined ? {} : { [key]: value }
  }
  return {
    ...count("input", "inputTokens", "input_tokens"),
    ...count("output", "outputTokens", "output_tokens"),
    ...count("cacheRead", "cachedReadTokens"),
    ...count("cacheWrite", "cachedWriteTokens"),
  }
}

export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : ""
}
