import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import { fitList, LIST_START, moveList, visibleRows } from "../../../src/tui/overlay/list/list.ts"
import { makeSearchList, startFilter } from "../../../src/tui/overlay/list/search-list.ts"
import { type KeyPress, keyPress } from "../../../src/tui/terminal/keys.ts"

const key = (data: string) => keyPress(data) as KeyPress
const named = (name: string): KeyPress => ({ name, text: undefined, data: "" })
const KEYS = ["up", "down", "pageUp", "pageDown", "home", "end"] as const

describe("a virtual list", () => {
  test("the cursor is always on a row that is there and on the screen, whatever is pressed", () => {
    const steps = fc.array(fc.record({ key: fc.constantFrom(...KEYS), height: fc.integer({ min: 1, max: 30 }) }))
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100 }), steps, (size, presses) => {
        let list = LIST_START
        for (const { key, height } of presses) {
          list = moveList(list, key, size, height) ?? list
          const rows = visibleRows(list, size, height)
          expect(rows.length).toBe(Math.min(size, height))
          if (size > 0) expect(rows).toContain(list.at)
        }
      }),
    )
  })

  test("End goes to the last of 100,000 rows, and only a screenful of them is looked at", () => {
    const list = moveList(LIST_START, "end", 100_000, 20)
    expect(list).toEqual({ at: 99_999, top: 99_980 })
    expect(visibleRows(list ?? LIST_START, 100_000, 20)).toHaveLength(20)
  })

  test("a screen that becomes smaller keeps the cursor in sight", () => {
    expect(fitList({ at: 19, top: 0 }, 100, 5)).toEqual({ at: 19, top: 15 })
  })
})

describe("a filter", () => {
  test("finds what a plain search finds, however it is sliced and typed", () => {
    const texts = fc.array(fc.string({ unit: fc.constantFrom("a", "b", "c", " "), maxLength: 6 }), { maxLength: 30 })
    const typed = fc.string({ unit: fc.constantFrom("a", "b", "c", " "), minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(texts, typed, fc.array(fc.nat(4)), (rows, query, slices) => {
        let filter = startFilter(rows.length, (row) => rows[row] ?? "", query.slice(0, 1))
        for (let length = 1; length <= query.length; length++) {
          if (length > 1) filter = startFilter(rows.length, (row) => rows[row] ?? "", query.slice(0, length), filter)
          let left = slices[length - 1] ?? 0
          filter.work(() => left-- <= 0)
        }
        filter.work(() => false)
        expect(filter.done).toBe(true)
        const words = query.split(" ").filter(Boolean)
        const plain = rows.flatMap((text, row) => (words.every((word) => text.includes(word)) ? [row] : []))
        expect(filter.found).toEqual(plain)
      }),
    )
  })

  test("a longer query looks only at what the shorter one found", () => {
    const looked: number[] = []
    const textOf = (row: number) => {
      looked.push(row)
      return row % 10 === 0 ? "apple" : "pear"
    }
    const short = startFilter(100, textOf, "a")
    short.work(() => false)
    looked.length = 0
    const long = startFilter(100, textOf, "app", short)
    long.work(() => false)
    expect(looked).toHaveLength(100)
    looked.length = 0
    startFilter(100, textOf, "apple", long).work(() => false)
    expect(looked).toHaveLength(10)
  })
})

describe("a search list", () => {
  test("typing narrows, Backspace widens, and the row under the cursor is one of all", () => {
    const fruit = ["apple", "pear", "apricot", "plum"]
    const list = makeSearchList({ size: 4, textOf: (row) => fruit[row] ?? "", now: () => 0 })
    list.key(key("a"))
    list.key(key("p"))
    expect(list.visible(10).map(({ row }) => fruit[row])).toEqual(["apple", "apricot"])
    list.key(named("down"))
    expect(list.chosen).toBe(2)
    list.key(named("backspace"))
    expect(list.visible(10).map(({ row }) => fruit[row])).toEqual(["apple", "pear", "apricot"])
    list.key(named("ctrl+u"))
    expect(list.size).toBe(4)
    list.key(key("x"))
    expect(list.chosen).toBeUndefined()
  })

  test("a key in a long list costs one slice: the rest is found in later ones", () => {
    let now = 0
    const textOf = (row: number) => {
      now++
      return `row ${row}`
    }
    const list = makeSearchList({ size: 1000, textOf, now: () => now })
    list.key(key("9"))
    expect(list.searching).toBe(true)
    while (list.searching) list.work()
    expect(list.size).toBe(271)
  })
})

test.each([
  ["\u001b[H", "\u001b[F"],
  ["\u001bOH", "\u001bOF"],
  ["\u001b[1~", "\u001b[4~"],
  ["\u001b[7~", "\u001b[8~"],
])("Home and End work in a list however the terminal sends them: %j %j", (home, end) => {
  const list = makeSearchList({ size: 40, textOf: String, now: () => 0 })
  list.key(key(end))
  expect(list.chosen).toBe(39)
  list.key(key(home))
  expect(list.chosen).toBe(0)
})
