// Which version of a file introduced each of its lines. Pure.
import { diffLines } from "../../model/text/diff-lines.ts"
import { isBinary, splitLines } from "../text/byte-lines.ts"

type BlamedLine = { line: number; text: string; label: string }

export type Version = { label: string; bytes: Buffer | undefined }

/** Contract: versions are oldest first; returns the lines of the last one. A binary or missing file has no lines. */
export function blameLines(versions: Version[]): BlamedLine[] {
  let lines: string[] = []
  let labels: string[] = []
  for (const { label, bytes } of versions) {
    const next = bytes === undefined || isBinary(bytes) ? [] : splitLines(bytes)
    const nextLabels = next.map(() => label)
    let a = 0
    let b = 0
    for (const hunk of [...diffLines(lines, next), { aStart: lines.length, aEnd: 0, bStart: 0, bEnd: 0 }]) {
      for (; a < hunk.aStart; a++, b++) nextLabels[b] = labels[a] as string
      a = hunk.aEnd
      b = hunk.bEnd
    }
    lines = next
    labels = nextLabels
  }
  return lines.map((line, i) => ({
    line: i + 1,
    text: Buffer.from(line, "latin1")
      .toString("utf8")
      .replace(/\r?\n$/, ""),
    label: labels[i] as string,
  }))
}
