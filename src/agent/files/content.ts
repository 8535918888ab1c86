// What a file contains, judged by its bytes: text, an image the model can see, or neither.
import { closeSync, openSync, readSync } from "node:fs"

export type ContentKind = { kind: "text"; utf8: boolean } | { kind: "image"; mediaType: string } | { kind: "binary" }

const SAMPLE = 8192

/** Judged by the first bytes of a file. */
export function contentKind(bytes: Uint8Array): ContentKind {
  const mediaType = imageType(bytes)
  if (mediaType !== undefined) return { kind: "image", mediaType }
  if (bytes.subarray(0, SAMPLE).includes(0)) return { kind: "binary" }
  return { kind: "text", utf8: isUtf8(bytes) }
}

export function firstBytes(path: string, length = SAMPLE): Uint8Array {
  const file = openSync(path, "r")
  try {
    const bytes = new Uint8Array(length)
    return bytes.subarray(0, readSync(file, bytes, 0, length, 0))
  } finally {
    closeSync(file)
  }
}

/** The end may cut a character in two: that does not make the file invalid. */
function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: true })
    return true
  } catch (error) {
    if (error instanceof TypeError) return false
    throw error
  }
}

const IMAGES: readonly { mediaType: string; at: number; bytes: readonly number[] }[] = [
  { mediaType: "image/png", at: 0, bytes: [0x89, 0x50, 0x4e, 0x47] },
  { mediaType: "image/jpeg", at: 0, bytes: [0xff, 0xd8, 0xff] },
  { mediaType: "image/gif", at: 0, bytes: [0x47, 0x49, 0x46, 0x38] },
  { mediaType: "image/webp", at: 8, bytes: [0x57, 0x45, 0x42, 0x50] },
]

function imageType(bytes: Uint8Array): string | undefined {
  return IMAGES.find((image) => image.bytes.every((byte, i) => bytes[image.at + i] === byte))?.mediaType
}
