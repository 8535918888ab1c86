// Messages to append, of 4 KB on average.
import type { MessageRecord } from "../../src/model/record.ts"
import { AVERAGE } from "./scribe.ts"
import { chances, Texts } from "./text.ts"

export function messageDrafts(count: number): Pick<MessageRecord, "type" | "role" | "origin" | "content">[] {
  const texts = new Texts(chances(7))
  return Array.from({ length: count }, () => ({
    type: "message",
    role: "assistant",
    origin: "agent",
    content: [{ type: "text", text: texts.some(texts.length(AVERAGE - 250, 30_000)) }],
  }))
}
