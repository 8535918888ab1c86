// retcon usage: what all agents took, on the command line.
import { existsSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { createSession } from "../../src/session/session.ts"
import { answerDraft, promptDraft } from "../../src/session/state/draft.ts"
import { putUsageCase, USAGE_CASES } from "../app/usage/cases.ts"
import { Bench } from "./bench.ts"

/** A fork of Claude Code and one of Codex: 3 requests each, on 2026-11-10. The bench's clock is in 2030. */
function benchWithSessions(): Bench {
  const bench = new Bench()
  bench.later()
  for (const n of [1, 5]) putUsageCase(join(bench.folder, "person"), { files: USAGE_CASES[n]?.files ?? {} })
  return bench
}

async function ownSession(bench: Bench, model: string) {
  const { store, sessionOptions, made } = bench.cli()
  const session = await createSession(store, { cwd: bench.cwd, made }, sessionOptions)
  const usage = { input: 1_000_000, output: 100_000, cacheRead: 2_000_000 }
  await session.append([promptDraft("ask"), answerDraft("answer", { model, usage })])
  await session.close()
  return session
}

test("by model and agent, with the models that have no price", async () => {
  const bench = benchWithSessions()
  const { out } = await bench.run(["usage", "--by", "agent,model"])
  expect(out).toMatch(/Claude Code +claude-sonnet-5 +3 +3,330 +3,000 +150 +\$0\.00\n/)
  expect(out).toMatch(/Codex +gpt-5\.5 +3 +3,000 +1,800 +45 +\?\n/)
  expect(out).toMatch(/all +6 /)
  expect(out).toContain("The sum is without gpt-5.5.\n")
  expect(out).toContain("At API prices of 2026-11; a subscription is priced differently.\n")
  expect(out).toContain("retcon usage --prices FILE")
})

test("the answer as JSON is that of the API", async () => {
  const bench = benchWithSessions()
  const json = (await bench.run(["usage", "--by", "day", "--utc", "--json"])).json()
  expect(json).toMatchObject({
    by: ["day"],
    requests: 6,
    sessions: 4,
    unpriced: ["gpt-5.5"],
    rows: [{ day: "2026-11-10", requests: 6, output: 195 }],
    prices: { dated: "2026-11", file: null },
    leftOut: [],
  })
})

test("an agent, a project and a time", async () => {
  const bench = benchWithSessions()
  const requests = async (...words: string[]) =>
    ((await bench.run(["usage", "--json", ...words])).json() as { requests: number }).requests
  expect(await requests("--agent", "codex")).toBe(3)
  expect(await requests("--project", "dev/p")).toBe(6)
  expect(await requests("--project", "elsewhere")).toBe(0)
  expect(await requests("--since", "2026-11-10", "--until", "2026-11-10", "--utc")).toBe(6)
  expect(await requests("--until", "2026-11-09", "--utc")).toBe(0)
  expect(await requests("--since", "7d")).toBe(0)
})

test("without more: today, seven days, thirty days, and a bar for each day", async () => {
  const bench = benchWithSessions()
  expect((await bench.run(["usage"])).out).toContain("There are no recorded requests in the last 30 days.\n")
  await ownSession(bench, "anthropic/claude-sonnet-5")
  const { out } = await bench.run(["usage"])
  expect(out).toMatch(/today +1 +3,000,000 +2,000,000 +100,000 +\$3\.40\n7 days +1 .*\n30 days +1 /)
  expect(out).toMatch(/2030-01-02 +█+ \$3\.40\n/)
  expect((await bench.run(["usage", "--line"])).out).toBe("today $3.40 · 7 days $3.40\n")
})

test("prices from a file count from now on, and say where they are from", async () => {
  const bench = benchWithSessions()
  const file = join(bench.folder, "litellm.json")
  const perToken = { input_cost_per_token: 1e-3, output_cost_per_token: 1e-2, cache_read_input_token_cost: 0 }
  writeFileSync(file, JSON.stringify({ sample_spec: {}, "gpt-5.5": perToken, "image-model": { mode: "image" } }))
  expect((await bench.run(["usage", "--prices", file])).out).toMatch(/^Prices of 1 model, dated \d{4}-\d\d-\d\d, count/)
  const answer = (await bench.run(["usage", "--agent", "codex", "--json"])).json()
  expect(answer).toMatchObject({ cost: expect.closeTo(1.65), unpriced: [], prices: { file: "litellm.json" } })
  const stored = readFileSync(join(bench.home, "prices.json"), "utf8")
  writeFileSync(file, '{"gpt-5.5": "free"}')
  const refused = await bench.run(["usage", "--prices", file, "--json"])
  expect(refused.exit).not.toBe(0)
  expect(refused.error()).toMatchObject({ code: "invalid" })
  expect(readFileSync(join(bench.home, "prices.json"), "utf8")).toBe(stored)
  writeFileSync(join(bench.home, "prices.json"), "not JSON")
  expect((await bench.run(["usage", "--agent", "codex", "--json"])).json()).toMatchObject({ cost: null })
})

test("a session that retcon copied from another agent's counts only there", async () => {
  const bench = benchWithSessions()
  const requests = async () => ((await bench.run(["usage", "--json"])).json() as { requests: number }).requests
  for (const to of ["retcon", "claude-code", "pi"]) {
    expect((await bench.run(["split", "-s", "bbbbbbbb-0000-4000-8000-000000000002", "--to", to])).exit).toBe(0)
    expect({ to, requests: await requests() }).toEqual({ to, requests: 6 })
  }
})

test("what is nothing to count by, and what is no time, is said", async () => {
  const bench = new Bench()
  expect((await bench.run(["usage", "--by", "hour"])).err).toContain("Use one of: day, week, month, model")
  expect((await bench.run(["usage", "--since", "2026-02-30"])).err).toContain("today, an age such as 12h")
  expect(existsSync(join(bench.home, "cache"))).toBe(false)
})

test("prompts of all sessions of every agent, the newest first; each text once", async () => {
  const bench = benchWithSessions()
  await ownSession(bench, "anthropic/claude-sonnet-5")
  const texts = async (...words: string[]) =>
    ((await bench.run(["prompts", "--all", "--json", ...words])).json() as { text: string }[]).map(({ text }) => text)
  expect((await texts()).slice(0, 2)).toEqual(["ask", "more"])
  expect(new Set(await texts())).toEqual(new Set(["ask", "more", "go on", "hello"]))
  expect(await texts()).toHaveLength(4)
  expect(await texts("--text", "GO")).toEqual(["go on"])
  expect(await texts("--agent", "claude")).toEqual(["more", "go on", "hello"])
  expect(await texts("--since", "7d", "--limit", "1")).toEqual(["ask"])
  expect((await bench.run(["prompts", "--all"])).out).toMatch(/^ *now {2}\w{6} {2}retcon +ask\n/)
})
