// A text as a title: one line of limited length.

/** Contract: splits no character. */
export function oneLine(text: string, longest: number): string {
  let line = ""
  // Word by word: the text may be long, and little of it is needed.
  for (const [word] of text.matchAll(/\S+/g)) {
    line += line === "" ? word : ` ${word}`
    if (line.length > longest) break
  }
  if (line.length <= longest) return line
  return `${line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…`
}
