// How many secrets of which kind, in words. Never a value.
import { count } from "../../model/text/amounts.ts"

/** Values, each with its description. */
type Found = ReadonlyMap<string, string>

export function countKinds(found: Found): { kind: string; count: number }[] {
  const counts = new Map<string, number>()
  for (const kind of found.values()) counts.set(kind, (counts.get(kind) ?? 0) + 1)
  return [...counts].map(([kind, number]) => ({ kind, count: number }))
}

/** "2 GitHub tokens, 1 password in a URL". */
export function kindWords(found: Found): string {
  return countKinds(found)
    .map(({ kind, count: number }) => count(number, kind, plural(kind)))
    .join(", ")
}

/** "passwords in a URL", "values of TOKEN", "GitHub tokens". */
function plural(kind: string): string {
  return kind.replace(/^(\w+)(?= (?:in|of) )|$/, (noun) => `${noun}s`)
}
