// What a fake provider answers, before it is put into the words of a vendor's protocol.
import type { Json } from "../../../src/model/json.ts"

export interface WireAnswer {
  /** The vendor's id of the answer, where it has one. */
  id?: string
  reasoning?: string
  /** Anthropic: of the reasoning. */
  signature?: string
  text?: string
  /** `input`: a string is sent as it is, also when it is not JSON. `namespace`: of the name, where the protocol has them. */
  calls?: { id: string; name: string; input: Json; namespace?: string }[]
  /** The vendor's own word; by default what fits the answer. */
  finish?: string
  usage?: { input: number; output: number; cacheRead?: number; cacheWrite?: number }
}

export const USAGE = { input: 100, output: 20, cacheRead: 0, cacheWrite: 0 }

export function inputText(input: Json): string {
  return typeof input === "string" ? input : JSON.stringify(input)
}

/** Text in the pieces in which it is streamed. */
export function pieces(text: string, size = 7): string[] {
  return text.match(new RegExp(`[\\s\\S]{1,${size}}`, "g")) ?? []
}
