import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { diffLines } from "../../../src/model/text/diff-lines.ts"
import { joinLines, splitLines } from "../../../src/workspace/text/byte-lines.ts"
import { merge3, settle } from "../../../src/workspace/text/merge.ts"

const lines = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "d\r\n", "\n", "e"), { maxLength: 20 })
const bytes = lines.map((all) => Buffer.from(all.join("")))

describe("lines", () => {
  test("joining what was split gives back the bytes", () => {
    fc.assert(fc.property(fc.uint8Array(), (any) => joinLines(splitLines(Buffer.from(any))).equals(Buffer.from(any))))
  })

  test("applying a difference to the old text gives the new one", () => {
    fc.assert(
      fc.property(lines, lines, (a, b) => {
        const result: string[] = []
        let at = 0
        for (const hunk of diffLines(a, b)) {
          result.push(...a.slice(at, hunk.aStart), ...b.slice(hunk.bStart, hunk.bEnd))
          at = hunk.aEnd
        }
        expect([...result, ...a.slice(at)]).toEqual(b)
      }),
    )
  })

  test("a difference is as short as can be on small texts", () => {
    expect(diffLines(["a", "b", "c"], ["a", "x", "c"])).toEqual([{ aStart: 1, aEnd: 2, bStart: 1, bEnd: 2 }])
    expect(diffLines(["a", "b", "c", "d"], ["b", "c", "x", "d"])).toEqual([
      { aStart: 0, aEnd: 1, bStart: 0, bEnd: 0 },
      { aStart: 3, aEnd: 3, bStart: 2, bEnd: 3 },
    ])
  })
})

describe("three-way merge", () => {
  const clean = (base: Buffer, ours: Buffer, theirs: Buffer) => {
    const merged = merge3(base, ours, theirs)
    return merged.clashes.length === 0 ? settle(merged, "ours").toString("latin1") : undefined
  }

  test("one side unchanged gives the other; both sides equal gives either", () => {
    fc.assert(
      fc.property(bytes, bytes, (base, other) => {
        expect(clean(base, base, other)).toBe(other.toString("latin1"))
        expect(clean(base, other, base)).toBe(other.toString("latin1"))
        expect(clean(base, other, other)).toBe(other.toString("latin1"))
      }),
    )
  })

  test("every clash settled one way or the other never invents a line", () => {
    fc.assert(
      fc.property(bytes, bytes, bytes, (base, ours, theirs) => {
        const merged = merge3(base, ours, theirs)
        const known = new Set([base, ours, theirs].flatMap((text) => splitLines(text)))
        for (const how of ["ours", "theirs"] as const) {
          const text = settle(merged, how).toString("latin1")
          expect(
            [...splitLines(Buffer.from(text, "latin1"))].every(
              (line) => known.has(line) || [...known].some((part) => !part.endsWith("\n") && line.startsWith(part)),
            ),
          ).toBe(true)
        }
      }),
    )
  })

  test("changes apart from each other both stay; changes that touch clash with their line", () => {
    const base = Buffer.from("1\n2\n3\n4\n5\n")
    expect(clean(base, Buffer.from("one\n2\n3\n4\n5\n"), Buffer.from("1\n2\n3\n4\nfive\n"))).toBe(
      "one\n2\n3\n4\nfive\n",
    )
    const merged = merge3(base, Buffer.from("1\n2\nX\n4\n5\n"), Buffer.from("1\n2\nY\n4\n5\n"))
    expect(merged.clashes).toEqual([{ line: 3, ours: ["X\n"], base: ["3\n"], theirs: ["Y\n"] }])
  })
})
