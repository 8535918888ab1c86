// What config.json says about models: which one, where its provider is, its window and price, when to compact.
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { parseThinking } from "../../model/thinking.ts"
import { Key } from "../../provider/catalogue/key.ts"
import type { ModelFacts } from "../../provider/catalogue/model-facts.ts"
import type { ModelSettings, ProviderSettings } from "../../provider/catalogue/model-settings.ts"
import type { Price } from "../../provider/port/port.ts"
import { WINDOW_LIMITS, type WindowLimits } from "../../runner/window/threshold.ts"

/** Keys and addresses come only from our own home, never from a workspace. What is not understood is left out. */
export function modelSettings(own: JsonObject, workspace: JsonObject): ModelSettings {
  const model = text(own.model) ?? text(workspace.model)
  return {
    providers: eachObject(own.providers, providerSettings),
    models: eachObject(own.models, modelFacts),
    ...defined({ model, thinking: parseThinking(own.thinking) }),
  }
}

/** `"compaction": {"ratio", "reserve": [[window, tokens], …], "smallReserve", "keepRounds"}`, each with a default. */
export function windowLimits(own: JsonObject): WindowLimits {
  const { ratio, reserve, smallReserve, keepRounds } = isObject(own.compaction) ? own.compaction : {}
  const points = Array.isArray(reserve) ? reserve.flatMap(point).sort(([a], [b]) => a - b) : undefined
  return {
    ratio: share(ratio) ?? WINDOW_LIMITS.ratio,
    reserve: points === undefined ? WINDOW_LIMITS.reserve : points,
    smallReserve: share(smallReserve) ?? WINDOW_LIMITS.smallReserve,
    ...(Number.isSafeInteger(amount(keepRounds)) ? { keepRounds: keepRounds as number } : {}),
  }
}

function providerSettings(value: JsonObject): ProviderSettings {
  const { baseUrl, key, keyVariable, model, kind, headers, options } = value
  return {
    ...defined({ baseUrl: text(baseUrl), keyVariable: text(keyVariable), model: text(model) }),
    ...(text(key) === undefined ? {} : { key: new Key(key as string) }),
    ...(kind === "anthropic" || kind === "openai" || kind === "google" || kind === "openai-compatible" ? { kind } : {}),
    ...(isObject(headers) ? { headers: texts(headers) } : {}),
    ...(isObject(options) ? { options } : {}),
  }
}

function modelFacts({ window, maxOutput, price, api, images, thinking }: JsonObject): ModelFacts {
  const cost = isObject(price) ? priceOf(price) : undefined
  return {
    ...defined({
      window: amount(window) || undefined,
      maxOutput: amount(maxOutput) || undefined,
      price: cost,
      thinking: parseThinking(thinking),
    }),
    ...(api === "chat" || api === "responses" ? { api } : {}),
    ...(typeof images === "boolean" ? { images } : {}),
  }
}

function priceOf({ input, output, cacheRead, cacheWrite }: JsonObject): Price | undefined {
  const [sent, received] = [amount(input), amount(output)]
  if (sent === undefined || received === undefined) return undefined
  return { input: sent, output: received, ...defined({ cacheRead: amount(cacheRead), cacheWrite: amount(cacheWrite) }) }
}

function point(value: Json): [number, number][] {
  if (!Array.isArray(value)) return []
  const [window, tokens] = value.map(amount)
  return window === undefined || tokens === undefined ? [] : [[window, tokens]]
}

function eachObject<Value>(value: Json | undefined, parse: (object: JsonObject) => Value): Record<string, Value> {
  const all = isObject(value) ? Object.entries(value) : []
  return Object.fromEntries(all.flatMap(([name, each]) => (isObject(each) ? [[name, parse(each)] as const] : [])))
}

function texts(object: JsonObject): Record<string, string> {
  return Object.fromEntries(
    Object.entries(object).flatMap(([name, value]) => (text(value) ? [[name, value as string]] : [])),
  )
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined
}

function amount(value: Json | undefined): number | undefined {
  return typeof value === "number" && value >= 0 ? value : undefined
}

function share(value: Json | undefined): number | undefined {
  return typeof value === "number" && value > 0 && value <= 1 ? value : undefined
}

type Defined<Fields> = { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> }

function defined<Fields extends object>(fields: Fields): Defined<Fields> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<Fields>
}
