// A file's bytes from disk, for hashing. A link is read as a link; a file that has become one is not followed.
import fs from "node:fs"
import { errno } from "../../../model/failure/retcon-error.ts"

const BUFFER = Buffer.allocUnsafe(1 << 20)
const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = fs.constants

/** Contract: the bytes are valid until the next call. Undefined: the file no longer exists; null: it cannot be read. */
export function readBytes(path: string | Buffer, kind: "file" | "link", size: number): Buffer | undefined | null {
  try {
    if (kind === "link") return fs.readlinkSync(path, { encoding: "buffer" })
    const file = fs.openSync(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
    try {
      if (size >= BUFFER.length) return fs.readFileSync(file)
      let length = 0
      for (;;) {
        const asked = BUFFER.length - length
        const got = fs.readSync(file, BUFFER, length, asked, null)
        length += got
        if (got === 0 || (got < asked && length === size)) return BUFFER.subarray(0, length)
        if (length === BUFFER.length) return Buffer.concat([BUFFER, fs.readFileSync(file)])
      }
    } finally {
      fs.closeSync(file)
    }
  } catch (error) {
    const code = errno(error)
    if (code === "ENOENT" || code === "ENOTDIR" || code === "ELOOP" || code === "EISDIR" || code === "EINVAL")
      return undefined
    if (code === "EACCES" || code === "EPERM") return null
    throw error
  }
}
