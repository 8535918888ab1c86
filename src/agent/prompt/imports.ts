// `@path` in CLAUDE.md: which files a text imports. Not in code, fenced or in backticks, and not in comments. Pure.

const FENCE = /^ {0,3}(`{3,}|~{3,})/
const COMMENT = /<!--[\s\S]*?(?:-->|$)/g
/** A run of backticks, and the next run of the same length. */
const SPAN = /(?<!`)(`+)(?!`)[\s\S]*?(?<!`)\1(?!`)/g
/** `\ ` is a blank in a name. */
const IMPORT = /(?<=^|\s)@((?:\\ |[^\s\\])+)/g

/** As they are written, each once, in order. Whether such a file exists is for the caller to find out. */
export function importedPaths(markdown: string): string[] {
  const text = withoutBlocks(markdown.replace(COMMENT, "")).replace(SPAN, " ")
  const names = Array.from(text.matchAll(IMPORT), ([, name = ""]) => name.replaceAll("\\ ", " "))
  return [...new Set(names.map((name) => name.replace(/[),.;:!?]+$/, "")))].filter((name) => name !== "")
}

/** Without fenced blocks and indented ones; a fence that is never closed goes on to the end. */
function withoutBlocks(markdown: string): string {
  const kept: string[] = []
  let fence: string | undefined
  let before = ""
  for (const line of markdown.split(/\r?\n/)) {
    const [, marks = ""] = FENCE.exec(line) ?? []
    const isIndented = /^(?: {4}|\t)/.test(line) && (before.trim() === "" || before === "code")
    if (fence !== undefined) {
      if (marks.startsWith(fence) && line.trim() === marks) fence = undefined
    } else if (marks !== "") fence = marks
    else if (!isIndented) kept.push(line)
    before = isIndented ? "code" : line
  }
  return kept.join("\n")
}
