// Tools of Claude Code that change files, and what 2.1.326 writes into its session about them: as recorded, see the samples.
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import type { JsonObject } from "../../../src/model/json.ts"
import { diffLines } from "../../../src/model/text/diff-lines.ts"
import type { Call } from "./claude-at-work.ts"

/** The whole new content of a file. It is told with LF, and written so too. */
export function write(cwd: string, path: string, content: string): Call {
  const file = join(cwd, path)
  const before = textOf(file)
  return {
    name: "Write",
    input: { file_path: file, content },
    does: () => writeFileSync(file, content),
    told: () => ({
      type: before === null ? "create" : "update",
      filePath: file,
      content,
      structuredPatch: before === null ? [] : hunks(lf(before), lf(content), "marked"),
      originalFile: before === null ? null : lf(before),
      userModified: false,
    }),
  }
}

/** `large`: it does not repeat the file. Line ends stay as they are, and are told as LF. */
export function edit(cwd: string, path: string, old: string, by: string, large = false): Call {
  const file = join(cwd, path)
  const before = textOf(file) ?? ""
  const ends = before.includes("\r\n") ? "\r\n" : "\n"
  const after = lf(before).replace(old, () => by)
  return {
    name: "Edit",
    input: { file_path: file, old_string: old, new_string: by },
    does: () => writeFileSync(file, after.replaceAll("\n", ends)),
    told: () => ({
      filePath: file,
      oldString: old,
      newString: by,
      originalFile: large ? null : lf(before),
      structuredPatch: hunks(lf(before), after, "marked"),
      userModified: false,
      replaceAll: false,
    }),
  }
}

const MOST_FILES = 5
const MOST_LINES = 400

/** A command that leaves these contents. `tells`: whether it tells files at all, as in a git repository since 2.1.325. */
export function bash(cwd: string, files: Record<string, string | null>, { tells = true } = {}): Call {
  const paths = Object.keys(files).sort()
  const before = new Map(paths.map((path) => [path, textOf(join(cwd, path))]))
  const changed = paths.filter((path) => before.get(path) !== files[path])
  const all = changed.map((path) => fileTold(join(cwd, path), before.get(path) ?? null, files[path] ?? null))
  const shown = all.filter((each) => each.lines <= MOST_LINES).slice(0, MOST_FILES)
  return {
    name: "Bash",
    input: { command: `change ${paths.join(" ")}`, description: "d" },
    does: () => {
      for (const path of paths) {
        const [file, text] = [join(cwd, path), files[path] ?? null]
        if (text === null) rmSync(file, { force: true })
        else writeFileSync(file, text)
      }
    },
    told: () => ({
      stdout: "",
      stderr: "",
      interrupted: false,
      isImage: false,
      noOutputExpected: false,
      ...(tells &&
        changed.length > 0 && {
          bashEditDiff: {
            files: shown.map(({ told }) => told),
            moreFiles: changed.length - shown.length,
            changedFiles: changed.map((path) => join(cwd, path)),
          },
        }),
    }),
  }
}

function fileTold(filePath: string, before: string | null, after: string | null): { told: JsonObject; lines: number } {
  const found = hunks(before ?? "", after ?? "", "plain")
  const lines = found.reduce((sum, hunk) => sum + (hunk.lines as string[]).length, 0)
  const made = before === null ? { created: true } : after === null ? { deleted: true } : {}
  return { told: { filePath, hunks: found, ...made }, lines }
}

/** With three lines of context. `plain`: without the mark that the last line does not end. */
function hunks(before: string, after: string, how: "marked" | "plain"): JsonObject[] {
  const [a, b] = [linesOf(before), linesOf(after)]
  const found: { aStart: number; aEnd: number; bStart: number; bEnd: number; lines: string[] }[] = []
  for (const hunk of diffLines(a, b)) {
    const last = found.at(-1)
    if (last !== undefined && hunk.aStart - last.aEnd <= 6) {
      last.lines.push(...marked(" ", a.slice(last.aEnd, hunk.aStart), how), ...changed(hunk))
      ;[last.aEnd, last.bEnd] = [hunk.aEnd, hunk.bEnd]
    } else {
      if (last !== undefined) finish(last)
      const lead = Math.min(3, hunk.aStart)
      const lines = [...marked(" ", a.slice(hunk.aStart - lead, hunk.aStart), how), ...changed(hunk)]
      found.push({ ...hunk, aStart: hunk.aStart - lead, bStart: hunk.bStart - lead, lines })
    }
  }
  const last = found.at(-1)
  if (last !== undefined) finish(last)
  function changed({ aStart, aEnd, bStart, bEnd }: { aStart: number; aEnd: number; bStart: number; bEnd: number }) {
    return [...marked("-", a.slice(aStart, aEnd), how), ...marked("+", b.slice(bStart, bEnd), how)]
  }
  function finish(hunk: (typeof found)[number]): void {
    const tail = a.slice(hunk.aEnd, hunk.aEnd + 3)
    hunk.lines.push(...marked(" ", tail, how))
    hunk.aEnd += tail.length
    hunk.bEnd += tail.length
  }
  return found.map(({ aStart, aEnd, bStart, bEnd, lines }) => ({
    oldStart: aEnd === aStart ? 0 : aStart + 1,
    oldLines: aEnd - aStart,
    newStart: bEnd === bStart ? 0 : bStart + 1,
    newLines: bEnd - bStart,
    lines,
  }))
}

function marked(mark: string, lines: readonly string[], how: "marked" | "plain"): string[] {
  return lines.flatMap((line) => {
    if (line.endsWith("\n")) return [mark + line.slice(0, -1)]
    return how === "plain" ? [mark + line] : [mark + line, "\\ No newline at end of file"]
  })
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? []
}

function lf(text: string): string {
  return text.replaceAll("\r\n", "\n")
}

function textOf(file: string): string | null {
  return existsSync(file) ? readFileSync(file, "utf8") : null
}
