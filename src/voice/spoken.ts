// Handles a person's words as the browser's own recogniser heard them.
import type { HostSession } from "../protocol/host.ts"
import { act } from "./act.ts"
import type { VoiceAction, VoiceAnswer } from "./action.ts"
import type { VoiceLine, VoiceLog } from "./voice-log.ts"

export interface SpokenAnswer {
  action: VoiceAction["do"]
  answer: VoiceAnswer
  /** The lines added to the voice log. */
  lines: VoiceLine[]
}

/** Contract: writes to the voice log before it acts. */
export async function spoken(session: HostSession, log: VoiceLog, said: string): Promise<SpokenAnswer> {
  const heard = await log.append("person", said)
  const asked = (session.live()?.approvals.length ?? 0) > 0
  const action = spokenCommand(said, asked)
  const answer = await act(session, action, () => undefined)
  const done = await log.append("retcon", answer.say)
  return { action: action.do, answer, lines: [heard, done] }
}

const NUMBERS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]
const COUNT = `(\\d{1,3}|${NUMBERS.slice(1).join("|")}|a|a couple of)`
const UNIT = "(?:rounds?|steps?|turns?|messages?|times?|prompts?)"
const BACK = new RegExp(`^(?:go|step|take me|rewind)(?: back)?(?: ${COUNT} ${UNIT}| ${COUNT})?(?: back)?$`)

/** What people say for one command, in each language: the browser's recognition writes in the one that it is set to. */
const BACK_WORDS = phrases(
  "back, go back, step back, take me back, rewind, undo, undo that, take that back",
  "zurück, geh zurück, gehe zurück, einen schritt zurück, eine runde zurück, rückgängig, mach das rückgängig",
  "retour, reviens, reviens en arrière, retour en arrière, en arrière",
  "atrás, vuelve, vuelve atrás, volver, ve atrás, deshacer, deshaz, deshazlo",
)

const FORWARD = phrases(
  "redo, redo that, go forward, forward, undo the undo, put it back",
  "vor, geh vor, vorwärts, wiederherstellen",
  "rétablir, rétablis, refaire",
  "rehacer, rehaz",
)

const STOP = phrases(
  "stop, stop it, stop that, abort, cancel, cancel that, hold on",
  "stopp, halt, anhalten, abbrechen, hör auf",
  "arrête, arrête-toi, arrêtez, arrêter",
  "para, detente, alto, parar, cancela, cancelar",
)

const YES = phrases(
  "yes, allow, allow it, allow that, approve, approve it, approve that, approved",
  "ja, erlauben, erlaube es, oui, autorise, autoriser, sí, si, permitir, permítelo",
)

const NO = phrases(
  "no, deny, deny it, deny that, reject, reject it, do not allow it, don't allow it",
  "nein, ablehnen, nicht erlauben, non, refuse, refuser, rechazar, no lo permitas",
)

/**
 * Turns a person's words into an action where no model listens: only phrases that are a command and nothing else. "Go
 * back" is a command; "go back to using tabs in the parser" is a prompt. `asked`: an approval is pending. Only then do
 * "yes" and "no" answer it.
 */
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

function phrases(...lists: string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(", ")))
}

/** In lower case, without punctuation and filler words around a command. */
function phraseOf(said: string): string {
  const words = said
    .toLowerCase()
    .normalize("NFC")
    .replace(/[.,!?;:…¡¿]+/g, " ")
    .replace(/\s+/g, " ")
    .trim()
  return words
    .replace(/^(?:(?:ok|okay|please|now|and|then|hey|could you|can you|let's|bitte|s'il te plaît|por favor) )+/, "")
    .replace(/ (?:please|now|bitte|s'il te plaît|s'il vous plaît|por favor)$/, "")
}

function numberOf(count: string): number {
  if (count === "a") return 1
  if (count === "a couple of") return 2
  const word = NUMBERS.indexOf(count)
  return word > 0 ? word : Number(count)
}
