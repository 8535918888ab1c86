// One file's difference as unified text, for people and for the model.

import type { Difference } from "../change.ts"
import type { FileState } from "../port.ts"
import { diffLines, type Hunk } from "./diff.ts"
import { isBinary, splitLines } from "./lines.ts"

const CONTEXT = 3

/** Contract: empty for folders. Names with control characters are quoted; bytes that are not UTF-8 are replaced. */
export function printPatch({ path, from, to }: Difference, read: (oid: string) => Buffer): string {
  if (from?.kind === "folder" && (to === undefined || to.kind === "folder")) return ""
  if (to?.kind === "folder" && from === undefined) return ""
  const [old, now] = [bytesOf(from, read), bytesOf(to, read)]
  const name = (side: "a" | "b", present: boolean) => (present ? quoted(`${side}/${path}`) : "/dev/null")
  const lines = [`diff --git ${quoted(`a/${path}`)} ${quoted(`b/${path}`)}`]
  lines.push(...modeLines(from, to))
  if (old?.equals(now ?? Buffer.alloc(0)) && now !== undefined) return `${lines.join("\n")}\n`
  if ([old, now].some((bytes) => bytes !== undefined && isBinary(bytes))) {
    return `${lines.join("\n")}\nBinary files ${name("a", old !== undefined)} and ${name("b", now !== undefined)} differ\n`
  }
  lines.push(`--- ${name("a", old !== undefined)}`, `+++ ${name("b", now !== undefined)}`)
  const body = hunkText(splitLines(old ?? Buffer.alloc(0)), splitLines(now ?? Buffer.alloc(0)))
  return `${lines.join("\n")}\n${Buffer.from(body, "latin1").toString("utf8")}`
}

function modeLines(from: FileState | undefined, to: FileState | undefined): string[] {
  const [old, now] = [modeText(from), modeText(to)]
  if (from === undefined) return [`new file ${now}`]
  if (to === undefined) return [`deleted file ${old}`]
  return old === now ? [] : [`old mode ${old}`, `new mode ${now}`]
}

function bytesOf(state: FileState | undefined, read: (oid: string) => Buffer): Buffer | undefined {
  return state === undefined || state.kind === "folder" ? undefined : read(state.oid)
}

function modeText(state: FileState | undefined): string {
  if (state === undefined) return "absent"
  if (state.kind === "folder") return "folder"
  return state.kind === "link" ? "link" : state.perm.toString(8).padStart(4, "0")
}

function quoted(name: string): string {
  return /[\p{Cc}"\\]/u.test(name) ? JSON.stringify(name) : name
}

function hunkText(a: string[], b: string[]): string {
  let text = ""
  for (const group of grouped(diffLines(a, b))) {
    const [first, last] = [group[0] as Hunk, group.at(-1) as Hunk]
    const aStart = Math.max(0, first.aStart - CONTEXT)
    const bStart = Math.max(0, first.bStart - CONTEXT)
    const aEnd = Math.min(a.length, last.aEnd + CONTEXT)
    const bEnd = Math.min(b.length, last.bEnd + CONTEXT)
    text += `@@ -${range(aStart, aEnd)} +${range(bStart, bEnd)} @@\n`
    let at = aStart
    for (const hunk of group) {
      text += marked(" ", a.slice(at, hunk.aStart))
      text += marked("-", a.slice(hunk.aStart, hunk.aEnd)) + marked("+", b.slice(hunk.bStart, hunk.bEnd))
      at = hunk.aEnd
    }
    text += marked(" ", a.slice(at, aEnd))
  }
  return text
}

function grouped(hunks: Hunk[]): Hunk[][] {
  const groups: Hunk[][] = []
  for (const hunk of hunks) {
    const last = groups.at(-1)
    const before = last?.at(-1)
    if (last !== undefined && before !== undefined && hunk.aStart - before.aEnd <= 2 * CONTEXT) last.push(hunk)
    else groups.push([hunk])
  }
  return groups
}

function range(start: number, end: number): string {
  return `${end === start ? start : start + 1},${end - start}`
}

function marked(mark: string, lines: string[]): string {
  return lines
    .map((line) => (line.endsWith("\n") ? mark + line : `${mark}${line}\n\\ No newline at end of file\n`))
    .join("")
}
