// A command line split for rules that forbid: never refused, and rather into too many commands than too few.
import { basename } from "node:path"
import type { Word } from "./shell-words.ts"

/** Words that come before a command. */
const BEFORE = new Set("if then else elif while until do ! { } time coproc function".split(" "))

/** Stand for what only the shell knows: any number of any words, and any number of words that begin like this one. */
const [ANYTHING, FILES] = ["\0", "\x01"]

/** Contract: every command that the shell could run is in it; so may be others. */
export function roughCommands(line: string): Word[][] {
  return withoutSubstitutions(line.replace(/["'\\]/g, ""))
    .replace(/\$\{[^}]*\}|\$\w+|\$[?#@*!$-]/g, ANYTHING)
    .replace(/\{[^{}\s]*(?:,|\.\.)[^{}\s]*\}|[*?]|\[[^\]\s]*\]/g, FILES)
    .replace(/[<>]\(/g, "(")
    .replace(/[0-9]*(?:&>>?|>>?|<<?<?)[&|]?\s*[^\s;&|()]+/g, " ")
    .split(/[;&|()\n]+/)
    .map((command) => command.split(/\s+/).filter((word) => word !== ""))
    .map((words) => words.slice(before(words)).map(wordOf))
    .filter((words) => words.length > 0)
}

/** How many words come before the command's own: assignments, and `then` and such. */
function before(words: readonly string[]): number {
  const at = words.findIndex((word) => !BEFORE.has(word) && !/^\w+\+?=/.test(word))
  return at < 0 ? words.length : at
}

/** What a substitution runs is a command of its own; what it prints may be any words. */
function withoutSubstitutions(line: string): string {
  return line.replace(/`([^`]*)`/g, `${ANYTHING} ( $1 ) `).replaceAll("$(", `${ANYTHING} ( `)
}

function wordOf(text: string): Word {
  if (text.includes(ANYTHING)) return { text, becomes: "several", begins: "" }
  const at = text.indexOf(FILES)
  return at < 0 ? literalWord(text) : { text, becomes: "several", begins: text.slice(0, at) }
}

export function literalWord(text: string): Word {
  return { text, becomes: "itself", begins: text }
}

/** Contract: true if the shell could run this program for the word. */
export function mayRun({ text, becomes, begins }: Word, program: string): boolean {
  if (becomes === "itself") return text === program || basename(text) === program
  return begins.includes("/") || program.startsWith(begins)
}
