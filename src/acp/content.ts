// What a prompt, a message and a call look like in the Agent Client Protocol.
import { isAbsolute, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import type { ApprovalAction } from "../model/approval.ts"
import { isObject, type Json, type JsonObject } from "../model/json.ts"
import type { Part } from "../model/record/record.ts"
import { unreachable } from "../model/unreachable.ts"
import type { PromptInput } from "../protocol/host.ts"

/** Mentions are within the text that the person typed; whole files follow it. */
export function promptOf(blocks: Json | undefined): PromptInput {
  const all = Array.isArray(blocks) ? blocks.filter(isObject) : []
  const typed = all.reduce((so, block) => (block.type === "text" ? so + textOf(block.text) : mentioned(so, block)), "")
  const media = all.flatMap((block): Part[] =>
    block.type === "image" ? [{ type: "image", mediaType: textOf(block.mimeType), data: textOf(block.data) }] : [],
  )
  const text = [typed.trim(), ...all.flatMap(attached)].filter((each) => each !== "").join("\n\n")
  return { text, ...(media.length > 0 && { media }) }
}

function mentioned(before: string, { type, uri, name, resource }: JsonObject): string {
  const named = type === "resource_link" ? textOf(uri) || textOf(name) : isObject(resource) ? textOf(resource.uri) : ""
  return `${before}${before === "" || /\s$/.test(before) || named === "" ? "" : " "}${pathOf(named)}`
}

function attached({ type, resource }: JsonObject): string[] {
  if (type !== "resource" || !isObject(resource) || typeof resource.text !== "string") return []
  return [`<file path=${JSON.stringify(pathOf(textOf(resource.uri)))}>\n${resource.text}\n</file>`]
}

function pathOf(uri: string): string {
  try {
    return uri.startsWith("file://") ? fileURLToPath(uri) : uri
  } catch {
    return uri
  }
}

/** A message's parts on a path that is loaded. */
export function partUpdates(part: Part, role: string, messageId: string): JsonObject[] {
  switch (part.type) {
    case "text":
      return role === "user" || role === "assistant"
        ? [{ ...chunk(role === "user" ? "user" : "agent", part.text), messageId }]
        : []
    case "reasoning":
      return [{ sessionUpdate: "agent_thought_chunk", content: text(part.text), messageId }]
    case "image": {
      const content = { type: "image", mimeType: part.mediaType, data: part.data }
      return role === "user" ? [{ sessionUpdate: "user_message_chunk", content, messageId }] : []
    }
    case "tool-call":
      return [callStart({ call: part.call, name: part.name, title: "", input: part.input })]
    case "tool-result":
      return [callEnd({ call: part.call, output: part.output, error: part.error === true })]
    case "file":
    case "unknown":
      return []
    default:
      return unreachable(part)
  }
}

export function chunk(who: "user" | "agent", words: string): JsonObject {
  return { sessionUpdate: `${who}_message_chunk`, content: text(words) }
}

export function callStart({
  call,
  name,
  title,
  input,
}: {
  call: string
  name: string
  title: string
  input: Json
}): JsonObject {
  const words = title.toLowerCase().startsWith(name.toLowerCase()) ? title : `${name} ${title}`.trim()
  return {
    sessionUpdate: "tool_call",
    toolCallId: call,
    title: words,
    name,
    kind: kindOf(name),
    status: "in_progress",
    rawInput: input,
  }
}

export function callEnd({ call, output, error }: { call: string; output: string; error: boolean }): JsonObject {
  const content = output === "" ? [] : [said(fenced(output))]
  return { sessionUpdate: "tool_call_update", toolCallId: call, status: error ? "failed" : "completed", content }
}

/** Text within a call. */
export function said(words: string): JsonObject {
  return { type: "content", content: text(words) }
}

/** Verbatim in Markdown. */
export function fenced(words: string): string {
  const longest = Math.max(2, ...[...words.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}\n${words.replace(/\n$/, "")}\n${fence}`
}

export function absolute(cwd: string, path: string): string {
  return isAbsolute(path) ? path : resolve(cwd, path)
}

const KINDS: readonly [RegExp, string][] = [
  [/write|edit|patch|replace|notebook/i, "edit"],
  [/fetch|web/i, "fetch"],
  [/bash|shell|exec|command|^!$/i, "execute"],
  [/grep|glob|search|find|list|^ls$/i, "search"],
  [/read|view|cat/i, "read"],
  [/think|plan/i, "think"],
]

export function kindOf(name: string, action?: ApprovalAction): string {
  if (action?.kind === "write") return "edit"
  if (action?.kind === "command") return "execute"
  return KINDS.find(([words]) => words.test(name))?.[1] ?? "other"
}

const text = (words: string): JsonObject => ({ type: "text", text: words })

export function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : ""
}
