// What a session has cost, from its log alone: also what was said on branches that were left.
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createSession, openSession } from "../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { Bench } from "./bench.ts"
import { PI_NAME, putPiSession } from "./pi-session.ts"

const PRICED = { "test/priced": { price: { input: 1, output: 10, cacheRead: 0.1 } } }

function benchWithPrices(): Bench {
  const bench = new Bench()
  mkdirSync(bench.home, { recursive: true })
  writeFileSync(join(bench.home, "config.json"), JSON.stringify({ models: PRICED }), { mode: 0o600 })
  return bench
}

async function spend(bench: Bench, models: string[], from?: { session: never; entry: null; as: "task" }) {
  const { store, sessionOptions, made } = bench.cli()
  const session = await createSession(store, { cwd: bench.cwd, made, ...(from && { from }) }, sessionOptions)
  for (const model of models) {
    const usage = { input: 1_000_000, output: 100_000, cacheRead: 2_000_000 }
    await session.append([promptDraft("ask"), answerDraft("answer", { model, usage })])
  }
  await session.close()
  return session
}

test("requests, tokens and money of a session and of its directory, with branches that were left", async () => {
  const bench = benchWithPrices()
  await spend(bench, ["test/priced"])
  const session = await spend(bench, ["test/priced", "test/priced"])
  await bench.run(["back"])
  expect((await bench.run(["cost", "--json"])).json()).toEqual({
    session: session.id,
    agent: "retcon",
    title: "ask",
    tasks: 0,
    requests: 2,
    input: 2_000_000,
    output: 200_000,
    cacheRead: 4_000_000,
    cacheWrite: 0,
    cost: 4.4,
    unpriced: [],
    models: [
      {
        model: "test/priced",
        requests: 2,
        input: 2_000_000,
        output: 200_000,
        cacheRead: 4_000_000,
        cacheWrite: 0,
        cost: 4.4,
        unpriced: [],
      },
    ],
    directory: {
      cwd: bench.cwd,
      sessions: 2,
      leftOut: [],
      requests: 3,
      input: 3_000_000,
      output: 300_000,
      cacheRead: 6_000_000,
      cacheWrite: 0,
      cost: expect.closeTo(6.6),
      unpriced: [],
    },
  })
  const { out } = await bench.run(["cost"])
  expect(out).toMatch(/test\/priced +2 +6,000,000 +4,000,000 +200,000 +\$4\.4000\n/)
  expect(out).toContain("This directory: 2 sessions, 3 requests, $6.6000.\n")
})

test("a copy of a session costs nothing a second time", async () => {
  const bench = benchWithPrices()
  await spend(bench, ["test/priced"])
  await bench.run(["split"])
  expect((await bench.run(["cost", "--json"])).json()).toMatchObject({ directory: { sessions: 2, requests: 1 } })
})

test("what sub-agents took counts for the session that gave them their task", async () => {
  const bench = benchWithPrices()
  const giver = await spend(bench, ["test/priced"])
  await spend(bench, ["test/priced"], { session: giver.id as never, entry: null, as: "task" })
  expect((await bench.run(["cost", "-s", giver.id, "--json"])).json()).toMatchObject({ tasks: 1, requests: 2 })
})

test("a model without a price is never counted as free: the sum names it", async () => {
  const bench = benchWithPrices()
  await spend(bench, ["test/priced", "test/unknown"])
  const known = { requests: 2, cost: expect.closeTo(2.2), unpriced: ["test/unknown"] }
  expect((await bench.run(["cost", "--json"])).json()).toMatchObject({ ...known, directory: known })
  const { out } = await bench.run(["cost"])
  expect(out).toMatch(/all +2 .* \$2\.2000\nThe sum is without test\/unknown\.\n/)
  expect(out).toContain("2 requests, $2.2000 without test/unknown, which has no known price.\n")
  expect(out).toContain("A price is missing.")
})

test("without any price no sum is made up", async () => {
  const bench = new Bench()
  await spend(bench, ["test/unknown"])
  expect((await bench.run(["cost", "--json"])).json()).toMatchObject({ cost: null, directory: { cost: null } })
  expect((await bench.run(["cost"])).out).toContain("cost not known")
})

test("a session without requests says so", async () => {
  const bench = new Bench()
  await bench.session(1)
  expect((await bench.run(["cost"])).out).toContain("It has no recorded requests.\n")
})

test("the summary of a compaction is a request as well", async () => {
  const bench = benchWithPrices()
  const { store, sessionOptions } = bench.cli()
  const { id } = await spend(bench, ["test/priced", "test/priced", "test/priced"])
  const session = await openSession(store, id, sessionOptions)
  const usage = { input: 1_000_000, output: 100_000, cacheRead: 2_000_000 }
  const summarise = () => ({ text: "They asked three times.", model: "test/priced", usage })
  expect(await session.compact({ summarise, limits: { keepRounds: 1 } })).toMatchObject({ outcome: "compacted" })
  await session.close()
  expect((await bench.run(["cost", "--json"])).json()).toMatchObject({ requests: 4, cost: expect.closeTo(8.8) })
})

test("what runs on this machine costs nothing", async () => {
  const bench = new Bench()
  await spend(bench, ["practice/rules", "ollama/some-model"])
  expect((await bench.run(["cost", "--json"])).json()).toMatchObject({ requests: 2, cost: 0 })
})

test("the sum of a directory names what it leaves out: other agents' sessions, and those that cannot be read", async () => {
  const bench = benchWithPrices()
  const { id } = await spend(bench, ["test/priced"])
  writeFileSync((await spend(bench, ["test/priced"])).log.file ?? "", "")
  putPiSession(bench)
  const words = "Not included: 1 session of pi, 1 session of retcon that cannot be read."
  expect((await bench.run(["cost", "-s", id])).out).toContain(words)
  const leftOut = [
    { agent: "retcon", sessions: 1, because: "other-agent" },
    { agent: "retcon", sessions: 1, because: "unreadable" },
  ]
  const asked = ["cost", "-s", PI_NAME, "--json"]
  expect((await bench.run(asked)).json()).toMatchObject({ directory: { sessions: 1, leftOut } })
})
