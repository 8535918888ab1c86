// Changes of files over time: a span adds each of them; moves of files remove them and bring them back.
import type { Row } from "../tree/tree.ts"
import type { CallSpan } from "./call-span.ts"

/** One change of one path. */
export interface PathChange {
  span: CallSpan
  path: string
  /** The rank of its span among those with the same rows, and the rank of the path in its span. */
  order: readonly [number, number]
}

export interface ChangesMade {
  added: readonly PathChange[]
  removed: readonly PathChange[]
}

/** Changes from some row on, in log order. Contract: every change in it was first added after that row. */
export class ChangeTimeline {
  #touched: { row: Row; change: PathChange }[] = []
  #byKey = new Map<string, { row: Row; there: boolean }[]>()

  add(row: Row, { added, removed }: ChangesMade): void {
    for (const change of removed) this.#touch(row, change, false)
    for (const change of added) this.#touch(row, change, true)
  }

  /** What is there now but was not at a moment, and vice versa, both oldest first. */
  since(moment: Row): ChangesMade {
    const added: PathChange[] = []
    const removed: PathChange[] = []
    const seen = new Set<string>()
    for (let i = this.#touched.length - 1; i >= 0; i--) {
      const { row, change } = this.#touched[i] as { row: Row; change: PathChange }
      if (row < moment) break
      const key = keyOf(change)
      if (seen.has(key)) continue
      seen.add(key)
      const known = this.#byKey.get(key) ?? []
      const now = known.at(-1)?.there === true
      const then = known.findLast((each) => each.row < moment)?.there === true
      if (now !== then) (now ? added : removed).push(change)
    }
    return { added: added.sort(byTime), removed: removed.sort(byTime) }
  }

  #touch(row: Row, change: PathChange, there: boolean): void {
    const key = keyOf(change)
    const known = this.#byKey.get(key)
    if (known === undefined) this.#byKey.set(key, [{ row, there }])
    else known.push({ row, there })
    this.#touched.push({ row, change })
  }
}

function keyOf({ span, path, order }: PathChange): string {
  return `${span.opened} ${span.row} ${order[0]} ${path}`
}

function byTime(a: PathChange, b: PathChange): number {
  return a.span.opened - b.span.opened || a.span.row - b.span.row || a.order[0] - b.order[0] || a.order[1] - b.order[1]
}

/** The changes of each span, in order. Contract: `all` is oldest first, as `callSpans` returns it. */
export function changesOf(all: readonly CallSpan[]): PathChange[][] {
  let rank = 0
  return all.map((span, i) => {
    const before = all[i - 1]
    rank = before?.opened === span.opened && before.row === span.row ? rank + 1 : 0
    return span.changes.map(({ path }, place) => ({ span, path, order: [rank, place] }))
  })
}

/** Changes in order, split where the span changes: each run is one step of a restore. */
export function inSteps(changes: readonly PathChange[]): PathChange[][] {
  const steps: PathChange[][] = []
  let last: CallSpan | undefined
  for (const change of changes) {
    if (change.span === last) steps.at(-1)?.push(change)
    else steps.push([change])
    last = change.span
  }
  return steps
}

/** The spans of these changes, in order, each with only those changes. */
export function spansOf(changes: readonly PathChange[]): CallSpan[] {
  return inSteps(changes).map((step) => {
    const { span } = step[0] as PathChange
    const paths = new Set(step.map(({ path }) => path))
    const said = span.said?.filter(({ path }) => paths.has(path))
    return { ...span, changes: span.changes.filter(({ path }) => paths.has(path)), ...(said && { said }) }
  })
}
