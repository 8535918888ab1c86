// Sessions planted in generated histories come first, among others that only look like them.
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, expect, test } from "vitest"
import { type History, NOW, writeHistories } from "../../bench/find/histories.ts"
import { NEEDLES } from "../../bench/find/needles.ts"
import { makeLibrary } from "../../src/app/library/library.ts"
import { everyAgentsStore } from "../../src/foreign/agents-store.ts"
import type { Library } from "../../src/protocol/library.ts"
import { testApp } from "../any-store.ts"

const MB = 1_000_000

let root = ""
let history: History
let library: Library
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), "retcon-needles-"))
  history = writeHistories(join(root, "person"), { bytes: 20 * MB })
  const store = everyAgentsStore({ home: join(root, "home"), person: { home: join(root, "person"), env: {} } })
  library = makeLibrary({ ...testApp(join(root, "home"), "/"), store, now: () => NOW })
})
afterAll(() => rmSync(root, { recursive: true }))

async function firstFound(text: string, limit = 1): Promise<(string | undefined)[]> {
  const { sessions } = await library.find({ text, limit, ofOne: 1 })
  return sessions.map(({ file }) => file)
}

test.each(NEEDLES.filter(({ asked }) => asked !== true))("first for $query", async ({ query }) => {
  expect(await firstFound(query)).toEqual([history.truth.get(query)])
})

test.each(NEEDLES.filter(({ asked }) => asked === true))("first for the question: $query", async ({ query }) => {
  expect(await firstFound(query)).toEqual([history.truth.get(query)])
})

test("what people remember of a prompt finds it, with a word that nobody said", async () => {
  let [first, five] = [0, 0]
  const asked = history.prompts.filter((_, n) => n % Math.ceil(history.prompts.length / 20) === 0)
  for (const { text, file } of asked) {
    const words = [...new Set(text.match(/[A-Za-z]{5,}/g))].slice(0, 5)
    const found = await firstFound(`why does ${words.join(" ")} please quuxly`, 5)
    if (found[0] === file) first++
    if (found.includes(file)) five++
  }
  expect(first / asked.length).toBeGreaterThanOrEqual(0.65)
  expect(five / asked.length).toBeGreaterThanOrEqual(0.8)
})
