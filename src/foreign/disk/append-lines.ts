// The only code that writes into another agent's session: whole lines, at the end, in one write.
import { closeSync, constants, fdatasyncSync, fstatSync, openSync, readSync, writeSync } from "node:fs"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { attempt } from "../../store/file/disk/problems.ts"

const NEWLINE = 10

export interface LinesToAppend {
  file: string
  lines: readonly string[]
  /** The length of the file when we last read it. If it is longer now, its agent is writing to it. */
  size: number
  /** Nobody else is writing, so an unterminated last line was left by a program that died: terminate it first. */
  alone: boolean
}

/** Why nothing was appended: the file has grown since we read it, or its last line is unterminated. */
type InTheWay = "grown" | "unfinished"

/** Contract: returns a reason and writes nothing, or writes everything durably. Never creates a file. */
export function appendLines({ file, lines, size, alone }: LinesToAppend): InTheWay | undefined {
  return attempt(file, () => {
    const fd = openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(fd)
      if (!stat.isFile() || stat.size !== size) return "grown"
      const ends = endsWithNewline(fd, size)
      if (!ends && !alone) return "unfinished"
      const bytes = Buffer.from(`${ends ? "" : "\n"}${lines.map((line) => `${line}\n`).join("")}`)
      // The agent ignores half a line, and the next move terminates it.
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
