// Tokens whose prefix shows whose they are.
import type { Alphabet } from "./alphabet.ts"
import { PREFIX_TABLE, type TokenLimits } from "./prefix-data.ts"

export interface PrefixRule extends TokenLimits {
  prefix: string
  kind: string
  of: Alphabet
  least: number
}

/** Longer prefixes first: of two that match, the more specific one. */
export const PREFIXES: readonly PrefixRule[] = PREFIX_TABLE.flatMap(([kind, of, least, prefixes, limits]) =>
  prefixes.split(" ").map((prefix): PrefixRule => {
    const { most = Number.POSITIVE_INFINITY, begins = "anywhere" } = limits ?? {}
    return { prefix, kind, of, least, most, begins }
  }),
).sort((a, b) => b.prefix.length - a.prefix.length)
