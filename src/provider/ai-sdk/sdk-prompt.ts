// From our messages to the SDK's prompt. Each message is translated by itself, so that appending one changes nothing
// before it; only adjacent messages of the same side are merged.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { Part, ToolResultPart } from "../../model/record/record.ts"
import { unreachable } from "../../model/unreachable.ts"
import { type Checked, checkImage } from "../catalogue/media.ts"
import type { ProviderKind } from "../catalogue/presets.ts"
import type { ModelMessage } from "../port/port.ts"
import type { Prompt, PromptMessage, ProviderOptions } from "./sdk.ts"

type User = Extract<PromptMessage, { role: "user" }>
type Assistant = Extract<PromptMessage, { role: "assistant" }>
type Tool = Extract<PromptMessage, { role: "tool" }>
type ToolResult = Extract<Tool["content"][number], { type: "tool-result" }>

export interface PromptTarget {
  provider: string
  kind: ProviderKind
  /** False: images and files are described in words instead. */
  images: boolean
  /** Called with a notice for each part that is described in words because it would be refused. */
  left?(text: string): void
}

/** A part's metadata with its provider. It is sent to no other provider. */
export function metaFor(provider: string, data: JsonObject | undefined): JsonObject {
  return data === undefined ? { by: provider } : { by: provider, data }
}

export function promptOf(messages: readonly ModelMessage[], target: PromptTarget): Prompt {
  const translator = new Translator(target)
  for (const message of messages) translator.add(message)
  return translator.prompt
}

class Translator {
  readonly prompt: Prompt = []
  readonly #target: PromptTarget
  readonly #names = new Map<string, string>()

  constructor(target: PromptTarget) {
    this.#target = target
  }

  add(message: ModelMessage): void {
    switch (message.role) {
      case "system":
        this.#system(textsOf(message.content).join("\n\n"))
        return
      case "user":
        this.#user(message.content)
        return
      case "assistant":
        this.#assistant(message.content)
        return
      case "tool":
        this.#tool(message.content)
        return
      default:
        unreachable(message.role)
    }
  }

  /** The leading ones form one system prompt; providers refuse or move a later one, so it is sent as a user message. */
  #system(text: string): void {
    const last = this.prompt.at(-1)
    if (text.trim() === "") return
    if (last === undefined) this.prompt.push({ role: "system", content: text })
    else if (last.role === "system") last.content = `${last.content}\n\n${text}`
    else this.#user([{ type: "text", text: `<system>${text}</system>` }])
  }

  #user(parts: readonly Part[]): void {
    const content = parts.flatMap((part) => this.#userPart(part))
    const last = this.prompt.at(-1)
    if (content.length === 0) return
    if (last?.role === "user") last.content.push(...content)
    else this.prompt.push({ role: "user", content })
  }

  #userPart(part: Part): User["content"] {
    // Providers refuse a text that is empty or blank.
    if (part.type === "text") return part.text?.trim() ? [{ type: "text", text: part.text }] : []
    if (part.type !== "image" && part.type !== "file") return []
    if (part.data === undefined) return [omitted(part, "it is no longer there")]
    const { data } = part
    if (isText(part.mediaType)) return textFile(data)
    const checked = this.#target.images ? checkMedia(part.mediaType, data) : NO_MEDIA
    if (!checked.ok) {
      this.#target.left?.(`The model does not see an attachment of type ${part.mediaType}, because ${checked.problem}.`)
      return [omitted(part, checked.problem)]
    }
    const { mediaType } = checked
    const name = part.type === "file" && part.name !== undefined ? { filename: part.name } : {}
    return [{ type: "file", mediaType, data, ...name }]
  }

  /** Thinking that led to nothing is not sent: no provider accepts an answer without text or calls. */
  #assistant(parts: readonly Part[]): void {
    const content = parts.flatMap((part) => this.#assistantPart(part))
    if (content.some(({ type }) => type !== "reasoning")) this.prompt.push({ role: "assistant", content })
  }

  #assistantPart(part: Part): Assistant["content"] {
    switch (part.type) {
      case "text":
        return part.text?.trim() ? [{ type: "text", text: part.text, ...this.#options(part.meta) }] : []
      case "reasoning":
        return part.meta?.by === this.#target.provider
          ? [{ type: "reasoning", text: part.text, ...this.#options(part.meta) }]
          : []
      case "tool-call": {
        this.#names.set(part.call, part.name)
        const call = { toolCallId: this.#callId(part.call), toolName: part.name, input: inputOf(part.input) }
        return [{ type: "tool-call", ...call, ...this.#options(part.meta) }]
      }
      case "image":
      case "file":
      case "tool-result":
      case "unknown":
        return []
      default:
        return unreachable(part)
    }
  }

  /**
   * The first text after the results, a checkpoint's mark, goes into the last of them: a user message there would end
   * the turn for models that keep their reasoning only until the next one, and makes others answer nothing. Later
   * additions follow as a user message, so that nothing already sent changes.
   */
  #tool(parts: readonly Part[]): void {
    const results = parts.filter((part) => part.type === "tool-result")
    const others = parts.filter((part) => part.type !== "tool-result")
    const mark = results.length > 0 && others[0]?.type === "text" ? others.shift() : undefined
    const marked = (index: number) => (mark?.type === "text" && index === results.length - 1 ? mark.text : "")
    const content = results.map((part, index) => this.#result(part, marked(index)))
    if (content.length > 0) this.prompt.push({ role: "tool", content })
    const media = this.#mediaInResult() ? [] : results.flatMap((part) => part.media ?? [])
    this.#user([...media, ...others])
  }

  #result(part: ToolResultPart, mark: string): ToolResult {
    const toolName = part.name ?? this.#names.get(part.call) ?? "tool"
    const base = { type: "tool-result", toolCallId: this.#callId(part.call), toolName } as const
    const text = part.output ?? "(the output is no longer there)"
    const media = this.#mediaInResult() ? (part.media ?? []).flatMap((item) => this.#resultMedia(item)) : []
    if (media.length > 0) {
      const texts = (each: string) => (each.trim() === "" ? [] : [{ type: "text" as const, text: each }])
      return { ...base, output: { type: "content", value: [...texts(text), ...media, ...texts(mark)] } }
    }
    const value = [text, mark].filter((each) => each !== "").join("\n\n")
    return { ...base, output: { type: part.error === true ? "error-text" : "text", value } }
  }

  #resultMedia(part: Part): Extract<ToolResult["output"], { type: "content" }>["value"] {
    return this.#userPart(part).map((item) => {
      if (item.type === "text") return { type: "text", text: item.text }
      const type = item.mediaType.startsWith("image/") ? ("image-data" as const) : ("file-data" as const)
      return { type, mediaType: item.mediaType, data: String(item.data) }
    })
  }

  /** Chat completions have no place for media in a tool's result: there they follow as a user message. */
  #mediaInResult(): boolean {
    return this.#target.kind === "anthropic" || this.#target.kind === "google"
  }

  #options(meta: JsonObject | undefined): { providerOptions?: ProviderOptions } {
    if (meta?.by !== this.#target.provider || !isObject(meta.data)) return {}
    return { providerOptions: meta.data as ProviderOptions }
  }

  /** Anthropic accepts only some characters; another provider's call may have others. */
  #callId(call: string): string {
    return this.#target.kind === "anthropic" ? call.replaceAll(/[^a-zA-Z0-9_-]/g, "_") : call
  }
}

function textsOf(parts: readonly Part[]): string[] {
  return parts.flatMap((part) => (part.type === "text" && part.text !== undefined ? [part.text] : []))
}

/** Every provider requires an object here; anything else is shown to the model as it was. */
function inputOf(input: Json): JsonObject {
  return isObject(input) ? input : { input }
}

/** An SVG is text, and no provider accepts it as an image. */
function isText(mediaType: string): boolean {
  return mediaType.startsWith("text/") || mediaType.startsWith("image/svg")
}

function textFile(data: string): { type: "text"; text: string }[] {
  const text = Buffer.from(data, "base64").toString("utf8")
  return text.trim() === "" ? [] : [{ type: "text", text }]
}

const NO_MEDIA: Checked = { ok: false, problem: "this model takes none" }

function checkMedia(mediaType: string, data: string): Checked {
  if (mediaType.startsWith("image/")) return checkImage(data)
  return mediaType === "application/pdf"
    ? { ok: true, mediaType }
    : { ok: false, problem: "no provider takes that type" }
}

function omitted(part: { mediaType: string }, why: string): { type: "text"; text: string } {
  return { type: "text", text: `[${part.mediaType} left out: ${why}]` }
}
