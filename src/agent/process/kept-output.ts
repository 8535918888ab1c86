// The output of a command in bounded memory: its beginning and its end; all of it, up to a limit, in a file.
import { closeSync, mkdirSync, openSync, writeSync } from "node:fs"
import { dirname } from "node:path"
import { gap } from "../port/output.ts"

export interface KeptOutput {
  add(bytes: Uint8Array): void
  /** What the model gets. */
  text(): string
  /** What was added since the last call. */
  fresh(): string
  /** Total bytes of output. */
  readonly size: number
  close(): void
}

export interface KeptOptions {
  /** Where the whole output goes once it does not fit. */
  file: string
  /** How many bytes reach the model. */
  limit: number
  /** The file's maximum size; what comes after is counted, but not kept. */
  fileLimit?: number
}

const FILE_LIMIT = 64 * 1024 * 1024

export function keepOutput(options: KeptOptions): KeptOutput {
  const fileLimit = options.fileLimit ?? FILE_LIMIT
  const half = Math.max(1, Math.floor(options.limit / 2))
  const tail = tailOf(Math.max(1, options.limit - half))
  let head = Buffer.alloc(0)
  let [size, seen, fileSize, closed] = [0, 0, 0, false]
  let file: number | undefined

  const writeToFile = (bytes: Uint8Array) => {
    if (file !== undefined) fileSize += writeSync(file, bytes.subarray(0, Math.max(0, fileLimit - fileSize)))
  }
  const startFile = () => {
    mkdirSync(dirname(options.file), { recursive: true, mode: 0o700 })
    file = openSync(options.file, "w", 0o600)
    writeToFile(head)
    writeToFile(tail.bytes())
  }
  const text = () => {
    const end = tail.bytes()
    const left = size - head.length - end.length
    if (left === 0) return decode(Buffer.concat([head, end]))
    const lost = size > fileLimit ? ` The file has only its first ${fileLimit} bytes.` : ""
    return `${decode(head)}\n${gap(left, options.file)}${lost}\n${decode(end)}`
  }

  return {
    add(bytes) {
      if (closed) return
      if (file === undefined && size + bytes.length > options.limit) startFile()
      writeToFile(bytes)
      const toHead = bytes.subarray(0, half - head.length)
      if (toHead.length > 0) head = Buffer.concat([head, toHead])
      tail.add(bytes.subarray(toHead.length))
      size += bytes.length
    },
    text,
    fresh() {
      const kept = Buffer.concat([head, tail.bytes()])
      const news = size - seen
      seen = size
      if (news === 0) return ""
      return news > kept.length ? text() : decode(kept.subarray(kept.length - news))
    },
    get size() {
      return size
    },
    close() {
      if (file !== undefined) closeSync(file)
      file = undefined
      closed = true
    },
  }
}

/** The last `limit` bytes of what was added; joined only now and then, so that adding stays cheap. */
function tailOf(limit: number) {
  let parts: Uint8Array[] = []
  let length = 0
  const join = () => {
    const all = Buffer.concat(parts)
    parts = [all.subarray(Math.max(0, all.length - limit))]
    length = parts[0]?.length ?? 0
    return parts[0] as Buffer
  }
  return {
    add(bytes: Uint8Array) {
      parts.push(bytes.slice(Math.max(0, bytes.length - limit)))
      length += Math.min(bytes.length, limit)
      if (length > limit * 4) join()
    },
    bytes: join,
  }
}

/** If bytes begin or end within a character, that character is left out. */
function decode(bytes: Uint8Array): string {
  let start = 0
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return new TextDecoder().decode(bytes.subarray(start), { stream: true })
}
