// When a checkpoint says what going back would leave behind.
import { expect, test } from "vitest"
import { makeBacktrackOffer } from "../../src/runner/backtrack-offer.ts"
import { type Body, message, picture } from "../history/picture.ts"

/** A token a character; 4 of them are the message's own. */
const tokens = (text: string) => text.length
const said = (size: number): Body => message("assistant", "agent", "y".repeat(size - 4))

/** What is offered at the end of a path of names; a size stands for an answer of so many tokens. */
function offerAfter(path: string, bodies: { [name: string]: Body } = {}, window?: number) {
  const sizes = Object.fromEntries([...path.matchAll(/a(\d+)_\d/g)].map(([name, size]) => [name, said(Number(size))]))
  const tree = picture(path, { ...sizes, ...bodies })
  return makeBacktrackOffer(tree, tokens)(tree.head, window)
}

test.each<[path: string, leaves: [n: number, tokens: number][] | undefined]>([
  ["c0 > a29999_1", undefined],
  ["c0 > a30000_1", [[0, 30_000]]],
  ["a50000_1 > c0 > a10000_2", undefined],
  [
    "c0 > a10000_1 > c1 > a30000_2",
    [
      [0, 40_000],
      [1, 30_000],
    ],
  ],
  ["c0 > a4999_1 > c1 > a30000_2", [[0, 34_999]]],
  [
    "c0 > a5000_1 > c1 > a30000_2",
    [
      [0, 35_000],
      [1, 30_000],
    ],
  ],
  [
    "c0 > a10000_1 > c1 > a10000_2 > c2 > a20000_3",
    [
      [0, 40_000],
      [1, 30_000],
    ],
  ],
  ["c0 > a60000_1 > z1 > a100_2 > c1 > a30000_3", [[1, 30_000]]],
])("%s", (path, leaves) => {
  expect(offerAfter(path)).toEqual(leaves?.map(([n, tokens]) => ({ n, tokens })))
})

test("at most five are named, the oldest", () => {
  const path = Array.from({ length: 8 }, (_, n) => `c${n} > a10000_${n}`).join(" > ")
  expect(offerAfter(`${path} > a30000_9`)?.map(({ n }) => n)).toEqual([0, 1, 2, 3, 4])
})

test.each([
  [9_999, undefined],
  [10_000, [{ n: 0, tokens: 50_000 }]],
])("it is repeated only when a third more of that has been added: %d tokens", (since, leaves) => {
  const c1: Body = { type: "checkpoint", n: 1, leaves: [{ n: 0, tokens: 40_000 }] }
  expect(offerAfter(`c0 > a40000_1 > c1 > a${since}_2`, { c1 })).toEqual(leaves)
})

test("of a small window, a quarter is enough", () => {
  expect(offerAfter("c0 > a5000_1", {}, 20_000)).toEqual([{ n: 0, tokens: 5_000 }])
  expect(offerAfter("c0 > a4999_1", {}, 20_000)).toBeUndefined()
  expect(offerAfter("c0 > a29999_1", {}, 1_000_000)).toBeUndefined()
})
