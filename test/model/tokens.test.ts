// The estimate of tokens, compared with a tokenizer.
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import * as fc from "fast-check"
import { countTokens } from "gpt-tokenizer/encoding/o200k_base"
import { describe, expect, test } from "vitest"
import type { Part } from "../../src/model/record/part.ts"
import { messageTokens, partTokens } from "../../src/model/record/record-tokens.ts"
import { textTokens } from "../../src/model/tokens.ts"

/** The tokenizer is quadratic in long runs without a space, so it is fed slices. */
function counted(text: string): number {
  let tokens = 0
  for (let at = 0; at < text.length; at += 2_000) {
    tokens += countTokens(text.slice(at, at + 2_000), { disallowedSpecial: new Set() })
  }
  return tokens
}

const FOLDERS = ["src", "docs", "scripts", "bench", "examples", "test/tui"]
const TEXT = /\.(ts|mjs|md|py|json|snap)$/

function repositoryFiles(): { name: string; text: string }[] {
  const below = FOLDERS.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  )
  return [...readdirSync("."), ...below]
    .filter((name) => TEXT.test(name))
    .map((name) => ({ name, text: readFileSync(name, "utf8") }))
}

test("over the files of this repository the estimate is at most 20 % off, in each and in total", () => {
  const found = repositoryFiles()
    .filter(({ text }) => text.length >= 2_000)
    .map(({ name, text }) => ({ name, ours: textTokens(text), exact: counted(text) }))
  expect(found.length).toBeGreaterThan(300)
  expect(found.filter(({ ours, exact }) => Math.abs(ours / exact - 1) > 0.2)).toEqual([])
  const total = (which: "ours" | "exact") => found.reduce((sum, each) => sum + each[which], 0)
  expect(total("ours") / total("exact")).toBeCloseTo(1, 1)
})

const SAMPLES: Record<string, string> = {
  Chinese: "时间旅行让人回到过去的对话。代理读取了四十个文件，只为了一个事实；它返回检查点，并给自己留下一张便条。",
  Japanese: "会話は成長し続ける木です。戻ること、分岐すること、取り消すことはすべて追記です。何も失われません。",
  Korean: "대화는 계속 자라는 나무입니다. 뒤로 가기, 분기, 실행 취소는 모두 추가로 기록됩니다.",
  Russian: "Разговор с агентом это дерево, которое только растёт. Вернуться назад, создать ветку, отменить действие.",
  German: "Ein Gespräch ist ein Baum, der nur wächst. Zurückgehen und rückgängig machen sind Anhänge an ein Protokoll.",
  Arabic: "المحادثة مع الوكيل شجرة تنمو فقط. العودة إلى الوراء والتفرع والتراجع كلها إضافات إلى سجل واحد.",
  pictures: "Done ✅ shipped 🚀🚀 with love ❤️ and 🎉🎊, see “quotes” … ─────┼──── │ → ← • 👍🏽",
  JSON: '{"id":"entry-7919","type":"message","role":"user","content":[{"type":"text","text":"Fix it"}],"usage":{"input":1231}}',
  "a log": "2026-11-16T13:04:42.108 INFO  [worker-8] GET /api/v1/items/63352?page=8 200 24ms\n".repeat(3),
  hexadecimal: "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
}

test.each(Object.entries(SAMPLES))("%s is estimated to within a quarter", (_, text) => {
  expect(textTokens(text) / counted(text)).toBeGreaterThan(0.75)
  expect(textTokens(text) / counted(text)).toBeLessThan(1.25)
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
