// How long ago something was, in at most four columns.

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** "now", "5m", "3h", "2d", "6w", "11mo", "3y"; "?" if `at` is not a time, or the 0 of a file that notes none. */
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
