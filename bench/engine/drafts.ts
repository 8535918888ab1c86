// Messages to append, of 4 KB on average.
import type { MessageRecord } from "../../src/model/record/record.ts"
import { AVERAGE } from "./scribe.ts"
import { chances, Texts } from "./text.ts"

/** So that a line has AVERAGE bytes: what is around the text, and what is escaped in it, comes on top. */
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

/** A text of its own, as one that came from a model is: not a part of a longer one. */
function flat(text: string): string {
  return Buffer.from(text).toString()
}
