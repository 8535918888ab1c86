// A unified diff of two texts, for the person who is asked. Lines only; the middle by Myers' greedy algorithm.

interface Edit {
  kind: " " | "-" | "+"
  line: string
}

/** Beyond this many differing lines the whole middle is shown as replaced. */
const MOST_STEPS = 400
const CONTEXT = 3

/** Empty when the texts are equal. `before` undefined: the file is new. */
export function unifiedDiff(path: string, before: string | undefined, after: string): string {
  if (before === after) return ""
  const edits = lineEdits(lines(before ?? ""), lines(after))
  const header = `--- ${before === undefined ? "/dev/null" : `a/${path}`}\n+++ b/${path}\n`
  return header + hunks(edits).join("")
}

/** Lines with their ends, so that a missing last newline is a difference. */
function lines(text: string): string[] {
  return text === "" ? [] : text.split(/(?<=\n)/)
}

function lineEdits(a: string[], b: string[]): Edit[] {
  let start = 0
  while (start < a.length && start < b.length && a[start] === b[start]) start++
  let end = 0
  while (end < a.length - start && end < b.length - start && a[a.length - 1 - end] === b[b.length - 1 - end]) end++
  const same = (line: string): Edit => ({ kind: " ", line })
  return [
    ...a.slice(0, start).map(same),
    ...middleEdits(a.slice(start, a.length - end), b.slice(start, b.length - end)),
    ...a.slice(a.length - end).map(same),
  ]
}

function middleEdits(a: string[], b: string[]): Edit[] {
  const trace = myers(a, b)
  if (trace === undefined) {
    return [...a.map((line): Edit => ({ kind: "-", line })), ...b.map((line): Edit => ({ kind: "+", line }))]
  }
  const edits: Edit[] = []
  let [x, y] = [a.length, b.length]
  for (let d = trace.length - 1; d >= 0; d--) {
    const reach = trace[d] as Map<number, number>
    const k = x - y
    const down = d > 0 && (k === -d || (k !== d && at(reach, k - 1) < at(reach, k + 1)))
    const previous = d === 0 ? 0 : at(reach, down ? k + 1 : k - 1)
    const startX = d === 0 ? 0 : down ? previous : previous + 1
    while (x > startX) {
      x--
      y--
      edits.push({ kind: " ", line: a[x] as string })
    }
    if (d === 0) break
    if (down) edits.push({ kind: "+", line: b[--y] as string })
    else edits.push({ kind: "-", line: a[--x] as string })
  }
  return edits.reverse()
}

const at = (reach: Map<number, number>, k: number): number => reach.get(k) ?? -1

/** For each number of differences, how far each diagonal reached before it. Undefined: too different. */
function myers(a: string[], b: string[]): Map<number, number>[] | undefined {
  let reach = new Map<number, number>([[1, 0]])
  const trace: Map<number, number>[] = []
  for (let d = 0; d <= Math.min(a.length + b.length, MOST_STEPS); d++) {
    trace.push(reach)
    const next = new Map(reach)
    for (let k = -d; k <= d; k += 2) {
      const down = k === -d || (k !== d && at(reach, k - 1) < at(reach, k + 1))
      let x = down ? at(reach, k + 1) : at(reach, k - 1) + 1
      while (x < a.length && x - k < b.length && a[x] === b[x - k]) x++
      next.set(k, x)
      if (x >= a.length && x - k >= b.length) return trace
    }
    reach = next
  }
  return undefined
}

function hunks(edits: Edit[]): string[] {
  const found: string[] = []
  let [oldLine, newLine] = [1, 1]
  let from = 0
  const changed = edits.flatMap((edit, i) => (edit.kind === " " ? [] : [i]))
  for (let i = 0; i < changed.length; ) {
    let last = i
    while (last + 1 < changed.length && gapBetween(changed, last) <= CONTEXT * 2) last++
    const start = Math.max(from, (changed[i] as number) - CONTEXT)
    const end = Math.min(edits.length, (changed[last] as number) + CONTEXT + 1)
    for (const edit of edits.slice(from, start)) if (edit.kind === " ") [oldLine, newLine] = [oldLine + 1, newLine + 1]
    const body = edits.slice(start, end)
    const olds = body.filter((edit) => edit.kind !== "+").length
    const news = body.filter((edit) => edit.kind !== "-").length
    found.push(`@@ -${range(oldLine, olds)} +${range(newLine, news)} @@\n${body.map(printed).join("")}`)
    ;[oldLine, newLine, from, i] = [oldLine + olds, newLine + news, end, last + 1]
  }
  return found
}

const gapBetween = (changed: number[], i: number) => (changed[i + 1] as number) - (changed[i] as number) - 1

const range = (line: number, count: number) =>
  count === 0 ? `${line - 1},0` : count === 1 ? `${line}` : `${line},${count}`

const printed = ({ kind, line }: Edit) =>
  kind + (line.endsWith("\n") ? line : `${line}\n\\ No newline at end of file\n`)
