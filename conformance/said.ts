// What was said, as a list of texts: the common form of a request in any provider's protocol and of `retcon show
// --context`.
//
// The rule of comparison: every text, tool call and tool result counts, in order, character by character. System
// messages, reasoning, and texts that the program itself adds to requests (each program's `injected` says which) do not
// count. Neither does how texts are grouped into messages, nor newlines at the end of a text: programs add them in
// between.
import { createHash } from "node:crypto"
import { INTERRUPTED } from "../src/history/context/tool-calls.ts"
import { canonicalJson, type Json } from "../src/model/json.ts"

export interface Said {
  by: "user" | "assistant" | "call" | "result"
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

/** How one program words its requests. */
export interface Wording {
  injected: (text: string) => boolean
  unframed?: (text: string) => string
  unanswered?: (text: string) => boolean
  joins?: string
}

/** The part of a list that counts. */
export function comparable(said: readonly Said[], wording: Wording): Said[] {
  const { injected, joins } = wording
  const counted = said
    .map((each) => reworded(each, wording))
    .filter(({ by, text }) => !((by === "user" || by === "assistant") && injected(text)))
    .map(({ by, text }) => ({ by, text: text.replace(/\n+$/, "") }))
    .filter(({ by, text }) => by === "result" || text !== "")
  return joins === undefined ? counted : joined(counted, joins)
}

/** Removes wording that differs from program to program. */
function reworded({ by, text }: Said, { unframed, unanswered }: Wording): Said {
  if (by === "user" && unframed !== undefined) return { by, text: unframed(text) }
  return by === "result" && unanswered?.(text) === true ? { by, text: INTERRUPTED } : { by, text }
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
