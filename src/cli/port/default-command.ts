// `retcon` without a command is the agent in this terminal.

const GLOBALS: ReadonlyMap<string, number> = new Map([
  ["--color", 2],
  ["--no-pager", 1],
])
const OWN = /^(?:-c|--continue|-r|--resume|--plain|--model|--mode|--think|--allow|--sandbox|--no-backtrack)(?:=|$)/

/** The words with the command's name added, if it was omitted. `terminal`: a person is there. */
export function withCommand(words: readonly string[], terminal: boolean): string[] {
  // What other programs take for it.
  if (words.length === 1 && (words[0] === "-v" || words[0] === "version")) return ["--version"]
  let at = 0
  while (at < words.length) {
    const word = words[at] ?? ""
    const taken = GLOBALS.get(word) ?? (word.startsWith("--color=") ? 1 : undefined)
    if (taken === undefined) break
    at += taken
  }
  const next = words[at]
  // No command has a space in its name: a word with a space is a prompt.
  const own = next === undefined ? terminal : OWN.test(next) || /^[^-]\S*\s/.test(next)
  return own ? [...words.slice(0, at), "tui", ...words.slice(at)] : [...words]
}
