// A unified diff as files with lines, for a view with colours.
import { sanitise } from "../../src/model/text/sanitise.ts"

export interface PatchRow {
  kind: "added" | "removed" | "hunk" | "plain"
  text: string
}

export interface PatchedFile {
  /** Empty if the text does not name one. */
  path: string
  added: number
  removed: number
  lines: PatchRow[]
}

/** Contract: text that is not a diff comes out as plain lines, and nothing is left out of a hunk. */
export function parsePatch(text: string): PatchedFile[] {
  const files: PatchedFile[] = []
  let file: PatchedFile | undefined
  let inHunk = false
  const start = (path: string) => {
    file = { path, added: 0, removed: 0, lines: [] }
    files.push(file)
    inHunk = false
    return file
  }
  for (const line of sanitise(text).replace(/\n$/, "").split("\n")) {
    const named = /^diff --git (?:"?a\/.*"? )"?b\/(.*?)"?$/.exec(line)?.[1]
    if (named !== undefined) start(named)
    else if (!inHunk && line.startsWith("--- ")) file = file?.lines.length === 0 ? file : start(pathIn(line.slice(4)))
    else if (!inHunk && line.startsWith("+++ ")) nameAfter(file ?? start(""), pathIn(line.slice(4)))
    else if (line.startsWith("@@")) {
      inHunk = true
      ;(file ?? start("")).lines.push({ kind: "hunk", text: line })
    } else if (inHunk || !isHead(line)) add(file ?? start(""), line)
  }
  return files
}

function nameAfter(file: PatchedFile, path: string): void {
  if (path !== "/dev/null") file.path = path
}

function pathIn(name: string): string {
  return name.replace(/^"?[ab]\//, "").replace(/"?\t?$/, "")
}

/** Lines between the name of a file and its first hunk. */
function isHead(line: string): boolean {
  return /^(?:index |new file|deleted file|old mode|new mode|similarity |rename |copy )/.test(line)
}

function add(file: PatchedFile, text: string): void {
  if (text.startsWith("+")) {
    file.added++
    file.lines.push({ kind: "added", text })
  } else if (text.startsWith("-")) {
    file.removed++
    file.lines.push({ kind: "removed", text })
  } else file.lines.push({ kind: "plain", text })
}
