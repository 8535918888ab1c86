// What was probably meant by an unknown name.

/** The nearest of the names; undefined if none is near. */
export function nearestName(name: string, names: readonly string[]): string | undefined {
  const most = Math.min(2, Math.floor(name.length / 3))
  const near = names
    .map((each) => ({ each, typos: typos(name.toLowerCase(), each.toLowerCase()) }))
    .filter((found) => found.typos <= most)
  return near.sort((a, b) => a.typos - b.typos)[0]?.each
}

/** How many letters are missing, extra, wrong, or swapped with their neighbour. */
function typos(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number) => rows[i]?.[j] ?? Number.POSITIVE_INFINITY
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    rows.push(row)
    for (let j = 1; j <= b.length; j++) {
      const wrong = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Number.POSITIVE_INFINITY
      row.push(Math.min(wrong, swapped, at(i - 1, j) + 1, at(i, j - 1) + 1))
    }
  }
  return at(a.length, b.length)
}
