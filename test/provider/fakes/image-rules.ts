// Whether an image is one: read as a decoder would, apart from the code under test.
import { inflateSync } from "node:zlib"

const LARGEST_BYTES = 5 * 1024 * 1024
const LARGEST_SIDE = 8_000

/** What is wrong with these bytes as an image of this type; undefined when nothing is. */
export function imageProblem(base64: string, mediaType: string): string | undefined {
  if (!/^image\/(?:png|jpeg|gif|webp)$/.test(mediaType)) return `unsupported type ${mediaType}`
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(base64)) return "invalid base64 data"
  const bytes = Buffer.from(base64, "base64")
  if (bytes.length > LARGEST_BYTES) return "image exceeds 5 MB maximum"
  const found = typeOf(bytes)
  if (found === undefined) return "Could not process image"
  if (found !== mediaType) return `specified using ${mediaType}, but appears to be ${found}`
  return found === "image/png" ? pngProblem(bytes) : found === "image/jpeg" ? jpegProblem(bytes) : undefined
}

function typeOf(bytes: Buffer): string | undefined {
  const head = bytes.toString("latin1", 0, 12)
  if (head.startsWith("\x89PNG\r\n\x1a\n")) return "image/png"
  if (head.startsWith("\xff\xd8\xff")) return "image/jpeg"
  if (/^GIF8[79]a/.test(head)) return "image/gif"
  return head.startsWith("RIFF") && head.endsWith("WEBP") ? "image/webp" : undefined
}

/** All pixels are inflated: a picture that ends early is none. */
function pngProblem(bytes: Buffer): string | undefined {
  const data: Buffer[] = []
  let [width, height, ended] = [0, 0, false]
  for (let at = 8; at + 12 <= bytes.length && !ended; ) {
    const length = bytes.readUInt32BE(at)
    const type = bytes.toString("latin1", at + 4, at + 8)
    const body = bytes.subarray(at + 8, at + 8 + length)
    if (type === "IHDR") [width, height] = [body.readUInt32BE(0), body.readUInt32BE(4)]
    if (type === "IDAT") data.push(body)
    ended = type === "IEND"
    at += 12 + length
  }
  if (width === 0 || height === 0 || !ended) return "Could not process image"
  if (Math.max(width, height) > LARGEST_SIDE) return "image dimensions exceed max allowed size: 8000 pixels"
  try {
    inflateSync(Buffer.concat(data))
    return undefined
  } catch {
    return "Could not process image"
  }
}

function jpegProblem(bytes: Buffer): string | undefined {
  return bytes.includes(Buffer.from([0xff, 0xd9])) ? undefined : "Could not process image"
}
