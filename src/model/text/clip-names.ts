// Shortens what a person typed, for messages: an argument can be as long as a file.
import { clip } from "./sanitise.ts"

const LONGEST_NAME = 80
const LONGEST_WORD = 400

/** Cuts quoted text after 80 characters, and any other word that is far too long. */
export function clipNames(text: string): string {
  return text
    .replace(/(["'])((?:(?!\1).)*)\1/gs, (all, quote: string, name: string) =>
      name.length > LONGEST_NAME ? `${quote}${clipName(name)}${quote}` : all,
    )
    .replace(/\S+/g, (word) => (word.length > LONGEST_WORD ? clipName(word) : word))
}

function clipName(name: string): string {
  return clip(name.slice(0, LONGEST_WORD), LONGEST_NAME)
}
