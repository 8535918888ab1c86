// A text as a title: one line of limited length.

/** Contract: never splits a character. */
export function oneLine(text: string, longest: number): string {
  let line = ""
  // A few words at a time: the text may be long, and only its beginning is needed.
  const words = /\S+(?: \S+){0,30}/g
  for (let word = words.exec(text); word !== null && line.length <= longest; word = words.exec(text)) {
    line += line === "" ? word[0] : ` ${word[0]}`
  }
  if (line.length <= longest) return line
  return `${line.slice(0, longest - 1).replace(/[\ud800-\udbff]$/, "")}…`
}
