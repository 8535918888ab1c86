// retcon run against a local server that speaks a provider's protocol: how the model is found, and what the totals say.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { FAKES, SECRET, WireServer } from "../provider/wire/server.ts"
import { makeStage } from "./stage.ts"

async function stage(config: object = {}) {
  const server = await WireServer.start()
  onTestFinished(() => server.close())
  const at = makeStage()
  mkdirSync(at.cwd, { recursive: true })
  mkdirSync(at.home, { recursive: true })
  writeFileSync(join(at.home, "config.json"), JSON.stringify(config), { mode: 0o600 })
  const env = { PATH: process.env.PATH ?? "", ANTHROPIC_API_KEY: SECRET, ANTHROPIC_BASE_URL: server.url }
  return { ...at, server, env }
}

test("the first key found chooses the model; the totals have cache hits, cost and what backtracking saved", async () => {
  const at = await stage({
    models: { "anthropic/claude-sonnet-5-5": { price: { input: 1000, output: 10_000, cacheRead: 100 } } },
  })
  writeFileSync(join(at.cwd, "long.txt"), "a long line of text\n".repeat(400))
  const usage = { input: 1000, output: 100, cacheRead: 2000 }
  at.server.reply(
    FAKES.anthropic.reply({ calls: [{ id: "c1", name: "Read", input: { path: "long.txt" } }], usage }),
    FAKES.anthropic.reply({ calls: [{ id: "c2", name: "Backtrack", input: { checkpoint_id: 0, note: "read" } }] }),
    FAKES.anthropic.reply({ text: "Nothing there." }),
  )
  const { out, err, exit } = await at.retcon(["run", "look at it"], { env: at.env })
  expect({ exit, out }).toEqual({ exit: 0, out: "Nothing there.\n" })
  expect(err).toMatch(
    /session \w+ · 3200 tokens sent, 2000 of them cached, 140 received, \$2\.8000; backtracking saved about [1-4]\d{3}\n/,
  )
  expect(at.server.requests[0]?.json.model).toBe("claude-sonnet-5-5")
  const files = readdirSync(at.home, { recursive: true, withFileTypes: true }).filter((each) => each.isFile())
  const texts = files.map((each) => readFileSync(join(each.parentPath, each.name), "utf8"))
  expect(texts.join("\n")).toContain("a long line of text")
  expect([...texts, out, err].join("\n")).not.toContain(SECRET)
})

test("compaction follows the configuration: window and ratio", async () => {
  const at = await stage({
    models: { "anthropic/claude-sonnet-5-5": { window: 100_000 } },
    compaction: { ratio: 0.5, reserve: [] },
  })
  const usage = { input: 49_999, output: 1 }
  const say = (text: string) => FAKES.anthropic.reply({ text, usage })
  at.server.reply(say("one"), say("two"), say("## Goal\nGo on."), say("three"))
  for (const text of ["1", "2", "3"]) await at.retcon(["run", "-c", text], { env: at.env })
  expect(at.server.requests[2]?.text).toContain("write a summary of this conversation")
  expect(at.server.requests[3]?.text).toContain("Previous context has been compacted")
})
