// A unified diff as editors show it: the text before, and the text after.

export interface Edit {
  /** Null: the file is new. */
  oldText: string | null
  newText: string
}

const HUNK = /^@@ -(\d+),(\d+) \+\d+,\d+ @@/

/** `before`: the file as it is. Undefined if the diff is not one of that text. */
export function editOf(diff: string, before: string | undefined): Edit | undefined {
  const all = diff.split("\n")
  if (!all[0]?.startsWith("--- ") || !all[1]?.startsWith("+++ ")) return undefined
  const isNew = all[0] === "--- /dev/null"
  if (!isNew && before === undefined) return undefined
  const newText = applied(all.slice(2, -1), isNew ? "" : (before ?? ""))
  return newText === undefined ? undefined : { oldText: isNew ? null : (before ?? ""), newText }
}

function applied(diff: readonly string[], before: string): string | undefined {
  const old = before === "" ? [] : before.split(/(?<=\n)/)
  const made: string[] = []
  let at = 0
  for (const [index, line] of diff.entries()) {
    const [, start, count] = HUNK.exec(line) ?? []
    if (start !== undefined) {
      const from = Number(start) - (count === "0" ? 0 : 1)
      if (from < at || from > old.length) return undefined
      made.push(...old.slice(at, from))
      at = from
      continue
    }
    const text = line.slice(1) + (diff[index + 1]?.startsWith("\\") === true ? "" : "\n")
    if (line.startsWith("\\")) continue
    if (!line.startsWith("+") && old[at++] !== text) return undefined
    if (!line.startsWith("-")) made.push(text)
  }
  return [...made, ...old.slice(at)].join("")
}
