// A part of a text that others must not see.

export interface SecretSpan {
  from: number
  to: number
  /** What it is: "GitHub token". Never the value. */
  kind: string
  /** The secret itself, however it is written here: equal values get the same mark. */
  value: string
}

/**
 * Spans that do not overlap, in order. Overlapping ones are merged and get the kind of the widest; among equally wide
 * ones, of the first in the list.
 */
export function united(spans: readonly SecretSpan[]): SecretSpan[] {
  const all: SecretSpan[] = []
  let widest = 0
  for (const span of [...spans].sort((a, b) => a.from - b.from)) {
    const last = all.at(-1)
    const width = span.to - span.from
    if (last === undefined || span.from >= last.to) {
      all.push({ ...span })
      widest = width
      continue
    }
    last.to = Math.max(last.to, span.to)
    if (width <= widest) continue
    widest = width
    last.kind = span.kind
    last.value = span.value
  }
  return all
}
