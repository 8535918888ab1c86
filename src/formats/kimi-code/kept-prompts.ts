// Which of a person's messages survive a compaction of Kimi Code, by its own rule: up to 20,000 tokens of them, the first 2,000 and
// the last 18,000, with a note between. It records no list of them, so the rule is applied again on reading.
import type { Part } from "../../model/record/record.ts"

const MOST = 20_000
const HEAD = 2000
const MEDIA = 2000

export function keptOf(messages: readonly Part[][]): Part[][] {
  const sizes = messages.map(sizeOf)
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total <= MOST) return [...messages]
  const tail: Part[][] = []
  let left = MOST - HEAD
  let cut: Part[] | undefined
  let first = messages.length
  while (first > 0 && left > 0 && cut === undefined) {
    const message = messages[--first] as Part[]
    const size = sizes[first] as number
    if (size > left) {
      const text = joined(message)
      const end = endOf(text, left)
      tail.unshift([{ type: "text", text: end }])
      cut = [{ type: "text", text: text.slice(0, text.length - end.length) }]
    } else tail.unshift(message)
    left -= size
  }
  const head = firstOf(cut === undefined ? messages.slice(0, first) : [...messages.slice(0, first), cut])
  const kept = [...head, ...tail].reduce((sum, message) => sum + sizeOf(message), 0)
  return [...head, [{ type: "text", text: omitted(Math.max(0, total - kept)) }], ...tail]
}

function firstOf(messages: readonly Part[][]): Part[][] {
  const head: Part[][] = []
  let left = HEAD
  for (const message of messages) {
    if (left <= 0) break
    const size = sizeOf(message)
    head.push(size <= left ? message : [{ type: "text", text: startOf(joined(message), left) }])
    left -= size
  }
  return head
}

/** The role "user" is one more token. */
function sizeOf(message: readonly Part[]): number {
  return message.reduce((sum, part) => sum + partSize(part), 1)
}

function partSize(part: Part): number {
  if (part.type === "text") return tokens(part.text)
  return part.type === "image" || part.type === "file" ? MEDIA : 0
}

function joined(message: readonly Part[]): string {
  return message.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("")
}

function tokens(text: string): number {
  let [ascii, others] = [0, 0]
  for (const char of text) {
    if (char.length === 1 && char.charCodeAt(0) < 128) ascii++
    else others++
  }
  return Math.ceil(ascii / 4) + others
}

/** The longest beginning with at most this many tokens. */
function startOf(text: string, most: number): string {
  return fitting(Array.from(text), most).join("")
}

function endOf(text: string, most: number): string {
  return fitting(Array.from(text).reverse(), most).reverse().join("")
}

function fitting(chars: readonly string[], most: number): string[] {
  let [ascii, others] = [0, 0]
  const end = chars.findIndex((char) => {
    if (char.length === 1 && char.charCodeAt(0) < 128) ascii++
    else others++
    return Math.ceil(ascii / 4) + others > most
  })
  return end === -1 ? [...chars] : chars.slice(0, end)
}

function omitted(count: number): string {
  return `<system-reminder>
Some of this conversation's user messages were omitted here during compaction: the messages above this note are the oldest user input, the messages below are the most recent, and roughly ${count} tokens in between were dropped. The omitted content is covered by the compaction summary at the end of the conversation.
</system-reminder>`
}
