// A text in pieces, because it is too long for memory.
import { sanitise } from "../model/text/sanitise.ts"
import type { SecretSurvey } from "./secret-survey.ts"

/** A secret that spans two pieces is seen if it begins within this many characters of the first one's end. */
const OVERLAP = 8192

/** Yields the pieces unchanged, after the survey has seen them. */
export function* surveyed(survey: SecretSurvey, pieces: Iterable<string>): Generator<string> {
  let before = ""
  for (const piece of pieces) {
    const text = before + sanitise(piece)
    survey.see([text])
    before = text.slice(-OVERLAP)
    yield piece
  }
}
