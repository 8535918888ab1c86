// The words just before a match, few enough that the match itself stays in view.

/** The end of a text, on one line: whole words, and at most this many characters. */
export function leadIn(before: string, most: number): string {
  const line = before.replace(/\s+/g, " ")
  if (line.length <= most) return line
  const cut = line.slice(-most)
  const word = cut.indexOf(" ")
  return `…${word === -1 || word === cut.length - 1 ? cut : cut.slice(word + 1)}`
}
