// Counts and sizes in words.

/** "1 message", "2 messages". */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${thousands(number)} ${number === 1 ? noun : plural}`
}

/** "1,234". For toLocaleString Node loads the tables of all languages, which takes longer than a short command. */
export function thousands(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ",")
}

/** "1.2M". */
export function shortNumber(number: number): string {
  for (const [size, letter] of [
    [1e9, "G"],
    [1e6, "M"],
    [1e3, "k"],
  ] as const) {
    if (number >= size) return `${(number / size).toFixed(1)}${letter}`
  }
  return String(number)
}

/** "$0.0123", "$0.0123 without gpt-9, which has no known price". `unpriced`: the models that `cost` leaves out. */
export function costWords(cost: number | null | undefined, unpriced: readonly string[] = [], digits = 4): string {
  const [first, ...more] = unpriced
  if (first === undefined) return cost === null || cost === undefined ? "not known" : `$${cost.toFixed(digits)}`
  const named =
    more.length === 0
      ? `${first}, which has no known price`
      : `${first} and ${count(more.length, "other model")}, which have no known price`
  return cost === null || cost === undefined || cost === 0 ? "not known" : `$${cost.toFixed(digits)} without ${named}`
}

/** "812 B", "12 KB", "3.4 MB". */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`
  if (size < 1000 * 1000) return `${Math.round(size / 1000)} KB`
  if (size < 1000 ** 3) return `${(size / 1000 ** 2).toFixed(1)} MB`
  return `${(size / 1000 ** 3).toFixed(1)} GB`
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/**
 * How long ago something was, in at most four columns. "now", "5m", "3h", "2d", "6w", "11mo", "3y"; "?" if `at` is not
 * a time, or the 0 of a file that notes none.
 */
export function age(at: string, now: number): string {
  const time = Date.parse(at)
  if (Number.isNaN(time) || time === 0) return "?"
  const past = now - time
  if (past < MINUTE) return "now"
  if (past < HOUR) return `${Math.floor(past / MINUTE)}m`
  if (past < DAY) return `${Math.floor(past / HOUR)}h`
  if (past < 14 * DAY) return `${Math.floor(past / DAY)}d`
  if (past < 60 * DAY) return `${Math.floor(past / (7 * DAY))}w`
  if (past < 365 * DAY) return `${Math.floor(past / (30 * DAY))}mo`
  return `${Math.floor(past / (365 * DAY))}y`
}

export const AGE_WIDTH = 4

/** In a sentence: "5m ago", "just now". */
export function ago(at: string, now: number): string {
  const short = age(at, now)
  if (short === "now") return "just now"
  return short === "?" ? "at an unknown time" : `${short} ago`
}

/**
 * Prompts that the agent's Backtrack went back past: they are still the person's, and every list says why they are
 * here.
 */
export const LEFT_BY_BACKTRACK = "left by the agent's Backtrack"

/** The title over such prompts. */
export function passedTitle(prompts: number): string {
  return `${count(prompts, "prompt")} of yours, ${LEFT_BY_BACKTRACK}`
}

/** After a move to before such a prompt. */
export const BACK_WHERE_ASKED =
  "The agent's Backtrack had left this prompt behind. The conversation is as it was before you sent it."
