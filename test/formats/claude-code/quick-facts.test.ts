// The quick way to read a line, which parses few, says the same as parsing every one.
import { readFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { emptyFacts, factsOf } from "../../../src/formats/claude-code/line-facts.ts"
import { quickFacts } from "../../../src/formats/claude-code/quick-facts.ts"
import { isObject, type Json, type JsonObject } from "../../../src/model/json.ts"
import { rowsOf } from "../read-session.ts"
import { read } from "./lines.ts"

const NAMES = [
  "tools-full.v197",
  "tools-full.v325",
  "interactive-kinds.v197",
  "interactive-rewind-then-prompt.v325",
  "skill-tool.v197",
]
  .concat(["1.0.128", "2.0.76", "2.1.119"].map((version) => `plain-3turns.v${version}`))
  .map((name) => join(import.meta.dirname, "samples", `${name}.jsonl`))
const SAMPLES = NAMES.map((file) => readFileSync(file, "utf8").trimEnd().split("\n"))
const LINES = SAMPLES.flat().map((line) => JSON.parse(line) as JsonObject)

test.each(NAMES.map((name, i) => [name.split("/").at(-1), SAMPLES[i] ?? []] as const))("%s", (_, lines) => {
  expect(rowsOf(read(lines))).toEqual(rowsOf(read(lines, "all")))
})

test("most lines of a session that holds answers and results need no parsing", () => {
  const lines = SAMPLES[0] ?? []
  const asked = lines.filter(
    (line) => quickFacts(Buffer.from(line), 0, Buffer.byteLength(line), emptyFacts()) === "ask",
  )
  const parsed = asked
    .map((line) => JSON.parse(line) as JsonObject)
    .filter(({ type }) => type === "assistant" || type === "attachment")
  // Fillers of the program's own, and what is attached and belongs to the conversation.
  expect(
    parsed.map(({ attachment, message }) =>
      isObject(attachment) ? attachment.type : isObject(message) && message.model,
    ),
  ).toEqual(expect.arrayContaining(["<synthetic>", "edited_text_file", "file"]))
  expect(parsed.length).toBe(6)
})

const strange: fc.Arbitrary<Json> = fc.oneof(
  fc.constantFrom<Json>(null, true, false, 0, "", "user", "tool_result", '"uuid":"', "\\", "<synthetic>", [], {}),
  fc.constantFrom<Json>({ uuid: "aaaaaaaa-aaaa-4aaa-8aaa-aaaaaaaaaaaa" }, { type: "assistant", uuid: "x" }, [
    { type: "tool_use" },
  ]),
  fc.string(),
)

/** A line of a sample with a field that has another value, is gone, is new, or stands elsewhere. */
const changed = fc
  .record({
    line: fc.constantFrom(...LINES),
    at: fc.nat(),
    how: fc.constantFrom("value", "gone", "new", "last", "first", "inner"),
    key: fc.constantFrom(
      "uuid",
      "type",
      "isSidechain",
      "isMeta",
      "message",
      "id",
      "content",
      "parentUuid",
      'x"y',
      "data",
    ),
    value: strange,
  })
  .map(({ line, at, how, key, value }) => {
    const entries = Object.entries(line)
    const spot = at % entries.length
    const [name, old] = entries[spot] as [string, Json]
    const rest = entries.filter((_, i) => i !== spot)
    if (how === "value") return Object.fromEntries(entries.map(([each, kept], i) => [each, i === spot ? value : kept]))
    if (how === "gone") return Object.fromEntries(rest)
    if (how === "new")
      return Object.fromEntries([...entries.slice(0, spot), [`x-${key}`, value], ...entries.slice(spot)])
    if (how === "last") return Object.fromEntries([...rest, [name, old]])
    if (how === "first") return Object.fromEntries([[name, old], ...rest])
    const inner = isObject(old) ? { ...old, [key]: value } : { [key]: old, uuid: value }
    return Object.fromEntries(entries.map(([each, kept], i) => [each, i === spot ? inner : kept]))
  })

test("of a line that is changed in any way, both say the same", () => {
  fc.assert(
    fc.property(changed, (line) => expectSame(JSON.stringify(line))),
    { numRuns: 3000 },
  )
})

test("a line that is cut off is never taken for a whole one", () => {
  fc.assert(
    fc.property(fc.constantFrom(...LINES), fc.double({ min: 0, max: 1, noNaN: true }), (line, part) => {
      const text = Buffer.from(JSON.stringify(line))
      const cut = text.subarray(0, Math.floor(text.length * part))
      if (cut.length < text.length) expect(quickFacts(cut, 0, cut.length, emptyFacts())).not.toBe("row")
    }),
    { numRuns: 2000 },
  )
})

/** `why` is only made by parsing. */
function expectSame(text: string): void {
  const [quick, slow] = [emptyFacts(), emptyFacts()]
  const bytes = Buffer.from(text)
  const told = quickFacts(bytes, 0, bytes.length, quick)
  if (told === "ask") return
  const line = JSON.parse(text) as JsonObject
  const found = factsOf(line, slow)
  if (told === "nothing") {
    expect(found).toBe(false)
    return
  }
  expect(found).toBe(true)
  const { said: quickSaid, parent: quickParent, ...quickRest } = quick
  const { said: slowSaid, parent: slowParent, ...slowRest } = slow
  expect({ ...quickRest, said: { ...quickSaid, why: "" } }).toEqual({
    ...slowRest,
    said: { ...slowSaid, why: "" },
  })
  if (slow.hasParent) expect(quickParent).toEqual(slowParent)
}
