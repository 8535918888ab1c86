// The names and values in a .env file.

export interface Variable {
  name: string
  value: string
}

const LINE = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*[=:][ \t]*/gm
const COMMENT = /[ \t]#.*$/

/** Contract: quoted values may span lines; what is not understood is skipped. */
export function parseDotenv(text: string): Variable[] {
  const variables: Variable[] = []
  LINE.lastIndex = 0
  for (let found = LINE.exec(text); found !== null; found = LINE.exec(text)) {
    const [line, name = ""] = found
    const start = found.index + line.length
    const { value, end } = valueAt(text, start)
    variables.push({ name, value })
    LINE.lastIndex = end
  }
  return variables
}

function valueAt(text: string, start: number): { value: string; end: number } {
  const quote = text[start]
  const lineEnd = text.indexOf("\n", start) < 0 ? text.length : text.indexOf("\n", start)
  if (quote === '"' || quote === "'" || quote === "`") {
    const close = text.indexOf(quote, start + 1)
    if (close > start) {
      const inside = text.slice(start + 1, close)
      return { value: quote === '"' ? inside.replace(/\\n/g, "\n") : inside, end: close }
    }
  }
  return { value: text.slice(start, lineEnd).replace(COMMENT, "").trim(), end: lineEnd }
}
