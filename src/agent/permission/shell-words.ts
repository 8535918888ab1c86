// Splits a command line into simple commands, for rules. If anything is uncertain, no rule matches.

/** What the shell passes to a program in place of one written word. */
export interface Word {
  /** Without quotes. What is passed, if it becomes `itself`. */
  text: string
  /** `several`: any number of words, none included. */
  becomes: "itself" | "one" | "several"
  /** What every one of them certainly begins with. Contract: the whole text of a word that becomes itself. */
  begins: string
}

/** Contract: true if the shell could pass exactly this in place of the word, or as one of several. */
export function mayBecome(word: Word, text: string): boolean {
  return word.becomes === "itself" ? word.text === text : text.startsWith(word.begins)
}

/** Contract: true if the shell could pass an option. A lone `-` or `--` is none. */
export function mayBeOption({ text, becomes, begins }: Word): boolean {
  if (becomes === "itself") return /^-./s.test(text) && text !== "--"
  return begins === "" || begins.startsWith("-")
}

export interface SimpleCommand {
  words: Word[]
}

const RESERVED = new Set(
  "if then else elif fi for while until do done case esac function select time coproc in ! { } [[ ]]".split(" "),
)
const ASSIGNMENT = /^[A-Za-z_][A-Za-z0-9_]*(\[[^\]]*\])?\+?=/
/**
 * Copies of file descriptors, and /dev/null: the only redirections that write nothing. Only blanks of the shell end
 * them: a carriage return would be part of a file's name.
 */
const HARMLESS_REDIRECTION = /^(?:[012]?>&[012]|(?:&|[012]?)>>?[ \t]*\/dev\/null)(?=[ \t\n;|&]|$)/
const OPERATOR = /^(?:&&|\|\||\|&|;|\||&|\n)/

/**
 * The simple commands of a command line, in order; undefined if it contains anything else, such as `$(…)` or `> file`.
 */
export function simpleCommands(line: string): SimpleCommand[] | undefined {
  const reader: Reader = { line, at: 0, commands: [], words: [], word: undefined }
  while (reader.at < line.length) if (!readOne(reader)) return undefined
  endCommand(reader)
  return reader.commands.every(isPlain) ? reader.commands : undefined
}

interface Reader {
  line: string
  at: number
  commands: SimpleCommand[]
  words: Word[]
  word: Word | undefined
}

function isPlain({ words }: SimpleCommand): boolean {
  const first = words[0]
  return first?.becomes === "itself" && !RESERVED.has(first.text) && !ASSIGNMENT.test(first.text)
}

/** Reads one character, quoted text or operator. False: not understood. */
function readOne(reader: Reader): boolean {
  const rest = reader.line.slice(reader.at)
  const char = rest[0] as string
  if (char === " " || char === "\t") return skip(reader, 1, endWord)
  if (char === "#" && reader.word === undefined) return skip(reader, rest.search(/\n|$/), endWord)
  // "2>&1" only where a word could begin: in `a2>&1` the 2 belongs to the word.
  const redirection =
    reader.word === undefined || !/^[0-9]/.test(rest) ? HARMLESS_REDIRECTION.exec(rest)?.[0] : undefined
  if (redirection !== undefined) return skip(reader, redirection.length, endWord)
  const operator = OPERATOR.exec(rest)?.[0]
  if (operator !== undefined) return skip(reader, operator.length, endCommand)
  if ("<>()`".includes(char)) return false
  if (char === "'") return readSingle(reader, rest)
  if (char === '"') return readDouble(reader)
  if (char === "$") return readVariable(reader, rest, "bare")
  if (char === "\\") return readEscape(reader, rest)
  add(reader, char, expansionOf(reader, rest))
  reader.at++
  return true
}

function skip(reader: Reader, length: number, end: (reader: Reader) => void): boolean {
  end(reader)
  reader.at += length
  return true
}

function endWord(reader: Reader): void {
  if (reader.word !== undefined) reader.words.push(reader.word)
  reader.word = undefined
}

function endCommand(reader: Reader): void {
  endWord(reader)
  if (reader.words.length > 0) reader.commands.push({ words: reader.words })
  reader.words = []
}

/** What an unquoted character makes of its word. */
function expansionOf({ word }: Reader, rest: string): Expansion {
  const [char = "", next = " "] = rest
  // The command `[` names no set of characters: that needs a `]` in the same word.
  if (char === "[" && word === undefined && /[ \t\n;&|]/.test(next)) return "literal"
  if ("*?[{".includes(char)) return "files"
  return char === "~" && /^$|[=:]$/.test(word?.text ?? "") ? "one" : "literal"
}

/**
 * `one`: some text, in the same word. `files`: several words, which all begin like this one (braces and names of
 * files). `split`: several words, of which only the first begins like this one (a variable without quotes).
 */
type Expansion = "literal" | "one" | "files" | "split"

function add(reader: Reader, text: string, expansion: Expansion): void {
  const { word = { text: "", becomes: "itself", begins: "" } } = reader
  const certain = word.becomes === "itself" && expansion === "literal"
  reader.word = {
    text: word.text + text,
    becomes: certain ? "itself" : expansion === "one" || expansion === "literal" ? atLeastOne(word) : "several",
    begins: expansion === "split" ? "" : certain ? word.begins + text : word.begins,
  }
}

function atLeastOne({ becomes }: Word): "one" | "several" {
  return becomes === "several" ? "several" : "one"
}

function readSingle(reader: Reader, rest: string): boolean {
  const end = rest.indexOf("'", 1)
  if (end < 0) return false
  add(reader, rest.slice(1, end), "literal")
  reader.at += end + 1
  return true
}

function readDouble(reader: Reader): boolean {
  reader.at++
  add(reader, "", "literal")
  while (reader.at < reader.line.length) {
    const rest = reader.line.slice(reader.at)
    const char = rest[0] as string
    if (char === '"') {
      reader.at++
      return true
    }
    if (char === "`") return false
    if (char === "$") {
      if (!readVariable(reader, rest, "quoted")) return false
    } else if (char === "\\" && /^\\[$`"\\\n]/.test(rest)) {
      if (!readEscape(reader, rest)) return false
    } else {
      add(reader, char, "literal")
      reader.at++
    }
  }
  return false
}

/** Only `$NAME` and `${NAME}`: anything else after a `$` may run something. */
function readVariable(reader: Reader, rest: string, how: "quoted" | "bare"): boolean {
  const plain = /^\$(?:[A-Za-z_][A-Za-z0-9_]*|\{[A-Za-z_][A-Za-z0-9_]*\}|[0-9?#@*])/.exec(rest)?.[0]
  if (plain === undefined) return false
  add(reader, plain, how === "bare" || plain === "$@" ? "split" : "one")
  reader.at += plain.length
  return true
}

function readEscape(reader: Reader, rest: string): boolean {
  if (rest.length < 2) return false
  if (rest[1] !== "\n") add(reader, rest[1] as string, "literal")
  reader.at += 2
  return true
}
