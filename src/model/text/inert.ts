// Tags that are ours to write: in text that came from elsewhere they get a backslash, and are no tags any more.

/** However it is spelled: case, blanks and characters that nobody sees make no difference to a reader. */
const TAG = /<(\\*)((?:[\s\p{Cf}]*\/)?[\s\p{Cf}]*(?:system|instructions)\b)/giu
const MARKED = /<(\\*)\\((?:[\s\p{Cf}]*\/)?[\s\p{Cf}]*(?:system|instructions)\b)/giu

/** `<system>` becomes `<\system>`, and `<\system>` becomes `<\\system>`: it can be seen, and taken back. */
export function inert(text: string): string {
  return text.includes("<") ? text.replace(TAG, "<$1\\$2") : text
}

/** Contract: `asWritten(inert(text)) === text`. */
export function asWritten(text: string): string {
  return text.replace(MARKED, "<$1$2")
}
