// The system prompt of pi: sections by name, which later messages add, change and remove.
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { Json, JsonObject } from "../../model/json.ts"
import type { Reading } from "../port.ts"
import { objectField, parseLine } from "../shared/json-line.ts"
import { contentOf } from "./message.ts"

/** The most changes to follow; a hostile file may have any number. */
const MOST_CHANGES = 1000

/** The prompt after the message of a row. */
export function systemAt(row: Row, bytes: Buffer, reading: Reading): string {
  const { history } = reading
  const messages = [systemIn(bytes)]
  // A compaction has all of it, so nothing before it counts.
  for (let at = row; !messages.at(-1)?.whole && messages.length < MOST_CHANGES; ) {
    const above = history.parent(at)
    at = above === NONE ? NONE : history.system(above)
    if (at === NONE) break
    messages.push(systemIn(reading.read(at)))
  }
  return promptOf(messages.reverse().map(({ message }) => message))
}

function systemIn(bytes: Buffer): { message: JsonObject; whole: boolean } {
  const line = parseLine(bytes)
  const whole = line?.type === "compaction"
  return { message: objectField(line, whole ? "systemMessage" : "message") ?? {}, whole }
}

function promptOf(messages: readonly JsonObject[]): string {
  const texts: string[] = []
  const sections = new Map<string, Json>()
  for (const message of messages) {
    for (const part of contentOf(message.content)) if (part.type === "text") texts.push(part.text)
    for (const [name, text] of Object.entries(objectField(message, "sections") ?? {})) {
      if (text === null) sections.delete(name)
      else sections.set(name, text)
    }
  }
  const parts = [...texts, ...[...sections.values()].filter((text) => typeof text === "string")]
  return parts.filter((part) => part !== "").join("\n\n")
}
