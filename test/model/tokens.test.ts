// The estimate of tokens, compared with a tokenizer.
import { readFileSync } from "node:fs"
import * as fc from "fast-check"
import { describe, expect, test } from "vitest"
import type { Part } from "../../src/model/record/record.ts"
import { messageTokens, partTokens } from "../../src/model/record/record-tokens.ts"
import { textTokens } from "../../src/model/tokens.ts"

/** The beginnings of files of this repository, as they were once, and what the tokenizer o200k_base made of them. */
const FILES: Record<string, number> = {
  "src-history-rows-replay.ts": 1704,
  "src-tui-editor-editor.ts": 1548,
  "src-server-server.ts": 1452,
  "src-workspace-git-restore-restore.ts": 1492,
  "scripts-prepare.mjs": 1284,
  "bench-main.ts": 497,
  "examples-read_session.py": 1677,
  "examples-own-store.ts": 1212,
  "docs-format.md": 1229,
  "docs-security.md": 1536,
  "docs-cli.md": 1553,
  "CHANGELOG.md": 1532,
  "layers.json": 1478,
  "package.json": 932,
  "test-tui-stage.ts": 946,
  "test-tui-__snapshots__-main-view.test.ts.snap": 571,
}

test("over source, documents and data the estimate is at most 20 % off, in each and in total", () => {
  const found = Object.entries(FILES).map(([name, exact]) => {
    return { name, exact, ours: textTokens(readFileSync(`test/model/fixtures/tokens/${name}.txt`, "utf8")) }
  })
  expect(found.filter(({ ours, exact }) => Math.abs(ours / exact - 1) > 0.2)).toEqual([])
  const total = (which: "ours" | "exact") => found.reduce((sum, each) => sum + each[which], 0)
  expect(total("ours") / total("exact")).toBeCloseTo(1, 1)
})

/** With what the tokenizer made of them. */
const SAMPLES: Record<string, [tokens: number, text: string]> = {
  Chinese: [
    36,
    "时间旅行让人回到过去的对话。代理读取了四十个文件，只为了一个事实；它返回检查点，并给自己留下一张便条。",
  ],
  Japanese: [40, "会話は成長し続ける木です。戻ること、分岐すること、取り消すことはすべて追記です。何も失われません。"],
  Korean: [28, "대화는 계속 자라는 나무입니다. 뒤로 가기, 분기, 실행 취소는 모두 추가로 기록됩니다."],
  Russian: [
    25,
    "Разговор с агентом это дерево, которое только растёт. Вернуться назад, создать ветку, отменить действие.",
  ],
  German: [
    27,
    "Ein Gespräch ist ein Baum, der nur wächst. Zurückgehen und rückgängig machen sind Anhänge an ein Protokoll.",
  ],
  Arabic: [28, "المحادثة مع الوكيل شجرة تنمو فقط. العودة إلى الوراء والتفرع والتراجع كلها إضافات إلى سجل واحد."],
  pictures: [34, "Done ✅ shipped 🚀🚀 with love ❤️ and 🎉🎊, see “quotes” … ─────┼──── │ → ← • 👍🏽"],
  JSON: [
    36,
    '{"id":"entry-7919","type":"message","role":"user","content":[{"type":"text","text":"Fix it"}],"usage":{"input":1231}}',
  ],
  "a log": [117, "2026-11-16T13:04:42.108 INFO  [worker-8] GET /api/v1/items/63352?page=8 200 24ms\n".repeat(3)],
  hexadecimal: [43, "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"],
}

test.each(Object.entries(SAMPLES))("%s is estimated to within a quarter", (_, [exact, text]) => {
  expect(textTokens(text) / exact).toBeGreaterThan(0.75)
  expect(textTokens(text) / exact).toBeLessThan(1.25)
})

test("any text has an estimate, also half a character and a megabyte without a space", () => {
  fc.assert(
    fc.property(fc.uint16Array({ maxLength: 500 }), (codes) => {
      const text = String.fromCharCode(...codes)
      const tokens = textTokens(text)
      return Number.isInteger(tokens) && tokens > 0 === text.length > 0
    }),
  )
  expect(textTokens("")).toBe(0)
  expect(textTokens("\ud83d")).toBeGreaterThan(0)
  expect(textTokens("a".repeat(1_000_000))).toBeGreaterThan(1_000)
})

describe("what a message adds", () => {
  const call: Part = { type: "tool-call", call: "c", name: "Read", input: { path: "a.txt" } }

  test("a picture costs the same however large its data are", () => {
    const picture = (size: number): Part => ({ type: "image", mediaType: "image/png", data: "A".repeat(size) })
    expect(partTokens(picture(100_000))).toBe(partTokens(picture(100)))
    const result: Part = { type: "tool-result", call: "c", output: "see", media: [picture(100)] as never }
    expect(partTokens(result)).toBeGreaterThan(partTokens(picture(100)))
  })

  test("texts, calls and results count by their text", () => {
    expect(messageTokens([{ type: "text", text: "hello world" }])).toBe(6)
    expect(partTokens(call)).toBeGreaterThan(textTokens('Read{"path":"a.txt"}'))
    expect(messageTokens([call], (text) => text.length)).toBe(4 + 4 + "Read".length + '{"path":"a.txt"}'.length)
  })
})

test("a ruler is one token, and brackets count more than once", () => {
  expect(["-----", "=".repeat(40), "----\n"].map((text) => textTokens(text))).toEqual([1, 1, 1])
  expect(textTokens("({[<>]})")).toBeGreaterThan(3)
})

test("every character counts for something, at the edge of ASCII too", () => {
  for (const code of [0, 31, 32, 127, 128, 129, 255, 0xd7ff, 0xffff]) {
    expect(textTokens(String.fromCharCode(code).repeat(8))).toBeGreaterThan(0)
  }
})
