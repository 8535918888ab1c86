// Messages to append, of 4 KB on average.
import type { MessageRecord } from "../../src/model/record/record.ts"
import { AVERAGE } from "./scribe.ts"
import { chances, Texts } from "./text.ts"

/** So that a line has AVERAGE bytes, including what surrounds the text and what is escaped in it. */
const TEXT = AVERAGE - 650

export function messageDrafts(count: number): Pick<MessageRecord, "type" | "role" | "origin" | "content">[] {
  const texts = new Texts(chances(7))
  return Array.from({ length: count }, () => ({
    type: "message",
    role: "assistant",
    origin: "agent",
    content: [{ type: "text", text: flat(texts.some(texts.length(TEXT, 30_000))) }],
  }))
}

/** A separate string, like one that came from a model: not a slice of a longer one. */
function flat(text: string): string {
  return Buffer.from(text).toString()
}
