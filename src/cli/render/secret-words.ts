// How many secrets of which kind, in words. Never a value.
import { count } from "../../model/text/amounts.ts"

/** "2 GitHub tokens, 1 password in a URL". */
export function kindWords(counted: readonly { kind: string; count: number }[]): string {
  return counted.map(({ kind, count: number }) => count(number, kind, plural(kind))).join(", ")
}

/** "passwords in a URL", "values of TOKEN", "GitHub tokens". */
function plural(kind: string): string {
  return kind.replace(/^(\w+)(?= (?:in|of) )|$/, (noun) => `${noun}s`)
}
