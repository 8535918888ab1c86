// Code in a few colours: comments, strings, numbers and keywords. Good enough to read, cheap enough for every frame.
import type { Theme } from "../terminal/theme.ts"

const WORDS = new Set(
  `abstract and as async await bool break case catch char class const continue def default defer del delete do double
  elif else end enum except export extends extern false finally float fn for from func function go goto if impl implements
  import in include int interface is lambda let long match mod module mut namespace new nil none not null or package pass
  private protected pub public raise readonly return select self short sizeof static string struct super switch then this
  throw trait true try type typedef typeof undefined union unless unsafe until use using var virtual void where while with
  yield echo fi esac done local None True False SELECT FROM WHERE INSERT UPDATE DELETE CREATE TABLE`.split(/\s+/),
)

/** Languages whose comments start with `#` or `--`. */
const HASH = /^(?:sh|bash|zsh|shell|console|py|python|rb|ruby|ya?ml|toml|make|makefile|dockerfile|perl|r|ini|conf)$/i
const DASH = /^(?:sql|lua|haskell|hs|elm)$/i
const TOKEN =
  /(\/\*.*?\*\/|\/\/.*$|#.*$|--.*$)|("(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`(?:[^`\\]|\\.)*`?)|(\b\d[\w.]*)|([A-Za-z_$][\w$]*)/g
/** File extensions of code. */
const CODE =
  /\.(c|cc|cpp|cs|css|go|h|hpp|hs|java|js|jsx|json|kt|lua|m|mjs|cjs|php|pl|py|rb|rs|scala|scss|sh|bash|zsh|sql|swift|toml|ts|tsx|mts|cts|vue|ya?ml|zig)$/i

/** The language of a file, judged by its name; undefined for text. */
export function languageOf(path: string): string | undefined {
  return CODE.exec(path)?.[1]?.toLowerCase() ?? (/(?:^|\/)(?:Makefile|Dockerfile)$/.test(path) ? "make" : undefined)
}

/** Longer lines are shown without colours. */
const LONG = 400

export function highlight(code: string, language: string | undefined, theme: Theme): string[] {
  const lines = code.split("\n")
  if (!theme.colours || language === undefined || language === "" || language === "text") return lines
  if (language === "diff") return lines.map((line) => diffLine(line, theme))
  const comment = HASH.test(language) ? "#" : DASH.test(language) ? "--" : "//"
  return lines.map((line) => (line.length > LONG ? line : codeLine(line, comment, theme)))
}

function codeLine(line: string, comment: string, theme: Theme): string {
  return line.replace(TOKEN, (all, note?: string, text?: string, number?: string, word?: string) => {
    if (note !== undefined) return note.startsWith(comment) || note.startsWith("/*") ? theme.quiet(note) : note
    if (text !== undefined) return theme.good(text)
    if (number !== undefined) return theme.label(number)
    return word !== undefined && WORDS.has(word) ? theme.mark(word) : all
  })
}

export function diffLine(line: string, theme: Theme): string {
  if (line.startsWith("+")) return theme.good(line)
  if (line.startsWith("-")) return theme.bad(line)
  return line.startsWith("@@") ? theme.quiet(line) : line
}
