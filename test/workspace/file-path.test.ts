import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { pathBytes, pathFromBytes } from "../../src/model/text/path-bytes.ts"
import { checkPath } from "../../src/workspace/port.ts"

describe("paths", () => {
  test("any bytes survive as text, as JSON and as UTF-8", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 20 }), (bytes) => {
        const path = pathFromBytes(Buffer.from(bytes))
        expect(Buffer.from(path).toString()).toBe(path)
        expect(pathBytes(JSON.parse(JSON.stringify(path)) as string).equals(Buffer.from(bytes))).toBe(true)
      }),
      { numRuns: 1000 },
    )
  })

  test("names that are UTF-8 stay as they are", () => {
    for (const name of ["a", "ü", "日本", "😀", "with space", "new\nline"])
      expect(pathFromBytes(Buffer.from(name))).toBe(name)
  })

  test.each(["\u0080", "\u07ff", "\u0800", "\u{ef7f}", "\u{f000}", "\uffff", "\u{10000}", "\u{10ffff}"])(
    "beside a byte that is no UTF-8 the character %j stays as it is",
    (character) => {
      const bytes = Buffer.concat([Buffer.from(character), Buffer.from([0xff]), Buffer.from(`${character}.`)])
      expect(pathFromBytes(bytes)).toBe(`${character}\uefff${character}.`)
    },
  )

  test.each([
    "",
    "/a",
    "../a",
    "a/../b",
    "a//b",
    "./a",
    ".git",
    "a/.git/config",
    "a/.GiT",
    "git~1/x",
    ".git::$INDEX_ALLOCATION",
    "a\0b",
  ])("%j is refused", (path) => {
    expect(() => checkPath(path)).toThrow(expect.objectContaining({ code: "unsafe-path" }))
  })

  test.each(["a", "a/b", ".gitignore", ".github/x", "git", "a.git", "...", "..a"])("%j is fine", (path) => {
    expect(checkPath(path)).toBe(path)
  })
})
