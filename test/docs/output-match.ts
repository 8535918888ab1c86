// Compares what a command printed with what the docs show. Ids differ in every run but must be used consistently;
// times, ages and durations may be any; `…` alone on a line stands for any lines. Everything else is exact.

/** Ids of the docs and the ids they turned out to be in this run. */
export type Ids = ReadonlyMap<string, string>

const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
const TIME = String.raw`\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?)?|\b\d\d:\d\d(?::\d\d)?\b`
const volatile = [
  { kind: "uuid", find: UUID, accept: `(${UUID})` },
  // Before short ids: an ISO date holds digits that look like one.
  { kind: "time", find: TIME, accept: `(?:${TIME})` },
  {
    kind: "age",
    find: String.raw`just now|\bnow\b|\b\d+ ?(?:s|m|h|d|min|sec(?:ond)?s?|minutes?|hours?|days?) ago`,
    accept: String.raw`(?:just now|now|\d+ ?[a-z]+ ago)`,
  },
  { kind: "duration", find: String.raw`\b\d+(?:\.\d+)? ?m?s\b`, accept: String.raw`\d+(?:\.\d+)? ?m?s` },
  // Minutes and seconds, as a column of a table.
  { kind: "minutes", find: String.raw`(?<= )\d:\d\d(?!\S)`, accept: String.raw`\d+:\d\d` },
  // The shortest unique suffix of an id. A word of letters only is no id: docs show ids with a digit in them.
  { kind: "suffix", find: String.raw`\b(?=[a-f]*\d)[0-9a-f]{6,12}\b`, accept: "([0-9a-f]{6,12})" },
] as const
const VOLATILE = new RegExp(volatile.map(({ find }) => `(${find})`).join("|"), "g")
const ID = new RegExp(`${UUID}|${volatile[5].find}`, "g")

/** The ids after the comparison, or undefined when the output does not match. */
export function matchOutput(expected: string[], actual: string[], ids: Ids): Ids | undefined {
  const [line, ...rest] = expected
  if (line === undefined) return actual.length === 0 ? ids : undefined
  if (line.trim() === "…") {
    for (let skipped = 0; skipped <= actual.length; skipped++) {
      const matched = matchOutput(rest, actual.slice(skipped), ids)
      if (matched) return matched
    }
    return undefined
  }
  const matched = actual[0] === undefined ? undefined : matchLine(line, actual[0], ids)
  return matched && matchOutput(rest, actual.slice(1), matched)
}

/** A command of the docs with the ids of this run in it. */
export function withActualIds(command: string, ids: Ids): string {
  return command.replace(ID, (shown) => {
    const exact = ids.get(shown)
    if (exact !== undefined) return exact
    const longer = [...ids].find(([doc]) => doc.endsWith(shown))
    return longer ? longer[1].slice(-shown.length) : shown
  })
}

/** Expected and actual output as a diff; lines that match are shown once. */
export function drawDifference(expected: string[], actual: string[], ids: Ids): string {
  const same = (a: string | undefined, b: string | undefined) =>
    a !== undefined && b !== undefined && matchLine(a, b, ids) !== undefined
  let head = 0
  while (same(expected[head], actual[head])) head++
  let tail = 0
  while (head + tail < Math.min(expected.length, actual.length) && same(expected.at(-1 - tail), actual.at(-1 - tail))) {
    tail++
  }
  return [
    ...actual.slice(0, head).map((line) => `    ${line}`),
    ...expected.slice(head, expected.length - tail).map((line) => `  - ${line}`),
    ...actual.slice(head, actual.length - tail).map((line) => `  + ${line}`),
    ...actual.slice(actual.length - tail).map((line) => `    ${line}`),
  ].join("\n")
}

function matchLine(expected: string, actual: string, ids: Ids): Ids | undefined {
  const shown: string[] = []
  let pattern = ""
  let end = 0
  for (const found of expected.matchAll(VOLATILE)) {
    const rule = volatile[found.slice(1).findIndex((group) => group !== undefined)]
    pattern += literally(expected.slice(end, found.index)) + (rule?.accept ?? "")
    end = found.index + found[0].length
    if (rule?.kind === "uuid" || rule?.kind === "suffix") shown.push(found[0])
  }
  pattern += literally(expected.slice(end))
  // A value of another width moves the columns behind it.
  if (end > 0) pattern = pattern.replaceAll(/ {2,}/g, " +")
  const match = new RegExp(`^${pattern}\\s*$`).exec(actual)
  return match ? bind(shown, match.slice(1), ids) : undefined
}

function literally(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)
}

/** Two ids are one when one ends in the other; what is one in the docs must be one in the run, and the reverse. */
function bind(shown: string[], actual: string[], ids: Ids): Ids | undefined {
  const bound = new Map(ids)
  for (const [index, doc] of shown.entries()) {
    const real = actual[index] ?? ""
    for (const [knownDoc, knownReal] of bound) if (areOne(doc, knownDoc) !== areOne(real, knownReal)) return undefined
    bound.set(doc, real)
  }
  return bound
}

function areOne(a: string, b: string): boolean {
  return a.endsWith(b) || b.endsWith(a)
}
