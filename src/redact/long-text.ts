// A text that comes in pieces, because it is too long to be held.
import { sanitise } from "../model/text/sanitise.ts"
import type { Survey } from "./survey.ts"

/** A secret that lies across two pieces is seen as far as this. */
const OVERLAP = 8192

/** The pieces as they come; what they hold is seen. */
export function* surveyed(survey: Survey, pieces: Iterable<string>): Generator<string> {
  let before = ""
  for (const piece of pieces) {
    const text = before + sanitise(piece)
    survey.see([text])
    before = text.slice(-OVERLAP)
    yield piece
  }
}
