// A thinking level in each vendor's own words.
import { expect, onTestFinished, test } from "vitest"
import { isObject, type JsonObject } from "../../../src/model/json.ts"
import type { ThinkingLevel } from "../../../src/model/thinking.ts"
import { strictServer, VENDORS, type Vendor } from "../fakes/vendors.ts"
import { eventsOf, modelAt } from "../wire/server.ts"

const FIELDS = ["thinking", "output_config", "reasoning", "reasoning_effort"]

async function sent(vendor: Vendor, name: string, thinking?: ThinkingLevel) {
  const named: Vendor = { ...vendor, endpoint: { ...vendor.endpoint, name } }
  const server = await strictServer(named)
  onTestFinished(() => server.close())
  server.reply(named.reply({ text: "ok" }))
  const events = await eventsOf(modelAt(server, named), thinking === undefined ? {} : { thinking })
  const body: JsonObject = server.bodies[0] ?? {}
  const config = isObject(body.generationConfig) ? body.generationConfig : {}
  const asked = Object.entries({ ...body, ...config }).filter(([key]) => [...FIELDS, "thinkingConfig"].includes(key))
  const notices = events.flatMap((event) => (event.type === "notice" ? [event.text] : []))
  return { asked: Object.fromEntries(asked), notices: notices.join() }
}

const { bound, anthropic, responses, openai, google, deepseek, ollama } = VENDORS
const shown = { type: "adaptive", display: "summarized" }

const CASES: [Vendor, string, ThinkingLevel | undefined, JsonObject, told: RegExp][] = [
  [bound, "claude-sonnet-5-5", undefined, { thinking: shown }, /^$/],
  [bound, "claude-sonnet-5-5", "medium", { thinking: shown, output_config: { effort: "medium" } }, /^$/],
  [bound, "claude-sonnet-5-5", "off", { thinking: { type: "between_tools" } }, /"minimal" is used/],
  [bound, "claude-opus-5", "off", { thinking: { type: "disabled" } }, /^$/],
  [bound, "claude-fable-5-1", "off", { thinking: shown, output_config: { effort: "low" } }, /"low" is used/],
  [bound, "claude-opus-4-6", "xhigh", { thinking: shown, output_config: { effort: "high" } }, /"high" is used/],
  [anthropic, "claude-sonnet-4-5", undefined, {}, /^$/],
  [anthropic, "claude-sonnet-4-5", "low", { thinking: { type: "enabled", budget_tokens: 4_096 } }, /^$/],
  [responses, "gpt-6.1-sol", undefined, { reasoning: { summary: "auto" } }, /^$/],
  [responses, "gpt-6.1-sol", "high", { reasoning: { effort: "high", summary: "auto" } }, /^$/],
  [responses, "gpt-6-sol", "off", { reasoning: { effort: "none", summary: "auto" } }, /^$/],
  [responses, "gpt-6.1-sol", "off", { reasoning: { effort: "low", summary: "auto" } }, /"low" is used/],
  [responses, "gpt-5-mini", "off", { reasoning: { effort: "minimal", summary: "auto" } }, /"minimal" is used/],
  [responses, "gpt-4.1", "high", {}, /has no thinking level/],
  [openai, "gpt-5.2", "low", { reasoning_effort: "low" }, /^$/],
  [google, "gemini-3.8-flash", undefined, { thinkingConfig: { includeThoughts: true } }, /^$/],
  [google, "gemini-3.8-flash", "low", { thinkingConfig: { includeThoughts: true, thinkingLevel: "low" } }, /^$/],
  [google, "gemini-2.5-flash", "off", { thinkingConfig: { includeThoughts: true, thinkingBudget: 0 } }, /^$/],
  [deepseek, "deepseek-flash", "off", { thinking: { type: "disabled" } }, /^$/],
  [deepseek, "deepseek-flash", "medium", { thinking: { type: "enabled" }, reasoning_effort: "high" }, /"high" is used/],
  [ollama, "qwen3", "off", { reasoning_effort: "none" }, /^$/],
]

test.each(CASES.map(([vendor, name, level, ...rest]) => [name, level ?? "no level", vendor, level, ...rest] as const))(
  "%s with %s",
  async (name, _, vendor, level, parameters, told) => {
    const { asked, notices } = await sent(vendor, name, level)
    expect(asked).toEqual(parameters)
    expect(notices).toMatch(told)
  },
)
