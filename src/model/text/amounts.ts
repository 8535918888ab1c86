// Counts and sizes in words.

/** "1 message", "2 messages". */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${thousands(number)} ${number === 1 ? noun : plural}`
}

/** "1,234". For toLocaleString Node loads the tables of all languages, which takes longer than a short command. */
export function thousands(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ",")
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
