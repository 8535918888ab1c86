// Counts and sizes in words.

/** "1 message", "2 messages". */
export function count(number: number, noun: string, plural = `${noun}s`): string {
  return `${thousands(number)} ${number === 1 ? noun : plural}`
}

/** "1,234". For toLocaleString Node loads the tables of all languages, which takes longer than a short command. */
export function thousands(whole: number): string {
  return String(whole).replace(/\B(?=(\d{3})+$)/g, ",")
}

/** "812 B", "12 KB", "3.4 MB". */
export function bytes(size: number): string {
  if (size < 1000) return `${size} B`
  if (size < 1000 * 1000) return `${Math.round(size / 1000)} KB`
  if (size < 1000 ** 3) return `${(size / 1000 ** 2).toFixed(1)} MB`
  return `${(size / 1000 ** 3).toFixed(1)} GB`
}
