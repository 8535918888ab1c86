// The only code that writes into another agent's session: whole lines, at the end, in one write.
import { closeSync, constants, fdatasyncSync, fstatSync, ftruncateSync, openSync, readSync, writeSync } from "node:fs"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { attempt } from "../../store/file/disk/problems.ts"

const NEWLINE = 10

export interface LinesToAppend {
  file: string
  lines: readonly string[]
  /** The length of the file when we last read it. If it is longer now, its agent is writing to it. */
  size: number
}

/**
 * Contract: writes nothing if the file has grown since we read it, or writes everything durably; says which. Never creates a
 * file. Nobody else has the session open, so an unterminated last line was left by a program that died: it is terminated first.
 */
export function appendLines({ file, lines, size }: LinesToAppend): "grown" | "appended" {
  return attempt(file, () => {
    const fd = openSync(file, constants.O_RDWR | constants.O_APPEND | constants.O_NONBLOCK)
    try {
      const stat = fstatSync(fd)
      if (!stat.isFile() || stat.size !== size) return "grown"
      const ends = endsWithNewline(fd, size)
      const bytes = Buffer.from(`${ends ? "" : "\n"}${lines.map((line) => `${line}\n`).join("")}`)
      writeOrTakeBack(fd, file, bytes, size)
      fdatasyncSync(fd)
      return "appended"
    } finally {
      closeSync(fd)
    }
  })
}

/**
 * Half a line would be in its agent's way: some refuse to resume such a session. So what was written is cut off again, unless
 * something follows it.
 */
function writeOrTakeBack(fd: number, file: string, bytes: Uint8Array, size: number): void {
  let written = 0
  try {
    written = writeSync(fd, bytes)
    if (written < bytes.length) throw new RetconError({ code: "disk-full", path: file })
  } catch (error) {
    if (written > 0 && fstatSync(fd).size === size + written) ftruncateSync(fd, size)
    throw error
  }
}

function endsWithNewline(fd: number, size: number): boolean {
  const last = Buffer.alloc(1)
  return size === 0 || (readSync(fd, last, 0, 1, size - 1) === 1 && last[0] === NEWLINE)
}
