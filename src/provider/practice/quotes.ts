// Quoted text in a request: what is in quotes is never taken for words of the request.

const QUOTED = /```[\s\S]*?```|`[^`\n]*`|"(?:[^"\\]|\\.)*"|(?<=^|[\s(])'[^'\n]*'(?=$|[\s,.;:)])/g
const PLACE = /\uE000(\d+)\uE001/g

export interface Masked {
  /** The text, with a placeholder for each quoted piece. */
  text: string
  /** Puts the quoted pieces back, with their quotes. */
  restore(text: string): string
}

export function maskQuotes(text: string): Masked {
  const pieces: string[] = []
  const masked = text.replace(PLACE, "").replace(QUOTED, (piece) => `\uE000${pieces.push(piece) - 1}\uE001`)
  return { text: masked, restore: (part) => part.replace(PLACE, (_, index: string) => pieces[Number(index)] ?? "") }
}

/** A value without the quotes around it. Within double quotes, `\n` and `\t` are escapes. */
export function unquote(text: string): string {
  const value = text.trim()
  const fenced = /^```[^\n]*\n([\s\S]*?)\n?```$/.exec(value)
  if (fenced !== null) return `${fenced[1] ?? ""}\n`
  if (/^`[^`]*`$/.test(value) || /^'[^']*'$/.test(value)) return value.slice(1, -1)
  if (!/^"(?:[^"\\]|\\.)*"$/.test(value)) return value
  return value.slice(1, -1).replace(/\\([\s\S])/g, (_, char: string) => ESCAPES.get(char) ?? char)
}

const ESCAPES = new Map([
  ["n", "\n"],
  ["t", "\t"],
])
