// An age as a person types it: 90d.
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { UsageError } from "../port/errors.ts"

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
const UNITS: Record<string, number> = { h: HOUR, d: DAY, w: 7 * DAY, mo: 30 * DAY, y: 365 * DAY }

/** Milliseconds. */
export function parseAge(text: string): number {
  const found = /^(\d+)(h|d|w|mo|y)$/.exec(text.trim())
  const unit = UNITS[found?.[2] ?? ""]
  if (found === null || unit === undefined || Number(found[1]) === 0) {
    throw new UsageError(`"${sanitiseLine(text)}" is not an age.`, "Use a number and h, d, w, mo or y, such as 90d.")
  }
  return Number(found[1]) * unit
}
