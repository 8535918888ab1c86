// Puts texts that were sent and came back into the draft, because the turn was stopped or they were taken back first.

const BETWEEN = "\n\n"

/**
 * The draft with `text` back in it: after those texts of `earlier`, in order, that the draft begins with, and before
 * what was typed since. A text that is already there is not added again.
 */
export function withText(draft: string, text: string, earlier: readonly string[]): string {
  let above = 0
  for (const each of earlier) above = endOf(draft, each, above) ?? above
  if (endOf(draft, text, above) !== undefined) return draft
  return [draft.slice(0, above), text, draft.slice(above)]
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join(BETWEEN)
}

/** Where the next text begins if this one is at `start`. */
function endOf(draft: string, text: string, start: number): number | undefined {
  const end = start + text.length
  if (text === "" || !draft.startsWith(text, start)) return undefined
  if (draft.slice(end).trim() === "") return draft.length
  return draft.startsWith(BETWEEN, end) ? end + BETWEEN.length : undefined
}
