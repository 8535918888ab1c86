// What was probably meant: the known word that needs the fewest typos.

/** A typo is a letter missing, added or changed, or two letters swapped. With more than this, it is another word. */
const MOST_TYPOS = 2

/** Undefined if no word is close enough. */
export function nearestWord(typed: string, words: readonly string[]): string | undefined {
  const near = words
    .map((word) => ({ word, typos: typosBetween(typed.toLowerCase(), word.toLowerCase()) }))
    .filter(({ word, typos }) => typos <= Math.min(MOST_TYPOS, Math.floor(word.length / 2)))
  return near.sort((a, b) => a.typos - b.typos)[0]?.word
}

function typosBetween(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1] ? 0 : 1
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const other = swapped ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, at(i - 1, j - 1) + same, other))
    }
  }
  return at(a.length, b.length)
}
