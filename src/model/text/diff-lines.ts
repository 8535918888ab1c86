// The difference between two lists of lines: equal ends are cut off, then Myers' algorithm runs on the lines both have.

/** Lines [aStart, aEnd) of the old text are replaced by lines [bStart, bEnd) of the new one. */
export type Hunk = { aStart: number; aEnd: number; bStart: number; bEnd: number }

// Beyond this many edits the exact search gets slow: then lines unique on both sides divide the texts into pieces.
const MOST_EDITS = 3000

/** Contract: hunks are in order, do not touch, and applying them to `a` gives `b`. */
export function diffLines(a: string[], b: string[]): Hunk[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let aEnd = a.length
  let bEnd = b.length
  while (aEnd > start && bEnd > start && a[aEnd - 1] === b[bEnd - 1]) {
    aEnd--
    bEnd--
  }
  if (start === aEnd && start === bEnd) return []
  if (start === aEnd || start === bEnd) return [{ aStart: start, aEnd, bStart: start, bEnd }]
  const { x, y, kinds } = numbered(a, b, start, aEnd, bEnd)
  return gather(partners(x, y, kinds), start, aEnd, bEnd)
}

/** Lines as numbers below `kinds`: equal lines get equal numbers. */
function numbered(a: string[], b: string[], start: number, aEnd: number, bEnd: number) {
  const numbers = new Map<string, number>()
  const number = (lines: string[], end: number) => {
    const found = new Int32Array(end - start)
    for (let i = start; i < end; i++) {
      const line = lines[i] as string
      const known = numbers.get(line)
      found[i - start] = known ?? numbers.size
      if (known === undefined) numbers.set(line, numbers.size)
    }
    return found
  }
  return { x: number(a, aEnd), y: number(b, bEnd), kinds: numbers.size }
}

/**
 * For each line of `a` the position of its partner in `b`, or -1; ascending. Lines that only one side has are skipped:
 * they have no partner.
 */
function partners(a: Int32Array, b: Int32Array, kinds: number): Int32Array {
  const [x, y] = [positionsIn(a, b, kinds), positionsIn(b, a, kinds)]
  const found = new Int32Array(a.length).fill(-1)
  longest(
    x.map((at) => a[at] as number),
    y.map((at) => b[at] as number),
    (i, j) => {
      found[x[i] as number] = y[j] as number
    },
  )
  return found
}

function positionsIn(lines: Int32Array, others: Int32Array, kinds: number): Int32Array {
  const there = new Uint8Array(kinds)
  for (let i = 0; i < others.length; i++) there[others[i] as number] = 1
  const found = new Int32Array(lines.length)
  let count = 0
  for (let i = 0; i < lines.length; i++) if (there[lines[i] as number] === 1) found[count++] = i
  return found.subarray(0, count)
}

/** Called for each pair of equal lines, in any order. */
type Note = (i: number, j: number) => void

/** Finds as many pairs as possible; if that would take too long, only pairs of lines that are unique on both sides. */
function longest(a: Int32Array, b: Int32Array, note: Note): void {
  const most = Math.min(a.length + b.length, MOST_EDITS)
  const reach = new Int32Array(2 * most + 3)
  const trace: Int32Array[] = []
  for (let edits = 0; edits <= most; edits++) {
    trace.push(reach.slice(most + 1 - edits - 1, most + 1 + edits + 2))
    for (let k = -edits; k <= edits; k += 2) {
      const down = k === -edits || (k !== edits && at(reach, most, k - 1) < at(reach, most, k + 1))
      let x = down ? at(reach, most, k + 1) : at(reach, most, k - 1) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      reach[most + 1 + k] = x
      if (x < a.length || x - k < b.length) continue
      walkBack(trace, a.length, b.length, note)
      return
    }
  }
  inPieces(a, b, note)
}

function inPieces(a: Int32Array, b: Int32Array, note: Note): void {
  const anchors = uniquePairs(a, b)
  if (anchors.length === 0) return
  let [fromA, fromB] = [0, 0]
  for (const [i, j] of [...anchors, [a.length, b.length] as [number, number]]) {
    const [x, y] = [fromA, fromB]
    longest(a.subarray(x, i), b.subarray(y, j), (k, l) => note(x + k, y + l))
    if (i < a.length) note(i, j)
    fromA = i + 1
    fromB = j + 1
  }
}

/** Lines that each side has exactly once: as many as possible that are in the same order on both sides. */
function uniquePairs(a: Int32Array, b: Int32Array): [number, number][] {
  const places = uniquePlaces(b)
  const own = uniquePlaces(a)
  const pairs: [number, number][] = []
  for (const [line, i] of own) {
    const j = places.get(line)
    if (i >= 0 && j !== undefined && j >= 0) pairs.push([i, j])
  }
  return longestRising(pairs)
}

function uniquePlaces(lines: Int32Array): Map<number, number> {
  const places = new Map<number, number>()
  lines.forEach((line, i) => {
    places.set(line, places.has(line) ? -1 : i)
  })
  return places
}

/** Contract: the pairs are sorted by their first number. */
function longestRising(pairs: [number, number][]): [number, number][] {
  const ends: number[] = []
  const before = new Int32Array(pairs.length)
  pairs.forEach(([, value], i) => {
    let [low, high] = [0, ends.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((pairs[ends[middle] as number] as [number, number])[1] < value) low = middle + 1
      else high = middle
    }
    before[i] = low === 0 ? -1 : (ends[low - 1] as number)
    ends[low] = i
  })
  const found: [number, number][] = []
  for (let i = ends.at(-1) ?? -1; i >= 0; i = before[i] as number) found.push(pairs[i] as [number, number])
  return found.reverse()
}

function at(reach: Int32Array, most: number, k: number): number {
  return reach[most + 1 + k] as number
}

function walkBack(trace: Int32Array[], aLength: number, bLength: number, note: Note): void {
  let x = aLength
  let y = bLength
  for (let edits = trace.length - 1; edits >= 0; edits--) {
    const reach = trace[edits] as Int32Array
    const value = (k: number) => reach[k + edits + 1] as number
    const k = x - y
    const down = k === -edits || (k !== edits && value(k - 1) < value(k + 1))
    const previousK = down ? k + 1 : k - 1
    const previousX = edits === 0 ? 0 : value(previousK)
    const previousY = edits === 0 ? 0 : previousX - previousK
    while (x > previousX && y > previousY) note(--x, --y)
    x = previousX
    y = previousY
  }
}

function gather(partner: Int32Array, start: number, aEnd: number, bEnd: number): Hunk[] {
  const hunks: Hunk[] = []
  let a = start
  let b = start
  for (let i = start; i <= aEnd; i++) {
    const j = i === aEnd ? bEnd : (partner[i - start] as number) + start
    if (j < start) continue
    if (i > a || j > b) hunks.push({ aStart: a, aEnd: i, bStart: b, bEnd: j })
    a = i + 1
    b = j + 1
  }
  return hunks
}

export function countLines(hunks: Hunk[]): { added: number; removed: number } {
  let added = 0
  let removed = 0
  for (const hunk of hunks) {
    added += hunk.bEnd - hunk.bStart
    removed += hunk.aEnd - hunk.aStart
  }
  return { added, removed }
}
