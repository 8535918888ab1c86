// The time of day, to show ages.
export function now(): number {
  return Date.now()
}
