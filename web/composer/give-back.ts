// Texts that were sent and come back into the draft, because the turn was stopped or taken back first.

const BETWEEN = "\n\n"

/**
 * The draft with `text` back in it: below those texts of `earlier`, in their order, that the draft begins with, and above
 * what was typed since. A text that is there already is not added again.
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
