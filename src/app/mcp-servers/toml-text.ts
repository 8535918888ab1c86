// As much of TOML as is needed to add a table to a file and remove it again: where each table begins and ends.

export interface TomlTable {
  /** The names in its header; empty for what comes before the first one. */
  path: string[]
  /** Where the header starts, and where the line with its last value ends. */
  start: number
  end: number
  values: TomlValue[]
}

export interface TomlValue {
  path: string[]
  /** Where the value starts. */
  start: number
  end: number
}

export type TomlParsed = { ok: true; tables: TomlTable[] } | { ok: false; line: number; problem: string }

export function parseToml(text: string): TomlParsed {
  const reader = new TomlReader(text)
  try {
    return { ok: true, tables: reader.tables() }
  } catch (error) {
    if (!(error instanceof TomlMisfit)) throw error
    return { ok: false, line: text.slice(0, reader.at).split("\n").length, problem: error.message }
  }
}

class TomlMisfit extends Error {}

const DEEPEST = 100
const BLANK = /(?:[ \t\r\n]|#[^\n]*)*/y
const SPACE = /[ \t]*/y
const END_OF_LINE = /[ \t]*(?:#[^\n]*)?(?:\r?\n|$)/y
const BARE_KEY = /[A-Za-z0-9_-]+/y
const ESCAPE = String.raw`\\(?:["\\bfnrt]|u[\dA-Fa-f]{4}|U[\dA-Fa-f]{8})`
const STRINGS = {
  longBasic: new RegExp(String.raw`"""(?:[^"\\]|${ESCAPE}|\\[ \t]*\r?\n|"(?!""))*"""{1,3}`, "y"),
  longLiteral: /'''[\s\S]*?'''{1,3}/y,
  basic: new RegExp(String.raw`"(?:[^"\\\n]|${ESCAPE})*"`, "y"),
  literal: /'[^'\n]*'/y,
}
const DATE = String.raw`\d{4}-\d\d-\d\d`
const TIME = String.raw`\d\d:\d\d:\d\d(?:\.\d+)?`
const WHOLE = String.raw`(?:0|[1-9](?:_?\d)*)`
const SCALARS = [
  "true|false|[-+]?(?:inf|nan)",
  String.raw`${DATE}(?:[Tt ]${TIME}(?:[Zz]|[-+]\d\d:\d\d)?)?|${TIME}`,
  String.raw`0x[\dA-Fa-f](?:_?[\dA-Fa-f])*|0o[0-7](?:_?[0-7])*|0b[01](?:_?[01])*`,
  String.raw`[-+]?${WHOLE}(?:\.\d(?:_?\d)*)?(?:[eE][-+]?\d(?:_?\d)*)?`,
].map((form) => new RegExp(`(?:${form})(?![\\w.:+-])`, "y"))
const VALUES = [...Object.values(STRINGS), ...SCALARS]

class TomlReader {
  at = 0
  readonly #text: string
  /** Headers that may not occur again. */
  readonly #headers = new Set<string>()

  constructor(text: string) {
    this.#text = text
  }

  tables(): TomlTable[] {
    let table: TomlTable = { path: [], start: 0, end: 0, values: [] }
    const all = [table]
    if (this.#text.startsWith("\ufeff")) this.at = 1
    for (this.#skip(BLANK); this.at < this.#text.length; this.#skip(BLANK)) {
      const start = this.at
      if (this.#text[start] === "[") {
        table = { path: this.#header(), start, end: 0, values: [] }
        all.push(table)
      } else addTo(table, this.#pair())
      if (!this.#skip(END_OF_LINE)) throw new TomlMisfit("something follows a value on its line")
      table.end = this.at
    }
    return all
  }

  #header(): string[] {
    const double = this.#text.startsWith("[[", this.at)
    this.at += double ? 2 : 1
    const path = this.#key()
    this.#take(double ? "]]" : "]")
    this.#note(path, double)
    return path
  }

  /** Each element of a list has its own tables. */
  #note(path: string[], double: boolean): void {
    const name = JSON.stringify(path)
    if (double)
      for (const each of this.#headers) if (each.startsWith(`${name.slice(0, -1)},`)) this.#headers.delete(each)
    if (double) return
    if (this.#headers.has(name)) throw new TomlMisfit("a table appears twice")
    this.#headers.add(name)
  }

  #pair(): TomlValue {
    const path = this.#key()
    this.#take("=")
    this.#skip(SPACE)
    const start = this.at
    this.#value(0)
    return { path, start, end: this.at }
  }

  #key(): string[] {
    const names: string[] = []
    do {
      if (names.length > 0) this.at++
      this.#skip(SPACE)
      const start = this.at
      const first = this.#text[start]
      const quoted = first === '"' || first === "'"
      if (!this.#skip(first === '"' ? STRINGS.basic : quoted ? STRINGS.literal : BARE_KEY))
        throw new TomlMisfit("a key is missing")
      names.push(quoted ? this.#text.slice(start + 1, this.at - 1) : this.#text.slice(start, this.at))
      this.#skip(SPACE)
    } while (this.#text[this.at] === ".")
    return names
  }

  #value(depth: number): void {
    if (depth > DEEPEST) throw new TomlMisfit("it is nested too deeply")
    const first = this.#text[this.at]
    if (first === "[") this.#parts("]", () => this.#value(depth + 1))
    else if (first === "{") this.#parts("}", () => this.#member(depth + 1))
    else if (!VALUES.some((kind) => this.#skip(kind))) throw new TomlMisfit("a value is missing or not valid")
  }

  #member(depth: number): void {
    this.#key()
    this.#take("=")
    this.#skip(SPACE)
    this.#value(depth)
  }

  #parts(close: string, part: () => void): void {
    this.at++
    this.#skip(BLANK)
    for (let first = true; this.#text[this.at] !== close; first = false) {
      if (!first) {
        this.#take(",")
        this.#skip(BLANK)
        if (this.#text[this.at] === close) break
      }
      part()
      this.#skip(BLANK)
    }
    this.at++
  }

  #take(expected: string): void {
    if (!this.#text.startsWith(expected, this.at)) throw new TomlMisfit(`"${expected}" is missing`)
    this.at += expected.length
  }

  /** Returns whether it was there. */
  #skip(what: RegExp): boolean {
    what.lastIndex = this.at
    const found = what.test(this.#text)
    if (found) this.at = what.lastIndex
    return found
  }
}

function addTo({ values }: TomlTable, value: TomlValue): void {
  const name = JSON.stringify(value.path)
  if (values.some(({ path }) => JSON.stringify(path) === name)) throw new TomlMisfit("a key appears twice")
  values.push(value)
}
