// What is found in the bytes of a line is what its text says, however the line is written: only what is shown is parsed, and nothing
// that a text has may be missed.
import * as fc from "fast-check"
import { expect, test } from "vitest"
import { occurrences } from "../../src/find/occurrences.ts"
import { exactly, parseQuery, type Term } from "../../src/find/query.ts"
import { compileTerms, scanPiece } from "../../src/find/scan.ts"
import { lineMarks } from "../../src/model/line-marks.ts"

const MARKS = lineMarks()

function scanned(lines: string, terms: readonly Term[]): { mask: number; inside: number } {
  const bytes = Buffer.from(lines)
  const piece = {
    number: 0,
    file: "",
    size: bytes.length,
    from: 0,
    to: bytes.length,
    marks: MARKS,
    isOurs: false,
    bytes,
  }
  return scanPiece(piece, compileTerms(terms)) ?? { mask: 0, inside: 0 }
}

const ascii = (json: string) =>
  json.replaceAll(/[\u0080-\uffff]/g, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, "0")}`)

/** The ways in which programs write the same text. */
const WRITTEN: ((text: string) => string)[] = [
  (text) => JSON.stringify({ type: "user", text }),
  (text) => ascii(JSON.stringify({ type: "user", text })),
  (text) => JSON.stringify({ role: "user", content: [{ type: "text", text }] }).replaceAll("/", "\\/"),
  (text) => JSON.stringify({ a: 1, list: ["first", text] }).replaceAll('":', '": '),
]

const WORDS = [
  ..."return ledger parseLedgerEntry parse_ledger HTTPServer tests tested Straße größe ÜBER Überlauf σοφός é naïve x2 utf8 cache".split(
    " ",
  ),
  ...'caching 会话 恢复会话 日本語 🎉 a b _ __init__ — … “quoted” \\n \\ / " \t \n : , { } true null foo.bar a-b std::move'.split(
    " ",
  ),
]
const text = fc
  .array(fc.oneof(fc.constantFrom(...WORDS), fc.string({ maxLength: 4 }), fc.constant(" ")), { maxLength: 14 })
  .map((all) => all.join(""))
const TERMS =
  "return ledger ledgers entry parse_ledger parseLedger HTTPServer server tests test straße größe über überlauf σοφός é x2 utf8 cache 会话 恢复 日 🎉 init foo.bar a-b std::move quoted naïve".split(
    " ",
  )

test("a word is found in the bytes of a line if it is in its text", () => {
  fc.assert(
    fc.property(text, fc.constantFrom(...TERMS), fc.constantFrom(...WRITTEN), (said, word, write) => {
      fc.pre(!/\p{Surrogate}/u.test(said))
      const { terms } = parseQuery(word)
      const there = occurrences(said, terms, "you").length > 0
      const { mask } = scanned(`${write(said)}\n`, terms)
      expect([word, said, mask === 1]).toEqual([word, said, there])
    }),
    { numRuns: 1500 },
  )
})

test("a phrase is found in the bytes wherever it is in the text, inside words too", () => {
  fc.assert(
    fc.property(text, text, fc.nat(), fc.constantFrom(...WRITTEN), (before, after, at, write) => {
      const said = before + after
      fc.pre(!/\p{Surrogate}/u.test(said))
      const from = said.length === 0 ? 0 : at % said.length
      const part = Array.from(said.slice(from)).slice(0, 6).join("")
      const { terms } = exactly(part)
      fc.pre(terms.length === 1 && !/\p{Surrogate}/u.test(part))
      expect([part, said, scanned(`${write(said)}\n`, terms).mask]).toEqual([part, said, 1])
    }),
    { numRuns: 1000 },
  )
})

test("keys, ids, folders and images are no text", () => {
  const { terms } = parseQuery("needle")
  const image = `needle${"QUJD".repeat(100)}`
  for (const line of [
    '{"needle":1}',
    '{"a": 1, "needle": {"b": "c"}}',
    '{"cwd":"/work/needle","sessionId":"needle","text":"x"}',
    '{"cwd": "/work/needle", "text": "x"}',
    `{"source":{"data":"${image}"}}`,
    '{"a":needle}',
  ])
    expect([line, scanned(`${line}\n`, terms)]).toEqual([line, { mask: 0, inside: 0 }])
  for (const line of [
    '{"text":"needle"}',
    '["a","needle"]',
    '{"a":["x", "the needle"]}',
    String.raw`{"a":"{\"cwd\":\"needle\"}"}`,
  ])
    expect([line, scanned(`${line}\n`, terms).mask]).toEqual([line, 1])
})

test("every text is a query", () => {
  fc.assert(fc.property(fc.string(), (typed) => parseQuery(typed).terms.length <= 24))
  const kinds = (typed: string) =>
    parseQuery(typed).terms.map(({ text: word, kind, not }) => `${not ? "-" : ""}${kind}:${word}`)
  expect(kinds("std::move http://x a-b foo.ts")).toEqual(["word:std::move", "word:http://x", "word:a-b", "word:foo.ts"])
  expect(kinds('-x -"a b" "lone quote')).toEqual(["-word:x", "-phrase:a b", "phrase:lone quote"])
  expect(kinds("- cert* ->")).toEqual(["phrase:-", "prefix:cert", "phrase:->"])
})
