// A session for Neovate Code: one message a line, each behind the one before.
import { join } from "node:path"
import type { Json, JsonObject } from "../../model/json.ts"
import type { Part } from "../../model/record/part.ts"
import type { WriteRequest, Written } from "../port.ts"
import { linesOf, randomUuid, type ToWrite, textIn, toWrite } from "../shared/written.ts"
import { COMPACTED } from "./message.ts"
import { slugOf } from "./place.ts"

export function writeNeovate({ entries, cwd, homes, title, newId }: WriteRequest): Written {
  const lost: Written["lost"] = []
  const name = randomUuid(newId()).slice(0, 8)
  const inputs = new Map<string, Json>()
  const lines: JsonObject[] = title === undefined || title === "" ? [] : [configLine(title)]
  let parent: string | null = null
  for (const entry of toWrite(entries, lost)) {
    const content = contentOf(entry, inputs, (what) => lost.push({ entry: entry.id, what }))
    if (content === undefined) continue
    const summary = entry.kind === "summary"
    lines.push({
      parentUuid: summary ? null : parent,
      uuid: entry.id,
      role: entry.role,
      content,
      ...(entry.role === "assistant" && answerFields(entry)),
      ...(summary && { uiContent: COMPACTED }),
      ...(entry.display !== undefined && entry.typed && { uiContent: entry.display }),
      ...(entry.role === "user" && !summary && !entry.typed && { hidden: true }),
      type: "message",
      timestamp: entry.at,
      sessionId: name,
    })
    parent = entry.id
  }
  const path = join(homes.home, ".neovate", "projects", slugOf(cwd), `${name}.jsonl`)
  return { files: [{ path, bytes: linesOf(lines) }], resume: ["neovate", "--resume", name], lost }
}

function configLine(summary: string): JsonObject {
  const config = { approvalMode: "default", approvalTools: [], summary, pastedTextMap: {}, pastedImageMap: {} }
  return { type: "config", config }
}

function answerFields({ content, model, usage }: ToWrite): JsonObject {
  return {
    text: content.map((part) => (part.type === "text" ? textIn(part) : "")).join(""),
    model: model ?? "",
    usage: {
      input_tokens: usage?.input ?? 0,
      output_tokens: usage?.output ?? 0,
      ...(usage?.cacheRead !== undefined && { cache_read_input_tokens: usage.cacheRead }),
      ...(usage?.cacheWrite !== undefined && { cache_creation_input_tokens: usage.cacheWrite }),
    },
  }
}

/** Undefined when nothing is left of it. Remembers what calls were asked for: results repeat it. */
function contentOf(
  { role, kind, content }: ToWrite,
  inputs: Map<string, Json>,
  lose: (what: string) => void,
): Json | undefined {
  const parts = content.flatMap((part): Json[] => {
    const fits = part.type === "tool-call" ? role === "assistant" : (part.type === "tool-result") === (role === "tool")
    const printed = fits || part.type === "unknown" ? printPart(part, inputs) : undefined
    if (printed === undefined) lose(`a part of the kind "${part.type}"`)
    return printed === undefined ? [] : [printed]
  })
  if (parts.length === 0) return undefined
  const [only] = content
  // Prompts are texts where they can be: Neovate lists a session by the first one that is.
  if (role === "user" && kind === "message" && content.length === 1 && only?.type === "text") return textIn(only)
  return parts
}

function printPart(part: Part, inputs: Map<string, Json>): Json | undefined {
  if (part.type === "text" || part.type === "reasoning") return { type: part.type, text: textIn(part) }
  if (part.type === "image") return { type: "image", data: part.data ?? "", mimeType: part.mediaType }
  if (part.type === "tool-call") {
    inputs.set(part.call, part.input)
    return { type: "tool_use", id: part.call, name: part.name, input: part.input }
  }
  if (part.type !== "tool-result") return undefined
  const media = (part.media ?? []).flatMap((each) => printPart(each, inputs) ?? [])
  const text = part.output ?? ""
  return {
    type: "tool-result",
    toolCallId: part.call,
    toolName: part.name ?? "",
    input: inputs.get(part.call) ?? {},
    result: {
      llmContent: media.length === 0 ? text : [{ type: "text", text }, ...media],
      ...(part.error === true && { isError: true }),
    },
  }
}
