// A text as a title: one line of limited length.

/** Contract: splits no character. */
export function oneLine(text: string, longest: number): string {
  const line = text.replace(/\s+/g, " ").trim()
  if (line.length <= longest) return line
  return `${line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…`
}
