// A thinking level in each vendor's own parameters, as documented; and what makes a vendor show its reasoning.
import type { JsonObject } from "../../model/json.ts"
import type { ThinkingLevel } from "../../model/thinking.ts"
import { unreachable } from "../../model/unreachable.ts"
import type { Endpoint } from "./sdk.ts"

export interface Thinking {
  /** The provider's options, under the SDK's names. */
  options: JsonObject
  /** The level used instead, if the requested one is not available; "none": the model has no levels. */
  instead?: ThinkingLevel | "none"
}

/** `level` undefined: the vendor's default, with its reasoning shown. */
export function thinkingFor(level: ThinkingLevel | undefined, endpoint: Endpoint): Thinking {
  switch (endpoint.kind) {
    case "anthropic":
      return anthropic(level, endpoint.name)
    case "openai":
      return openai(level, endpoint)
    case "google":
      return google(level, endpoint.name)
    case "openai-compatible":
      return compatible(level, endpoint)
    default:
      return unreachable(endpoint.kind)
  }
}

/** The nearest level in `has`, with `instead` if it is another one. */
function nearest<Level extends ThinkingLevel>(
  asked: ThinkingLevel,
  has: readonly Level[],
  fallback: Level,
): { level: Level; instead?: Level } {
  const same = has.find((each) => each === asked)
  return same === undefined ? { level: fallback, instead: fallback } : { level: same }
}

/** From 4.6 on the model decides how much to think, guided by an effort; earlier ones get a budget of tokens. */
const ADAPTIVE = /^claude-(?:(?:opus|sonnet)-4-[6-9]|[a-z]+-[5-9])/
const ALWAYS_THINKS = /^claude-(?:fable|mythos|opus-5-5)/
const THINKS_ONLY_WHEN_ASKED = /^claude-(?:opus|sonnet)-4-/
const BUDGETS: Partial<Record<ThinkingLevel, number>> = { minimal: 1_024, low: 4_096, medium: 10_000, high: 24_000 }

function anthropic(level: ThinkingLevel | undefined, name: string): Thinking {
  if (!ADAPTIVE.test(name)) return budget(level, name)
  const shown = { thinking: { type: "adaptive", display: "summarized" } }
  if (level === undefined) return { options: shown }
  if (level === "off") {
    if (ALWAYS_THINKS.test(name)) return { options: { ...shown, effort: "low" }, instead: "low" }
    if (name.startsWith("claude-sonnet-5-5")) {
      return { options: { thinking: { type: "between_tools" } }, instead: "minimal" }
    }
    return { options: THINKS_ONLY_WHEN_ASKED.test(name) ? {} : { thinking: { type: "disabled" } } }
  }
  const older = /-4-6/.test(name)
  const has = older ? (["low", "medium", "high", "max"] as const) : (["low", "medium", "high", "xhigh", "max"] as const)
  const { level: effort, instead } = nearest(level, has, level === "minimal" ? "low" : "high")
  return { options: { ...shown, effort }, ...(instead !== undefined && { instead }) }
}

function budget(level: ThinkingLevel | undefined, name: string): Thinking {
  if (level === undefined || level === "off") return { options: {} }
  if (!/^claude-[a-z]+-4/.test(name)) return { options: {}, instead: "none" }
  const tokens = BUDGETS[level]
  const options = { thinking: { type: "enabled", budgetTokens: tokens ?? 24_000 } }
  return tokens === undefined ? { options, instead: "high" } : { options }
}

function openai(level: ThinkingLevel | undefined, { name, api }: Endpoint): Thinking {
  if (!/^(?:gpt-[5-9]|o\d)/.test(name)) return level === undefined ? { options: {} } : { options: {}, instead: "none" }
  const summary = api === "responses" ? { reasoningSummary: "auto" } : {}
  if (level === undefined) return { options: summary }
  const has = effortsOf(name)
  const least = has[0] === "off" ? "low" : (has[0] ?? "low")
  const most = has.at(-1) ?? "high"
  const above = level === "xhigh" || level === "max"
  const { level: effort, instead } = nearest(level, has, above ? most : least)
  const options = { ...summary, reasoningEffort: effort === "off" ? "none" : effort }
  return { options, ...(instead !== undefined && { instead }) }
}

function effortsOf(name: string): readonly ThinkingLevel[] {
  if (name.startsWith("o")) return ["low", "medium", "high"]
  if (/^gpt-5(?:-|$)/.test(name)) return ["minimal", "low", "medium", "high"]
  if (name.startsWith("gpt-5")) return ["off", "low", "medium", "high", "xhigh"]
  const all = ["low", "medium", "high", "xhigh", "max"] as const
  return /^gpt-6-(?:sol|luna)|^gpt-6\.1-terra/.test(name) ? ["off", ...all] : all
}

function google(level: ThinkingLevel | undefined, name: string): Thinking {
  const version = Number(/^gemini-(\d+(?:\.\d+)?)/.exec(name)?.[1] ?? 0)
  if (version < 2.5) return level === undefined ? { options: {} } : { options: {}, instead: "none" }
  const config = (more: JsonObject) => ({ thinkingConfig: { includeThoughts: true, ...more } })
  if (level === undefined) return { options: config({}) }
  if (version < 3) {
    const tokens = { off: 0, minimal: 512, low: 2_048, medium: 8_192, high: 24_576, xhigh: 24_576, max: 24_576 }[level]
    if (level === "off" && name.includes("pro")) return { options: config({ thinkingBudget: 128 }), instead: "minimal" }
    const options = config({ thinkingBudget: tokens })
    return level === "xhigh" || level === "max" ? { options, instead: "high" } : { options }
  }
  const has = name.includes("flash") ? (["minimal", "low", "medium", "high"] as const) : (["low", "high"] as const)
  const { level: thinkingLevel, instead } = nearest(
    level,
    has,
    level === "off" || level === "minimal" ? has[0] : "high",
  )
  return { options: config({ thinkingLevel }), ...(instead !== undefined && { instead }) }
}

function compatible(level: ThinkingLevel | undefined, { provider, name, baseUrl }: Endpoint): Thinking {
  if (level === undefined) return { options: {} }
  const at = `${provider} ${name} ${baseUrl}`
  const off = level === "off"
  if (provider === "openrouter") return { options: { reasoning: off ? { enabled: false } : { effort: level } } }
  if (/deepseek/i.test(at)) {
    if (off) return { options: { thinking: { type: "disabled" } } }
    const { level: effort, instead } = nearest(level, ["low", "high", "max"], level === "minimal" ? "low" : "high")
    const options = { thinking: { type: "enabled" }, reasoningEffort: effort }
    return { options, ...(instead !== undefined && { instead }) }
  }
  if (/moonshot|kimi/i.test(at) && /k2/.test(name)) {
    return off ? { options: { thinking: { type: "disabled" } } } : { options: { thinking: { type: "enabled" } } }
  }
  const { level: effort, instead } = nearest(
    level,
    ["off", "low", "medium", "high"],
    level === "minimal" ? "low" : "high",
  )
  return { options: { reasoningEffort: effort === "off" ? "none" : effort }, ...(instead !== undefined && { instead }) }
}
