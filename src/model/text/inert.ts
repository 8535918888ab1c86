// Tags that only we may write: in other text they get a backslash, and are no longer tags.

const OURS = "system|instructions"
const TAG = tagOf(OURS, "", "iuy")
const NOTE_TAG = tagOf(`${OURS}|note`)
const MARKED = tagOf(OURS, "\\\\")

/** `<system>` becomes `<\system>`, and `<\system>` becomes `<\\system>`: visible, and reversible. */
export function inert(text: string): string {
  let [written, from] = ["", 0]
  // Bracket by bracket: contexts contain many long texts with few brackets, and the pattern is slow to find one.
  for (let at = text.indexOf("<"); at !== -1; at = text.indexOf("<", Math.max(from, at + 1))) {
    TAG.lastIndex = at
    const [, slashes = "", rest] = TAG.exec(text) ?? []
    if (rest === undefined) continue
    written += `${text.slice(from, at)}<${slashes}\\${rest}`
    from = TAG.lastIndex
  }
  return from === 0 ? text : written + text.slice(from)
}

/** The same for the text of a note, which must not be able to close its own tag either. */
export function inertNote(text: string): string {
  return text.replace(NOTE_TAG, "<$1\\$2")
}

/** Contract: `asWritten(inert(text)) === text`. */
export function asWritten(text: string): string {
  return text.replace(MARKED, "<$1$2")
}

/** In any spelling: case, blanks and invisible characters make no difference to a reader. */
function tagOf(names: string, before = "", flags = "giu"): RegExp {
  const blank = "[\\s\\p{Cf}]*"
  return new RegExp(`<(\\\\*)${before}((?:${blank}/)?${blank}(?:${names})\\b)`, flags)
}
