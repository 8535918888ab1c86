// The one place that writes into another agent's session: whole lines, at its end, in one write.
import { closeSync, constants, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from "node:fs"
import { RetconError } from "../model/failure/retcon-error.ts"
import { attempt } from "../store/file/disk/problems.ts"

const NEWLINE = 10

export interface LinesToAppend {
  file: string
  lines: readonly string[]
  /** How long the file is, as far as is known: if it is longer, its agent is writing to it. */
  size: number
  /** Nobody is writing to it, so a last line without an end is what a program that died left: it is ended first. */
  alone: boolean
}

/** What is in the way: the file is longer than was known, or its last line has no end. */
type InTheWay = "grown" | "unfinished"

/** Contract: where something is in the way, nothing was written. What was written survives a power cut. Creates no file. */
export function appendLines({ file, lines, size, alone }: LinesToAppend): InTheWay | undefined {
  return attempt(file, () => {
    const fd = openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(fd)
      if (!stat.isFile() || stat.size !== size) return "grown"
      const ends = endsWithNewline(fd, size)
      if (!ends && !alone) return "unfinished"
      const bytes = Buffer.from(`${ends ? "" : "\n"}${lines.map((line) => `${line}\n`).join("")}`)
      // Half a line means nothing to the agent, and the next move ends it.
      if (writeSync(fd, bytes) < bytes.length) throw new RetconError({ code: "disk-full", path: file })
      fdatasyncSync(fd)
      return undefined
    } finally {
      closeSync(fd)
    }
  })
}

function endsWithNewline(fd: number, size: number): boolean {
  const last = Buffer.alloc(1)
  return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE)
}
