// Compares the contents of files, and names contents by their hash.
import { createHash } from "node:crypto"
import { closeSync, constants, openSync, readSync } from "node:fs"
import { orNothing } from "../../store/file/disk/problems.ts"

const PIECE = 256 * 1024
/** In a longer file only the beginning and the end are compared, because agents either append to a file or rewrite it. */
const COMPARED = 4 * 1024 * 1024

/** Whether a file begins with the first `length` bytes of its copy. `all`: compare every byte. */
export function isBeginning(copy: string, file: string, length: number, all: boolean): boolean {
  const parts: [from: number, to: number][] =
    all || length <= COMPARED
      ? [[0, length]]
      : [
          [0, COMPARED / 2],
          [length - COMPARED / 2, length],
        ]
  const [one, other] = [openRegular(copy), openRegular(file)]
  try {
    if (one === undefined || other === undefined) return false
    return orNothing(() => parts.every(([from, to]) => isSamePart(one, other, from, to))) ?? false
  } finally {
    for (const fd of [one, other]) if (fd !== undefined) closeSync(fd)
  }
}

function openRegular(path: string): number | undefined {
  return orNothing(() => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW))
}

function isSamePart(one: number, other: number, from: number, to: number): boolean {
  const [a, b] = [Buffer.allocUnsafe(PIECE), Buffer.allocUnsafe(PIECE)]
  for (let at = from; at < to; at += PIECE) {
    const wanted = Math.min(PIECE, to - at)
    const reads = [readSync(one, a, 0, wanted, at), readSync(other, b, 0, wanted, at)]
    if (reads.some((read) => read !== wanted) || !a.subarray(0, wanted).equals(b.subarray(0, wanted))) return false
  }
  return true
}

/** The first digits of the SHA-256 of a file's content. */
export function contentName(path: string): string {
  const hash = createHash("sha256")
  const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  try {
    const piece = Buffer.allocUnsafe(PIECE)
    for (let read = readSync(fd, piece); read > 0; read = readSync(fd, piece)) hash.update(piece.subarray(0, read))
  } finally {
    closeSync(fd)
  }
  return hash.digest("hex").slice(0, 32)
}
