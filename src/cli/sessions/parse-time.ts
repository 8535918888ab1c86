// A moment as a person types it: today, 7d, 2026-11-18. Days are those of this machine's clock, or of UTC.
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { UsageError } from "../port/errors.ts"
import { parseAge } from "./parse-age.ts"

const DAY = 24 * 60 * 60 * 1000

/** ISO time. `7d` is today and the six days before; an age in hours is exact. `end`: of a day, its end. */
export function parseTime(
  text: string,
  { now, utc = false, end = false }: { now: number; utc?: boolean; end?: boolean },
): string {
  const typed = text.trim()
  const midnight = (time: number, days = 0): number => {
    const date = new Date(time)
    return utc
      ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + days)
      : new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
  }
  if (typed === "today" || typed === "yesterday") {
    const back = typed === "today" ? 0 : -1
    return iso(midnight(now, end ? back + 1 : back))
  }
  const date = /^(\d{4})-(\d{2})-(\d{2})$/.exec(typed)
  if (date !== null) {
    const [year, month, day] = date.slice(1).map(Number) as [number, number, number]
    const shift = end ? 1 : 0
    const time = utc ? Date.UTC(year, month - 1, day + shift) : new Date(year, month - 1, day + shift).getTime()
    const check = new Date(Date.UTC(year, month - 1, day))
    if (check.getUTCMonth() === month - 1 && check.getUTCDate() === day) return iso(time)
  } else if (/^\d{4}-\d\d-\d\dT/.test(typed) && !Number.isNaN(Date.parse(typed))) return iso(Date.parse(typed))
  else if (/^\d+(h|d|w|mo|y)$/.test(typed)) {
    const age = parseAge(typed)
    return iso(typed.endsWith("h") ? now - age : midnight(now, 1 - age / DAY))
  }
  throw new UsageError(
    `"${sanitiseLine(text)}" is not a time.`,
    "Use today, an age such as 12h, 7d, 2w or 3mo, or a date such as 2026-11-18.",
  )
}

function iso(time: number): string {
  return new Date(time).toISOString()
}

/** The day of a moment, such as 2026-11-18. */
export function dayOf(time: string, utc: boolean): string {
  const at = new Date(time)
  const [year, month, day] = utc
    ? [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
    : [at.getFullYear(), at.getMonth(), at.getDate()]
  return `${year}-${String(month + 1).padStart(2, "0")}-${String(day).padStart(2, "0")}`
}
