// The results of a step must fit into what is left of the window. What is too large is cut, and kept in a file.
import type { Part, ToolResultPart } from "../../model/record/part.ts"
import { partTokens } from "../../model/record/record-tokens.ts"
import type { CountTokens } from "../../model/tokens.ts"
import { limitOutput } from "../port/output.ts"

/** Room for the words that say where the rest is. */
const WORDS = 250

/** Contract: small results stay whole; the largest are cut first. */
export async function fitted(
  results: readonly Part[],
  room: number,
  tokens: CountTokens,
  folder: string,
): Promise<Part[]> {
  const sizes = results.map((part) => partTokens(part, tokens))
  const most = fairShare(sizes, room)
  return Promise.all(
    results.map(async (part, i) =>
      part.type !== "tool-result" || (sizes[i] as number) <= most ? part : cut(part, most, tokens, folder),
    ),
  )
}

/** The most that each may have so that all fit together. */
function fairShare(sizes: readonly number[], room: number): number {
  let left = room
  for (const [i, size] of [...sizes].sort((a, b) => a - b).entries()) {
    const share = left / (sizes.length - i)
    if (size > share) return Math.floor(share)
    left -= size
  }
  return Number.POSITIVE_INFINITY
}

async function cut(part: ToolResultPart, most: number, tokens: CountTokens, folder: string): Promise<ToolResultPart> {
  const { media = [], ...bare } = part
  const text = media.length === 0 ? part.output : `${part.output}\n[${media.length} media left out: no room for them]`
  const size = tokens(text)
  // Dense text has more tokens for its length, so the measured count decides.
  const characters = size <= most ? text.length : Math.floor((text.length * most) / size) - WORDS
  return {
    ...bare,
    output: await limitOutput(text, Math.max(WORDS, characters), { folder, name: `${part.call}-whole` }),
  }
}
