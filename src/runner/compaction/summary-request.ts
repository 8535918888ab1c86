// The request for a summary, and how to find the summary in the answer.
import type { Part } from "../../model/record/record.ts"

const REQUEST = `Stop working for a moment and write a summary of this conversation. It will replace what was said so far:
only your summary will be known from here on. Do not call tools. Use these headings, and leave out those with nothing to say:

## Goal
What the user wants, in their own terms.
## Constraints
What must or must not be done, and preferences that were stated.
## Done
What is finished, with the names of files, functions and commands.
## In progress
What was begun and is not finished, and its exact state.
## Decisions
What was decided and why; what was tried and failed, and why.
## Next step
The one thing to do next.
## Files
Files read that still matter, and files changed, each with a few words.

Keep exact names, paths, numbers and error messages. Do not mention this request.`

/** The request, including what the person wants the summary to cover. */
export function summaryQuestion(focus: string | undefined): string {
  const wish = focus === undefined || focus.trim() === "" ? "" : `\n\nPay special attention to: ${focus.trim()}`
  return REQUEST + wish
}

/** Only the text of the answer: no reasoning, no media, no instructions that the model repeats. */
export function summaryText(content: readonly Part[]): string {
  const text = content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("\n")
  return text.replaceAll(REQUEST, "").trim()
}
