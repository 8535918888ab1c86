// Who said what in a pi session, and its parts as ours.
import type { Json, JsonObject } from "../../model/json.ts"
import { isObject } from "../../model/json.ts"
import type { Origin, Role } from "../../model/record/origin.ts"
import type { Part } from "../../model/record/record.ts"
import { numberField, objectField, textField } from "../shared/json-line.ts"
import { authorByMark } from "../shared/retcon-mark.ts"
import { unwrappedInput } from "../shared/step-parts.ts"

interface PiAuthor {
  role: Role
  origin: Origin
  turn?: true
}

const SAID: Readonly<Record<string, PiAuthor>> = {
  user: { role: "user", origin: "prompt" },
  assistant: { role: "assistant", origin: "agent" },
  toolResult: { role: "tool", origin: "tool" },
  bashExecution: { role: "user", origin: "shell" },
  custom: { role: "user", origin: "injection" },
  // The name in version 2.
  hookMessage: { role: "user", origin: "injection" },
}

/** Undefined for what is not a message. */
export function originOf(line: JsonObject): PiAuthor | undefined {
  return authorByMark(line, byType(line))
}

function byType(line: JsonObject): PiAuthor | undefined {
  if (line.type === "branch_summary") return { role: "user", origin: "summary" }
  if (line.type === "custom_message") return { role: "user", origin: "injection" }
  return line.type === "message" ? SAID[textField(objectField(line, "message"), "role") ?? ""] : undefined
}

/** What the person typed, if it is a prompt. */
export function promptText(line: JsonObject): string | undefined {
  if (originOf(line)?.origin !== "prompt") return undefined
  const texts = partsOf(line).flatMap((part) => (part.type === "text" ? [part.text] : []))
  return texts.join("\n")
}

export function partsOf(line: JsonObject): Part[] {
  const message = objectField(line, "message")
  if (line.type === "branch_summary") return branchSummary(textField(line, "summary") ?? "")
  if (line.type === "custom_message") return contentOf(line.content)
  if (message === undefined) return []
  if (message.role === "toolResult") return [resultOf(message)]
  if (message.role === "bashExecution") {
    // A `!!` command is not for the model.
    return message.excludeFromContext === true ? [] : [{ type: "text", text: shellText(message) }]
  }
  return contentOf(message.content)
}

export function contentOf(content: Json | undefined): Part[] {
  if (typeof content === "string") return content === "" ? [] : [{ type: "text", text: content }]
  return Array.isArray(content) ? content.map(partOf) : []
}

function partOf(value: Json): Part {
  const raw = isObject(value) ? value : { value }
  const [text, data, mediaType] = [textField(raw, "text"), textField(raw, "data"), textField(raw, "mimeType")]
  if (raw.type === "text" && text !== undefined) return { type: "text", text }
  if (raw.type === "thinking" && typeof raw.thinking === "string") return { type: "reasoning", text: raw.thinking }
  if (raw.type === "image" && data !== undefined && mediaType !== undefined) return { type: "image", mediaType, data }
  const [call, name] = [textField(raw, "id"), textField(raw, "name")]
  if (raw.type === "toolCall" && call !== undefined && name !== undefined) {
    return { type: "tool-call", call, name, input: unwrappedInput(raw, raw.arguments ?? {}) }
  }
  return { type: "unknown", raw }
}

function resultOf(message: JsonObject): Part {
  const parts = contentOf(message.content)
  const output = parts.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  const media = parts.filter(({ type }) => type !== "text")
  const name = textField(message, "toolName")
  return {
    type: "tool-result",
    call: textField(message, "toolCallId") ?? "",
    ...(name !== undefined && { name }),
    output,
    ...(message.isError === true && { error: true as const }),
    ...(media.length > 0 && { media }),
  }
}

export function shellText(message: JsonObject): string {
  const [command, output] = [textField(message, "command") ?? "", textField(message, "output") ?? ""]
  const texts = [`Ran \`${command}\`\n${output === "" ? "(no output)" : `\`\`\`\n${output}\n\`\`\``}`]
  const [code, file] = [numberField(message, "exitCode") ?? 0, textField(message, "fullOutputPath")]
  if (message.cancelled === true) texts.push("(command cancelled)")
  else if (code !== 0) texts.push(`Command exited with code ${code}`)
  if (message.truncated === true && file !== undefined) texts.push(`[Output truncated. Full output: ${file}]`)
  return texts.join("\n\n")
}

/** pi does not send an empty one. */
function branchSummary(summary: string): Part[] {
  if (summary === "") return []
  const intro = "The following is a summary of a branch that this conversation came back from:"
  return [{ type: "text", text: `${intro}\n\n<summary>\n${summary}</summary>` }]
}
