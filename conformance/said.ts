// What was said, as a list of texts: the common form of a request in any provider's protocol and of `retcon show
// --context`.
//
// The rule of comparison: everything that is sent counts, in order, character by character: system messages, texts, tool
// calls and tool results. What a program adds to a request by itself does not count, but only if it is on the program's
// list (`adds`), in words that docs/conformance.md repeats. How texts are grouped into messages does not count, nor do
// newlines at the end of a text, which programs add in between, nor reasoning.
import { createHash } from "node:crypto"
import { INTERRUPTED } from "../src/history/context/tool-calls.ts"
import { canonicalJson, type Json } from "../src/model/json.ts"

export interface Said {
  /** `instructions`: the system prompt before the conversation. `system`: a system message within it. */
  by: "instructions" | "system" | "user" | "assistant" | "call" | "result"
  text: string
}

export function call(name: string, input: Json): Said {
  return { by: "call", text: `${name} ${canonicalJson(input)}` }
}

/** Stands for an image: equal images have equal texts. */
export function image(by: Said["by"], mediaType: string, base64: string): Said {
  const hash = createHash("sha256").update(base64, "base64").digest("hex").slice(0, 12)
  return { by, text: `[${mediaType} ${hash}]` }
}

/** One kind of thing that a program adds to a request by itself. */
export interface Added {
  /** In words, for the page: a noun phrase. */
  what: string
  is: (said: Said) => boolean
}

/** Most programs send it with each request, and store it nowhere. */
export const SYSTEM_PROMPT: Added = { what: "its system prompt", is: ({ by }) => by === "instructions" }

/** A text that a program adds. Calls and results are never left out. */
export function addedText(what: string, pattern: RegExp): Added {
  return { what, is: ({ by, text }) => by !== "call" && by !== "result" && pattern.test(text) }
}

/** For programs that send the images of a result after it, in the person's name. */
export function imagesApart(said: readonly Said[]): Said[] {
  const isImage = ({ by, text }: Said) => by === "result" && /^\[image\/[\w+-]+ [0-9a-f]{12}\]$/.test(text)
  return said.map((each) => (isImage(each) ? { ...each, by: "user" } : each))
}

/** For programs that send the made-up result of a call without one in the order of the calls: such results last, as retcon shows them. */
export function unansweredLast(said: readonly Said[], isMadeUp: (text: string) => boolean): Said[] {
  const all: Said[] = []
  let made: Said[] = []
  for (const each of said) {
    if (each.by === "result" && isMadeUp(each.text)) made.push(each)
    else if (each.by === "call" || each.by === "result") all.push(each)
    else {
      all.push(...made, each)
      made = []
    }
  }
  return [...all, ...made]
}

/** How one program words its requests. */
export interface Wording {
  adds: readonly Added[]
  /** What was said, without the words that the program puts around it when sending, and in the order it was said. */
  unframed?: (said: readonly Said[]) => Said[]
  unanswered?: (text: string) => boolean
  joins?: string
}

/** The part of a list that counts. */
export function comparable(said: readonly Said[], { adds, unframed, unanswered, joins }: Wording): Said[] {
  const counted = (unframed?.(said) ?? said)
    .filter((each) => !adds.some(({ is }) => is(each)))
    .map(({ by, text }) => ({ by, text: by === "result" && unanswered?.(text) === true ? INTERRUPTED : text }))
    .map(({ by, text }) => ({ by, text: text.replace(/\n+$/, "") }))
    .filter(({ by, text }) => by === "result" || text !== "")
  return joins === undefined ? counted : joined(counted, joins)
}

function joined(said: readonly Said[], between: string): Said[] {
  const all: Said[] = []
  for (const each of said) {
    const last = all.at(-1)
    if (last?.by !== "user" || each.by !== "user") all.push({ ...each })
    else last.text += `${between}${each.text}`
  }
  return all
}

/** The first place where two lists differ, in words; undefined if they are the same. */
export function difference(sent: readonly Said[], shown: readonly Said[]): string | undefined {
  const length = Math.max(sent.length, shown.length)
  for (let at = 0; at < length; at++) {
    const [one, other] = [line(sent[at]), line(shown[at])]
    if (one === other) continue
    const [from, to] = clip(one, other)
    return `text ${at + 1} differs: sent was ${from} (of ${sent.length}), expected ${to} (of ${shown.length})`
  }
  return undefined
}

function line(said: Said | undefined): string {
  return said === undefined ? "nothing" : `${said.by} ${JSON.stringify(said.text)}`
}

const CONTEXT = 40
const MOST = 160

/** Both texts around the first character that differs. */
function clip(...texts: [string, string]): string[] {
  const [one, other] = texts
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  const start = Math.max(0, at - CONTEXT)
  return texts.map((text) => {
    const end = start + MOST
    return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`
  })
}
