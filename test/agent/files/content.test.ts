import { expect, test } from "vitest"
import { contentKind } from "../../../src/agent/files/content.ts"

const bytes = (...values: (number | string)[]) =>
  Uint8Array.from(values.flatMap((value) => (typeof value === "number" ? [value] : [...Buffer.from(value)])))

test.each([
  ["a PNG", bytes(0x89, "PNG", 13, 10), { kind: "image", mediaType: "image/png" }],
  ["a JPEG", bytes(0xff, 0xd8, 0xff, 0xe0), { kind: "image", mediaType: "image/jpeg" }],
  ["a GIF", bytes("GIF89a"), { kind: "image", mediaType: "image/gif" }],
  ["a WebP", bytes("RIFF", 1, 2, 3, 4, "WEBP"), { kind: "image", mediaType: "image/webp" }],
  ["two bytes of a JPEG", bytes(0xff, 0xd8), { kind: "text", utf8: false }],
  ["a text", bytes("über\n"), { kind: "text", utf8: true }],
  ["a text that is cut within a character", bytes("a", 0xc3), { kind: "text", utf8: true }],
  ["a text in another encoding", bytes("a", 0xfc, "b"), { kind: "text", utf8: false }],
  ["a program", bytes(0x7f, "ELF", 0, 1), { kind: "binary" }],
  ["nothing", bytes(), { kind: "text", utf8: true }],
])("%s is recognised by its first bytes", (_, content, kind) => {
  expect(contentKind(content)).toEqual(kind)
})
