// Turns a person's words into an action where no model listens: only phrases that are a command and nothing else.
// "Go back" is a command; "go back to using tabs in the parser" is a prompt.
import type { VoiceAction } from "./action.ts"

const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
const COUNT = `(\\d{1,3}|${NUMBERS.slice(1).join("|")}|a|a couple of)`
const UNIT = "(?:rounds?|steps?|turns?|messages?|times?|prompts?)"

const BACK = new RegExp(`^(?:go|step|take me|rewind)(?: back)?(?: ${COUNT} ${UNIT}| ${COUNT})?(?: back)?$`)
const BACK_WORDS = new Set([
  "back",
  "go back",
  "step back",
  "take me back",
  "rewind",
  "undo",
  "undo that",
  "take that back",
])
const FORWARD = new Set(["redo", "redo that", "go forward", "forward", "undo the undo", "put it back"])
const STOP = new Set(["stop", "stop it", "stop that", "abort", "cancel", "cancel that", "hold on"])
const YES = new Set(["yes", "allow", "allow it", "allow that", "approve", "approve it", "approve that", "approved"])
const NO = new Set(["no", "deny", "deny it", "deny that", "reject", "reject it", "do not allow it", "don't allow it"])

/** `asked`: an approval is pending. Only then do "yes" and "no" answer it. */
export function spokenCommand(said: string, asked: boolean): VoiceAction {
  const words = phraseOf(said)
  if (STOP.has(words)) return { do: "stop" }
  if (FORWARD.has(words)) return { do: "redo" }
  if (asked && YES.has(words)) return { do: "approve", yes: true }
  if (asked && NO.has(words)) return { do: "approve", yes: false }
  if (BACK_WORDS.has(words)) return { do: "go_back", rounds: 1 }
  const counted = BACK.exec(words)
  const count = counted?.[1] ?? counted?.[2]
  if (count !== undefined && words.includes("back")) return { do: "go_back", rounds: numberOf(count) }
  return { do: "converse", text: said.trim() }
}

/** In lower case, without punctuation and filler words around a command. */
function phraseOf(said: string): string {
  const words = said
    .toLowerCase()
    .replace(/[.,!?;:…]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
  return words
    .replace(/^(?:(?:ok|okay|please|now|and|then|hey|could you|can you|let's) )+/, "")
    .replace(/ (?:please|now)$/, "")
}

function numberOf(count: string): number {
  if (count === "a") return 1
  if (count === "a couple of") return 2
  const word = NUMBERS.indexOf(count)
  return word > 0 ? word : Number(count)
}
