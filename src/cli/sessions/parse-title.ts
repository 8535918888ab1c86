// A title as a person types it.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"

const LONGEST = 200

/** On one line; null if it is empty, which removes a title. Contract: throws `invalid` if it is too long. */
export function parseTitle(text: string): string | null {
  const title = sanitiseLine(text)
  if (title.length > LONGEST) {
    throw new RetconError({
      code: "invalid",
      problem: `A title has at most ${LONGEST} characters.`,
      advice: "Shorten it.",
    })
  }
  return title === "" ? null : title
}
