// What a person left out of the conversation because a provider refuses it: it stays in the log, but in no context.
import { isObject, type Json } from "../../model/json.ts"
import { type Part, parsePart, plainText } from "../../model/record/record.ts"
import { LEFT_OUT_KEY } from "../../model/record/state-key.ts"
import { keyAt } from "../tree/state.ts"
import { type History, NONE, type Row } from "../tree/tree.ts"

/**
 * `media`: its images and files; `all`: its texts and outputs too. Calls and results stay, so that they still match.
 */
export type LeftOut = "media" | "all"

/** Or the parts that another agent put in place of the whole content. */
export type Instead = LeftOut | readonly Part[]

/** The rows that leave something out, nearest first, down to the depth `floor`. */
export function leftOutRows(history: History, head: Row, floor: number): Row[] {
  const rows: Row[] = []
  for (let row = history.state(head); row !== NONE; row = history.state(history.parent(row))) {
    if (history.depth(row) < floor) break
    if (leftOutAt(history, row) !== undefined) rows.push(row)
  }
  return rows
}

/** What these rows leave out, by entry. */
export function leftOutIn(history: History, rows: readonly Row[]): Map<string, Instead> {
  const all = rows.map((row) => leftOutAt(history, row)).filter((each) => each !== undefined)
  return new Map(all.reverse().map(({ entry, parts }) => [entry, parts]))
}

function leftOutAt(history: History, row: Row): { entry: string; parts: Instead } | undefined {
  if (keyAt(history, row) !== LEFT_OUT_KEY) return undefined
  const record = history.record(row)
  return record?.type === "state" ? parseLeftOut(record.value) : undefined
}

function parseLeftOut(value: Json): { entry: string; parts: Instead } | undefined {
  if (!isObject(value) || typeof value.entry !== "string") return undefined
  if (Array.isArray(value.content)) return { entry: value.entry, parts: value.content.map(parsePart) }
  return { entry: value.entry, parts: value.parts === "all" ? "all" : "media" }
}

export function hasMedia(content: readonly Part[]): boolean {
  return content.some((part) => isMedia(part) || (part.type === "tool-result" && (part.media ?? []).length > 0))
}

const LEFT = "[left out, because the provider refused it]"

/** The content that the model sees instead. */
export function without(content: readonly Part[], parts: Instead): Part[] {
  if (typeof parts !== "string") return replaced(content, parts)
  return content.map((part): Part => {
    if (isMedia(part)) return { type: "text", text: LEFT }
    if (part.type === "tool-result") {
      const { media = [], ...rest } = part
      const notes = media.length > 0 ? `\n${LEFT}` : ""
      return { ...rest, output: parts === "all" ? LEFT : `${part.output}${notes}` }
    }
    return part.type === "text" && parts === "all" ? { type: "text", text: LEFT } : part
  })
}

/** Results stay, so that calls still have theirs. */
function replaced(content: readonly Part[], by: readonly Part[]): Part[] {
  const result = content.find((part) => part.type === "tool-result")
  if (result === undefined) return [...by]
  const { media: _, ...rest } = result
  const media = by.filter(({ type }) => type !== "text")
  return [{ ...rest, output: plainText(by), ...(media.length > 0 && { media }) }]
}

function isMedia(part: Part): boolean {
  return part.type === "image" || part.type === "file"
}
