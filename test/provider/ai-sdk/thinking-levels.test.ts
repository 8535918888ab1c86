// What each model gets for each thinking level: its vendor's word or number for it. `(x)`: the level that the person is told is
// used instead; `-`: nothing is sent.
import { expect, test } from "vitest"
import { isObject, type Json } from "../../../src/model/json.ts"
import type { ThinkingLevel } from "../../../src/model/thinking.ts"
import type { Endpoint } from "../../../src/provider/ai-sdk/sdk.ts"
import { thinkingFor } from "../../../src/provider/ai-sdk/thinking.ts"

const LEVELS: ThinkingLevel[] = ["off", "minimal", "low", "medium", "high", "xhigh", "max"]
const ADAPTIVE = "adaptive summarized"

const TABLE: [kind: Endpoint["kind"], name: string, ...cells: string[]][] = [
  ["anthropic", "claude-haiku-5", "disabled", "low (low)", "low", "medium", "high", "xhigh", "max"],
  ["anthropic", "claude-sonnet-5-5", "between_tools (minimal)", "low (low)", "low", "medium", "high", "xhigh", "max"],
  ["anthropic", "claude-opus-5-5", "low (low)", "low (low)", "low", "medium", "high", "xhigh", "max"],
  ["anthropic", "claude-opus-4-6", "-", "low (low)", "low", "medium", "high", "high (high)", "max"],
  ["anthropic", "claude-sonnet-4-7", "-", "low (low)", "low", "medium", "high", "xhigh", "max"],
  [
    "anthropic",
    "claude-sonnet-4-5",
    "-",
    "enabled 1024",
    "enabled 4096",
    "enabled 10000",
    "enabled 24000",
    "enabled 24000 (high)",
    "enabled 24000 (high)",
  ],
  ["anthropic", "claude-3-5-haiku", "-", ...Array<string>(6).fill("- (none)")],
  ["openai", "gpt-4.1", ...Array<string>(7).fill("- (none)")],
  ["openai", "o3", "low (low)", "low (low)", "low", "medium", "high", "high (high)", "high (high)"],
  ["openai", "gpt-5", "minimal (minimal)", "minimal", "low", "medium", "high", "high (high)", "high (high)"],
  ["openai", "gpt-5.2", "none", "low (low)", "low", "medium", "high", "xhigh", "xhigh (xhigh)"],
  ["openai", "gpt-6", "low (low)", "low (low)", "low", "medium", "high", "xhigh", "max"],
  ["openai", "gpt-6-sol", "none", "low (low)", "low", "medium", "high", "xhigh", "max"],
  ["google", "gemini-2.0-flash", ...Array<string>(7).fill("- (none)")],
  ["google", "gemini-2.5-flash", "0", "512", "2048", "8192", "24576", "24576 (high)", "24576 (high)"],
  ["google", "gemini-2.5-pro", "128 (minimal)", "512", "2048", "8192", "24576", "24576 (high)", "24576 (high)"],
  ["google", "gemini-3-pro", "low (low)", "low (low)", "low", "high (high)", "high", "high (high)", "high (high)"],
  ["google", "gemini-3-flash", "minimal (minimal)", "minimal", "low", "medium", "high", "high (high)", "high (high)"],
  ["openai-compatible", "qwen3", "none", "low (low)", "low", "medium", "high", "high (high)", "high (high)"],
  [
    "openai-compatible",
    "deepseek-v4",
    "disabled",
    "enabled low (low)",
    "enabled low",
    "enabled high (high)",
    "enabled high",
    "enabled high (high)",
    "enabled max",
  ],
  ["openai-compatible", "kimi-k2", "disabled", ...Array<string>(6).fill("enabled")],
]

function endpoint(kind: Endpoint["kind"], name: string, more: Partial<Endpoint> = {}): Endpoint {
  return { kind, name, provider: kind, baseUrl: "http://localhost", key: undefined, ...more }
}

/** All words and numbers of the options, without what only says that thinking is shown. */
function cell(level: ThinkingLevel, to: Endpoint): string {
  const { options, instead } = thinkingFor(level, to)
  const said = values(options).join(" ").replace(ADAPTIVE, "").replace("true", "").trim()
  return `${said === "" ? "-" : said}${instead === undefined ? "" : ` (${instead})`}`
}

function values(value: Json): string[] {
  return isObject(value)
    ? Object.values(value).flatMap((each) => values(each ?? null))
    : [typeof value === "string" ? value : JSON.stringify(value)]
}

test.each(TABLE)("%s %s", (kind, name, ...cells) => {
  expect(LEVELS.map((level) => cell(level, endpoint(kind, name)))).toEqual(cells)
})

test("OpenRouter gets every level as it is", () => {
  const to = endpoint("openai-compatible", "any/model", { provider: "openrouter" })
  const [off, ...others] = LEVELS.map((level) => thinkingFor(level, to))
  expect(off).toEqual({ options: { reasoning: { enabled: false } } })
  expect(others).toEqual(LEVELS.slice(1).map((effort) => ({ options: { reasoning: { effort } } })))
})

test("a name, a provider or an address is enough to recognise DeepSeek and Kimi", () => {
  const known = { options: { thinking: { type: "disabled" } } }
  const at = (name: string, more: Partial<Endpoint>) => thinkingFor("off", endpoint("openai-compatible", name, more))
  expect(at("chat", { provider: "DeepSeek" })).toEqual(known)
  expect(at("chat", { baseUrl: "https://api.deepseek.com" })).toEqual(known)
  expect(at("k2-thinking", { provider: "moonshot" })).toEqual(known)
  expect(at("k1", { provider: "moonshot" })).not.toEqual(known)
})

test("without a level, models that think show it, and nothing else is requested", () => {
  const plain = (kind: Endpoint["kind"], name: string, more: Partial<Endpoint> = {}) =>
    thinkingFor(undefined, endpoint(kind, name, more))
  const adaptive = { thinking: { type: "adaptive", display: "summarized" } }
  expect(plain("anthropic", "claude-opus-5")).toEqual({ options: adaptive })
  expect(plain("anthropic", "claude-sonnet-4-5")).toEqual({ options: {} })
  expect(plain("openai", "gpt-5", { api: "responses" })).toEqual({ options: { reasoningSummary: "auto" } })
  expect(plain("openai", "gpt-5", { api: "chat" })).toEqual({ options: {} })
  expect(plain("openai", "gpt-4.1", { api: "responses" })).toEqual({ options: {} })
  expect(plain("google", "gemini-3-pro")).toEqual({ options: { thinkingConfig: { includeThoughts: true } } })
  expect(plain("google", "gemini-2.0-flash")).toEqual({ options: {} })
  expect(plain("openai-compatible", "qwen3")).toEqual({ options: {} })
})
