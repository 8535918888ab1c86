import * as fc from "fast-check"
import { expect, test } from "vitest"
import { makeIds, parseEntryId, parseRecordId, parseSessionId, shortId } from "../../src/model/id.ts"
import { idText, idWords, readIdWords } from "../../src/model/id-words.ts"
import { anyId } from "./arbitrary.ts"

/** Ids from a clock that answers these times one after the other, then the last one forever. */
function idsAt(times: readonly number[], random: (bytes: Uint8Array) => void = () => undefined) {
  let asked = 0
  return makeIds({ now: () => times[Math.min(asked++, times.length - 1)] ?? 0, random })
}

const anyTimes = fc.array(fc.integer({ min: 1, max: 2 ** 47 }), { minLength: 1, maxLength: 60 })

test("an id is a UUIDv7 with the time in it, and every parser accepts it", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2 ** 48 - 1 }), (now) => {
      const id = idsAt([now]).entry()
      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
      expect(Number.parseInt(id.replaceAll("-", "").slice(0, 12), 16)).toBe(now)
      expect([parseEntryId(id), parseRecordId(id), parseSessionId(id)]).toEqual([id, id, id])
    }),
  )
})

test("ids of one maker are all different and sort in the order they were made, also when the clock goes back", () => {
  fc.assert(
    fc.property(anyTimes, fc.infiniteStream(fc.nat(255)), (times, bytes) => {
      const ids = idsAt(times, (array) => {
        for (let i = 0; i < 40; i++) array[i] = bytes.next().value ?? 0
      })
      const made = Array.from({ length: 120 }, () => ids.record())
      expect(new Set(made).size).toBe(made.length)
      expect([...made].sort()).toEqual(made)
    }),
    { numRuns: 60 },
  )
})

test("more ids in a millisecond than it has room for are still different and in order", () => {
  const ids = idsAt([1000])
  const made = Array.from({ length: 10_000 }, () => ids.record())
  expect(new Set(made).size).toBe(10_000)
  expect([...made].sort()).toEqual(made)
})

test("an id survives as four words", () => {
  fc.assert(
    fc.property(anyId, fc.nat(9), (id, at) => {
      const [a = 0, b = 0, c = 0, d = 0] = idWords(id)
      expect(idText(a, b, c, d)).toBe(id)
      const read = new Uint32Array(4)
      expect(readIdWords(Buffer.from(`${"x".repeat(at)}${id}"`), at, read)).toBe(true)
      expect(read).toEqual(idWords(id))
    }),
  )
})

test("bytes that are not an id are not read as one", () => {
  fc.assert(
    fc.property(
      anyId,
      fc.nat(35),
      fc.constantFrom("g", "G", "A", " ", '"', "-", "\u0000", "/", ":"),
      (id, at, byte) => {
        const wrong = id.slice(0, at) + byte + id.slice(at + 1)
        if (wrong === id) return
        expect(readIdWords(Buffer.from(wrong), 0, new Uint32Array(4))).toBe(false)
        expect(parseRecordId(wrong)).toBeUndefined()
      },
    ),
  )
  expect(readIdWords(Buffer.from("0189"), 0, new Uint32Array(4))).toBe(false)
})

test.each([undefined, null, 7, {}, [], "", "01890a5d", "01890A5D-AC96-774B-BCCE-B302099A8057"])(
  "%j is not an id",
  (value) => {
    expect([parseEntryId(value), parseRecordId(value), parseSessionId(value)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  },
)

test("views show the end of an id, because the beginning is the time", () => {
  const ids = idsAt([1_700_000_000_000], (bytes) => bytes.set(bytes.map((_, i) => (i * 37) & 255)))
  expect(shortId(ids.entry())).not.toBe(shortId(ids.entry()))
  expect(shortId("01890a5d-ac96-774b-bcce-b302099a8057")).toBe("9a8057")
})
