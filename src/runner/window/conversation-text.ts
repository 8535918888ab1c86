// A conversation as text, for a summary if it is larger than the window: the oldest tool results are shortened first,
// until it fits; if that is not enough, it is cut into pieces.
import { headAndTail } from "../../agent/port/output.ts"
import type { ContextMessage } from "../../history/context/message.ts"
import type { Part } from "../../model/record/record.ts"
import { unreachable } from "../../model/unreachable.ts"

export interface Line {
  text: string
  /** What a tool printed: most of that is not worth keeping. */
  result: boolean
}

/** How many characters a tool's result, or anything else, keeps when it is shortened. */
const OF_RESULT = 600
const OF_OTHERS = 2400

/** Excludes the system prompt and reasoning. */
export function transcript(messages: readonly ContextMessage[]): Line[] {
  return messages.flatMap(({ role, content }) => (role === "system" ? [] : content.flatMap((part) => line(role, part))))
}

function line(role: ContextMessage["role"], part: Part): Line[] {
  switch (part.type) {
    case "text":
      return [{ text: `${role === "assistant" ? "Agent" : "User"}: ${part.text ?? ""}`, result: false }]
    case "tool-call":
      return [{ text: `Agent calls ${part.name}: ${JSON.stringify(part.input)}`, result: false }]
    case "tool-result":
      return [{ text: `Result of ${part.name ?? "the call"}: ${part.output ?? ""}`, result: true }]
    case "image":
    case "file":
      return [{ text: `User: [${part.mediaType}]`, result: false }]
    case "reasoning":
    case "unknown":
      return []
    default:
      return unreachable(part)
  }
}

/** Pieces of at most `most` tokens each. Contract: a single piece if shortening alone is enough. */
export function pieces(lines: readonly Line[], most: number, tokens: (text: string) => number): string[] {
  const sized = lines.map(({ text, result }) => ({ text, result, tokens: tokens(text) }))
  let total = sized.reduce((sum, each) => sum + each.tokens, 0)
  const shorten = (fits: (each: Line) => boolean, characters: number) => {
    for (const each of sized) {
      if (total <= most) return
      if (!fits(each)) continue
      const text = shortened(each.text, characters)
      const left = tokens(text)
      total += left - each.tokens
      Object.assign(each, { text, tokens: left })
    }
  }
  shorten(({ result }) => result, OF_RESULT)
  shorten(() => true, OF_OTHERS)
  return grouped(sized, most, tokens)
}

function grouped(
  lines: readonly { text: string; tokens: number }[],
  most: number,
  tokens: (text: string) => number,
): string[] {
  const groups: string[][] = []
  let room = 0
  for (const line of lines) {
    const text = line.tokens <= most ? line.text : toTokens(line.text, most, tokens)
    const size = Math.min(line.tokens, most)
    if (size > room) {
      groups.push([])
      room = most
    }
    room -= size
    groups.at(-1)?.push(text)
  }
  return groups.map((group) => group.join("\n\n"))
}

/** The beginning and the end of a text, about this many tokens at most. */
export function toTokens(text: string, most: number, tokens: (text: string) => number): string {
  let characters = text.length
  let cut = text
  for (let size = tokens(cut); size > most && characters > 0; size = tokens(cut)) {
    characters = Math.floor(Math.min(characters * 0.9, (characters * most) / size))
    cut = shortened(text, characters)
  }
  return cut
}

function shortened(text: string, characters: number): string {
  const cut = headAndTail(text, characters)
  return cut === undefined ? text : `${cut.head}\n[${cut.left} characters left out here]\n${cut.tail}`
}
