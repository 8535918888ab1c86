// RETCON_DEBUG: what was sent and why a turn went as it did, without a key.
import { mkdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { expect, onTestFinished, test } from "vitest"
import { parseJson } from "../../src/model/json.ts"
import { anthropicError, anthropicReply } from "../provider/wire/anthropic.ts"
import { SECRET, WireServer } from "../provider/wire/server.ts"
import { makeStage } from "./stage.ts"

test("each request, answer and decision is a line of a file that only its owner reads; no key is in it", async () => {
  const at = makeStage()
  mkdirSync(at.cwd, { recursive: true })
  const server = await WireServer.start()
  onTestFinished(() => server.close())
  server.reply(
    { ...(anthropicError(529, "overloaded_error", "Overloaded", { "retry-after-ms": "1" }) as object) } as never,
    anthropicReply({ text: "Hello." }),
  )
  const env = {
    PATH: process.env.PATH ?? "",
    ANTHROPIC_API_KEY: SECRET,
    ANTHROPIC_BASE_URL: server.url,
    RETCON_DEBUG: "debug.jsonl",
  }
  const prompt = `what is ${SECRET}?`
  expect(
    await at.retcon(["run", "--model", "anthropic/claude-sonnet-5-5", "--think", "low", prompt], { env }),
  ).toMatchObject({
    exit: 0,
  })
  const file = join(at.cwd, "debug.jsonl")
  const text = readFileSync(file, "utf8")
  expect(statSync(file).mode & 0o777).toBe(0o600)
  expect(text).not.toContain(SECRET)
  const lines = text
    .trimEnd()
    .split("\n")
    .map((line) => {
      const parsed = parseJson(line)
      if (!parsed.ok) throw new Error(line)
      return parsed.value
    })
  expect(lines).toContainEqual(
    expect.objectContaining({ type: "request", body: expect.objectContaining({ stream: true }) }),
  )
  expect(lines).toContainEqual(
    expect.objectContaining({ type: "response", status: 529, text: expect.stringContaining("Overloaded") }),
  )
  expect(lines).toContainEqual(expect.objectContaining({ type: "retry", attempt: 1, waitMs: 1 }))
  expect(lines).toContainEqual(expect.objectContaining({ type: "answer", stopReason: "end_turn" }))
  expect(lines).toContainEqual(expect.objectContaining({ event: expect.objectContaining({ type: "turn-end" }) }))
})
