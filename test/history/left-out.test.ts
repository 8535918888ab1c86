// What a model sees of a message of which something was left out.
import { expect, test } from "vitest"
import { hasMedia, leftOutIn, leftOutRows, without } from "../../src/history/context/left-out.ts"
import type { Part } from "../../src/model/record/record.ts"
import { LEFT_OUT_KEY } from "../../src/model/record/state-key.ts"
import { type Body, picture } from "./picture.ts"

const NOTE = "[left out, because the provider refused it]"
const TEXT: Part = { type: "text", text: "see" }
const IMAGE = { type: "image", mediaType: "image/png", data: "aa" } as Part
const PLAIN = { type: "tool-result", call: "c", output: "done" } as const satisfies Partial<Part>
const RESULT = { ...PLAIN, media: [IMAGE] } as Part
const left = (entry: string, parts: string): Body => ({ type: "state", key: LEFT_OUT_KEY, value: { entry, parts } })

test("media is replaced by a note, and text only when all is left out", () => {
  expect(without([TEXT, IMAGE], "media")).toEqual([TEXT, { type: "text", text: NOTE }])
  expect(without([TEXT, IMAGE], "all")).toEqual([
    { type: "text", text: NOTE },
    { type: "text", text: NOTE },
  ])
})

test("a result still answers its call", () => {
  expect(without([RESULT], "media")).toEqual([{ type: "tool-result", call: "c", output: `done\n${NOTE}` }])
  expect(without([PLAIN as Part], "media")).toEqual([PLAIN])
  expect(without([RESULT], "all")).toEqual([{ type: "tool-result", call: "c", output: NOTE }])
})

test("what another agent puts in place of a message stands there; of a result its texts are the output", () => {
  expect(without([TEXT, IMAGE], [TEXT])).toEqual([TEXT])
  const other: Part = { type: "text", text: "short" }
  expect(without([RESULT], [other])).toEqual([{ type: "tool-result", call: "c", output: "short" }])
  expect(without([RESULT], [other, IMAGE])).toEqual([
    { type: "tool-result", call: "c", output: "short", media: [IMAGE] },
  ])
})

test("the last word about an entry counts, and only what is on the path and deep enough", () => {
  const tree = picture("p1 > s1 > a1 > s2 > p2; a1 > s3", {
    s1: left("p1", "all"),
    s2: left("p1", "media"),
    s3: left("a1", "all"),
  })
  const found = (head: string, floor: number) => [...leftOutIn(tree, leftOutRows(tree, tree.row(head), floor))]
  expect(found("p2", 0)).toEqual([["p1", "media"]])
  expect(found("s3", 0)).toEqual([
    ["p1", "all"],
    ["a1", "all"],
  ])
  expect(found("s3", tree.depth(tree.row("s1")))).toEqual([
    ["p1", "all"],
    ["a1", "all"],
  ])
  expect(found("s3", tree.depth(tree.row("s1")) + 1)).toEqual([["a1", "all"]])
})

test("media is an image or a file, also one that a tool returned", () => {
  expect(
    [[TEXT], [IMAGE], [RESULT], [{ ...PLAIN, media: [] } as Part], []].map((content) => hasMedia(content)),
  ).toEqual([false, true, true, false, false])
})
