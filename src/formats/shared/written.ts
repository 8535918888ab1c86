// What writing a session for another agent takes, whichever it is.
import { createHash } from "node:crypto"
import { noteTexts } from "../../history/context/marks.ts"
import type { EntryId } from "../../model/id.ts"
import type { Part } from "../../model/record/part.ts"
import { isPrompt } from "../../model/record/prompt.ts"
import type { Entry, MessageRecord } from "../../model/record/record.ts"
import type { Written } from "../port.ts"

/** One message, or the summary of all before it: what is left of an entry when it is to be written. */
export interface ToWrite {
  id: EntryId
  at: string
  role: MessageRecord["role"]
  kind: "message" | "summary"
  /** Whether the person typed it. */
  typed: boolean
  content: Part[]
  display?: string
  model?: string
  usage?: MessageRecord["usage"]
}

/** What can be written of these entries, in order; what cannot is put into `lost`. */
export function* toWrite(entries: Iterable<Entry>, lost: Written["lost"]): Generator<ToWrite> {
  for (const entry of entries) {
    const base = { id: entry.id, at: entry.at, kind: "message" as const, typed: false }
    if (entry.type === "message") {
      const { role, content, display, model, usage } = entry
      if (role === "system") lost.push({ entry: entry.id, what: "instructions: each agent has its own" })
      else {
        yield {
          ...base,
          role,
          typed: isPrompt(entry) || entry.origin === "steer",
          content,
          ...(display !== undefined && { display }),
          ...(model !== undefined && { model }),
          ...(usage !== undefined && { usage }),
        }
      }
    } else if (entry.type === "compaction") {
      if (entry.keepFrom !== null) lost.push({ entry: entry.id, what: "messages that were kept behind the summary" })
      const content: Part[] = [{ type: "text", text: entry.summary }]
      yield { ...base, kind: "summary", role: "user", content }
    } else if (entry.type === "note") yield { ...base, role: "user", content: noteTexts(entry).map(textPart) }
    else if (entry.type === "merge") yield { ...base, role: "user", content: [textPart(entry.text)] }
    else if (entry.type === "unknown-entry") lost.push({ entry: entry.id, what: `an entry of the kind "${entry.was}"` })
  }
}

function textPart(text: string): Part {
  return { type: "text", text }
}

/** The text of a part; nothing where it was moved out of the record. */
export function textIn(part: { text?: string }): string {
  return part.text ?? ""
}

/** A UUID without a time in it: agents take its first digits for a short name. */
export function randomUuid(id: string): string {
  const digits = createHash("sha256").update(id).digest("hex")
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `8${digits.slice(17, 20)}`,
    digits.slice(20, 32),
  ].join("-")
}

/** Lines of JSON as bytes. */
export function linesOf(lines: readonly object[]): Uint8Array {
  return Buffer.from(lines.map((line) => `${JSON.stringify(line)}\n`).join(""))
}
