// Whether bytes are the image they claim to be: if not, the provider would refuse them, so they are never sent.

export type Checked = { ok: true; mediaType: string } | { ok: false; problem: string }

/** What every vendor accepts. */
const LARGEST_BYTES = 5 * 1024 * 1024
const LARGEST_SIDE = 8_000

interface Size {
  width: number
  height: number
}

/** The actual type of the bytes, whatever they claim to be; or why no vendor would accept them. */
export function checkImage(base64: string): Checked {
  const bytes = Buffer.from(base64, "base64")
  if (bytes.length === 0) return { ok: false, problem: "it is empty" }
  const mediaType = typeOf(bytes)
  if (mediaType === undefined) return { ok: false, problem: "it is not a PNG, JPEG, GIF or WebP image" }
  if (bytes.length > LARGEST_BYTES) return { ok: false, problem: "it is larger than 5 MB" }
  const size = SIZES[mediaType](bytes)
  if (size === undefined || size.width === 0 || size.height === 0) {
    return { ok: false, problem: `it is not a whole ${mediaType.slice("image/".length).toUpperCase()} image` }
  }
  if (Math.max(size.width, size.height) > LARGEST_SIDE) {
    return {
      ok: false,
      problem: `it is ${size.width} × ${size.height} pixels, and at most ${LARGEST_SIDE} are accepted`,
    }
  }
  return { ok: true, mediaType }
}

type ImageType = "image/png" | "image/jpeg" | "image/gif" | "image/webp"

function typeOf(bytes: Buffer): ImageType | undefined {
  const head = bytes.toString("latin1", 0, 12)
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (/^GIF8[79]a/.test(head)) return "image/gif"
  return head.startsWith("RIFF") && head.slice(8) === "WEBP" ? "image/webp" : undefined
}

const SIZES: Record<ImageType, (bytes: Buffer) => Size | undefined> = {
  "image/png": pngSize,
  "image/jpeg": jpegSize,
  "image/gif": (bytes) =>
    bytes.length < 14 ? undefined : { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) },
  "image/webp": webpSize,
}

/** Undefined unless all chunks are complete, including the last one. */
function pngSize(bytes: Buffer): Size | undefined {
  let size: Size | undefined
  let pixels = false
  for (let at = 8; at + 12 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString("latin1", at + 4, at + 8)
    if (at + 12 + length > bytes.length) return undefined
    if (type === "IHDR" && length >= 8)
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) }
    if (type === "IDAT") pixels = true
    if (type === "IEND") return pixels ? size : undefined
    at += 12 + length
  }
  return undefined
}

/** From the first frame header; an image without an end marker is incomplete. */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.lastIndexOf(Buffer.from([0xff, 0xd9])) < 0) return undefined
  for (let at = 2; at + 9 < bytes.length; ) {
    if (bytes[at] !== 0xff) return undefined
    const marker = bytes[at + 1] as number
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker)
    if (isFrame) return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) }
    // Fill bytes may precede a marker.
    at += marker === 0xff ? 1 : 2 + bytes.readUInt16BE(at + 2)
  }
  return undefined
}

function webpSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 30 || bytes.readUInt32LE(4) + 8 > bytes.length) return undefined
  const format = bytes.toString("latin1", 12, 16)
  if (format === "VP8 ") {
    return { width: bytes.readUInt16LE(26) & 0x3fff, height: bytes.readUInt16LE(28) & 0x3fff }
  }
  if (format === "VP8L") {
    const bits = bytes.readUInt32LE(21)
    return { width: (bits & 0x3fff) + 1, height: ((bits >> 14) & 0x3fff) + 1 }
  }
  return format === "VP8X" ? { width: bytes.readUIntLE(24, 3) + 1, height: bytes.readUIntLE(27, 3) + 1 } : undefined
}
