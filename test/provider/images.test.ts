// Images are looked at before they are sent: what a vendor would refuse is named, with the reason.
import { describe, expect, test } from "vitest"
import { checkImage } from "../../src/provider/catalogue/media.ts"

type Make = (width: number, height: number) => Buffer

const be16 = (value: number) => [value >> 8, value & 255]
const le16 = (value: number) => be16(value).reverse()
const le24 = (value: number) => [...le16(value & 0xffff), value >> 16]
const be32 = (value: number) => [...be16(value >>> 16), ...be16(value & 0xffff)]
const latin = (text: string) => [...Buffer.from(text, "latin1")]

const chunk = (type: string, data: number[]) => [...be32(data.length), ...latin(type), ...data, 0, 0, 0, 0]
const png: Make = (width, height) =>
  Buffer.from([
    ...latin("\x89PNG\r\n\x1a\n"),
    ...chunk("IHDR", [...be32(width), ...be32(height), 8, 6, 0, 0, 0]),
    ...chunk("tEXt", latin("about=it")),
    ...chunk("IDAT", [1, 2, 3]),
    ...chunk("IEND", []),
  ])

const segment = (marker: number, data: number[]) => [0xff, marker, ...be16(data.length + 2), ...data]
const frame = (width: number, height: number) => [8, ...be16(height), ...be16(width), 1, 1, 0x11, 0]
/** A table (DHT) looks like a frame by its number, and is none; bytes may fill the space before a marker. */
const jpegWith =
  (marker: number): Make =>
  (width, height) =>
    Buffer.from([
      0xff,
      0xd8,
      ...segment(0xe0, latin("JFIF\0 and so on")),
      ...segment(0xc4, frame(1, 1)),
      0xff,
      0xff,
      ...segment(marker, frame(width, height)),
      0xff,
      0xd9,
    ])

const gif: Make = (width, height) => Buffer.from([...latin("GIF89a"), ...le16(width), ...le16(height), 0, 0, 0, 0x3b])

const riff = (format: string, data: number[]) => {
  const body = [...latin(`WEBP${format}`), ...le16(data.length), 0, 0, ...data]
  return Buffer.from([...latin("RIFF"), ...le16(body.length), 0, 0, ...body])
}
const lossy: Make = (width, height) => riff("VP8 ", [0, 0, 0, 0x9d, 0x01, 0x2a, ...le16(width), ...le16(height), 0, 0])
const lossless: Make = (width, height) => {
  const bits = (width - 1) | ((height - 1) << 14)
  return riff("VP8L", [0x2f, ...le16(bits & 0xffff), ...le16(bits >>> 16), 0, 0, 0, 0, 0])
}
const extended: Make = (width, height) => riff("VP8X", [0, 0, 0, 0, ...le24(width - 1), ...le24(height - 1)])

const IMAGES: [string, string, Make][] = [
  ["a PNG", "image/png", png],
  ["a JPEG", "image/jpeg", jpegWith(0xc0)],
  ["a progressive JPEG", "image/jpeg", jpegWith(0xc2)],
  ["a JPEG of the last kind", "image/jpeg", jpegWith(0xcf)],
  ["a GIF", "image/gif", gif],
  ["a lossy WebP", "image/webp", lossy],
  ["a lossless WebP", "image/webp", lossless],
  ["an extended WebP", "image/webp", extended],
]
const check = (bytes: Uint8Array) => checkImage(Buffer.from(bytes).toString("base64"))

describe.each(IMAGES)("%s", (_, mediaType, make) => {
  test.each([
    [1, 1],
    [8000, 300],
    [300, 8000],
  ])("of %i × %i pixels is sent as what its bytes are", (width, height) => {
    expect(check(make(width, height))).toEqual({ ok: true, mediaType })
  })

  test.each([
    [8001, 300],
    [300, 8001],
  ])("of %i × %i pixels is refused, with its size", (width, height) => {
    const problem = `it is ${width} × ${height} pixels, and at most 8000 are accepted`
    expect(check(make(width, height))).toEqual({ ok: false, problem })
  })

  test("that is cut off is refused", () => {
    const whole = make(20, 10)
    const kind = mediaType.slice("image/".length).toUpperCase()
    const cut = whole.subarray(0, kind === "GIF" ? 13 : whole.length - 2)
    expect(check(cut)).toEqual({ ok: false, problem: `it is not a whole ${kind} image` })
  })

  test("of 5 MB is sent, and a larger one is not", () => {
    const more = (bytes: number) => {
      const whole = make(20, 10)
      return Buffer.concat([whole, Buffer.alloc(bytes - whole.length)])
    }
    expect(check(more(5 * 1024 * 1024))).toEqual({ ok: true, mediaType })
    expect(check(more(5 * 1024 * 1024 + 1))).toEqual({ ok: false, problem: "it is larger than 5 MB" })
  })
})

test("an image without a width or a height is not whole", () => {
  expect(check(png(0, 5))).toEqual({ ok: false, problem: "it is not a whole PNG image" })
  expect(check(gif(5, 0))).toEqual({ ok: false, problem: "it is not a whole GIF image" })
})

test("a PNG without pixels is not whole", () => {
  const bytes = png(3, 3)
  bytes.write("iDAT", bytes.indexOf("IDAT"), "latin1")
  expect(check(bytes)).toEqual({ ok: false, problem: "it is not a whole PNG image" })
})

test("nothing, and what is not an image, is named as such", () => {
  expect(checkImage("")).toEqual({ ok: false, problem: "it is empty" })
  expect(check(Buffer.from("hello"))).toEqual({ ok: false, problem: "it is not a PNG, JPEG, GIF or WebP image" })
})
