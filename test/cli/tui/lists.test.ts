// What the lists of the terminal say: of models, and of sessions.
import { expect, test } from "vitest"
import { previewSession } from "../../../src/app/library/preview-session.ts"
import { modelNames } from "../../../src/app/setup/model-names.ts"
import { createSession } from "../../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../../src/session/state/draft.ts"
import { Bench } from "../bench.ts"

test("the list of models says which could be used with a key, and how much each can read", async () => {
  const noServer = (() => Promise.reject(new Error("no server"))) as typeof fetch
  const sleep = (_: number, signal: AbortSignal) =>
    new Promise<void>((done) => signal.addEventListener("abort", () => done(), { once: true }))
  const timing = { now: () => 0, random: () => 0, sleep } as never
  const names = (env: Record<string, string>, models = {}) =>
    modelNames({ settings: { models }, env, fetch: noServer, timing })
  const without = await names({})
  const keyed = without.filter(({ missing }) => missing?.includes("ANTHROPIC_API_KEY"))
  expect(keyed.length).toBeGreaterThan(0)
  const [first] = keyed
  const within = await names({ ANTHROPIC_API_KEY: "k" })
  expect(within.find(({ value }) => value === first?.value)).toEqual({ value: first?.value, about: first?.about })
  expect(within.map(({ about }) => about)).toEqual(
    expect.arrayContaining([expect.stringMatching(/^(\d+k|\d(\.\d+)?M) tokens$/)]),
  )
  expect(without.at(-1)).toMatchObject({ value: "practice" })
  const window = async (size: number) => {
    const all = await names({ ANTHROPIC_API_KEY: "k" }, { [first?.value ?? ""]: { window: size } })
    return all.find(({ value }) => value === first?.value)?.about
  }
  expect([await window(999_999), await window(1_000_000), await window(2_500_000)]).toEqual([
    "1000k tokens",
    "1M tokens",
    "2.5M tokens",
  ])
})

test("the preview of a session is its last prompt, and the last answer", async () => {
  const bench = new Bench()
  const cli = bench.cli()
  const preview = async (texts: string[]) => {
    const session = await createSession(cli.store, { cwd: bench.cwd, made: cli.made }, cli.sessionOptions)
    for (const [i, text] of texts.entries()) await session.append([i === 0 ? promptDraft(text) : answerDraft(text)])
    await session.close()
    return previewSession(cli, { id: session.id })
  }
  expect(await preview([" ask ", "first", "last", " "])).toBe("You: ask\n\nAgent: last")
  expect(await preview(["ask"])).toBe("You: ask")
  expect(await preview([])).toBe("")
  expect(await preview(["q".repeat(301), "a".repeat(2001)])).toBe(
    `You: ${"q".repeat(300)}\n\nAgent: ${"a".repeat(2000)}`,
  )
})
