// What models cost: prices.json in retcon's home and the person's own config.json override what came with this version.
import { statSync } from "node:fs"
import { basename, join } from "node:path"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { PRICES_DATED } from "../../provider/catalogue/model-data.ts"
import { priceNamed } from "../../provider/catalogue/models.ts"
import type { Price } from "../../provider/port/port.ts"
import { attempt, ensureFolder, replaceIfPossible } from "../../store/file/disk/problems.ts"
import { readConfig } from "./config-file.ts"
import { ownConfig } from "./folder-trust.ts"
import { modelSettings } from "./model-config.ts"

export interface Prices {
  /** When they were published, as far as known, and in which file, if not with retcon. */
  dated: string
  file: string | null
  /** Undefined if it is not known. */
  of(model: string): Price | undefined
}

export interface PricesDeps {
  home: string
  /** Told of a file that cannot be used. */
  warn: (text: string) => void
}

const pricesFile = (home: string) => join(home, "prices.json")

/** Contract: a prices.json that cannot be used is as if there were none; `warn` says so. */
export function readPrices({ home, warn }: PricesDeps): Prices {
  const { models: overrides = {} } = modelSettings(ownConfig(home), {})
  const own = storedPrices(home, warn)
  const known = new Map<string, Price | undefined>()
  const find = (model: string): Price | undefined => {
    if (overrides[model]?.price !== undefined) return overrides[model]?.price
    return own.models[model] ?? own.models[model.slice(model.lastIndexOf("/") + 1)] ?? priceNamed(model, overrides)
  }
  return {
    dated: own.dated,
    file: own.file,
    of(model) {
      if (!known.has(model)) known.set(model, find(model))
      return known.get(model)
    },
  }
}

interface Stored {
  dated: string
  file: string | null
  models: Readonly<Record<string, Price>>
}

const BUILT_IN: Stored = { dated: PRICES_DATED, file: null, models: {} }

function storedPrices(home: string, warn: (text: string) => void): Stored {
  const text = readConfig(pricesFile(home))
  if (text === undefined) return BUILT_IN
  const json = parseJson(text)
  const raw = json.ok && isObject(json.value) ? json.value : {}
  // A file that somebody put there has the shape in which prices are published.
  const models = isObject(raw.models) ? eachPrice(raw.models) : eachPrice(raw)
  if (Object.keys(models).length > 0) {
    const dated = typeof raw.dated === "string" ? raw.dated : changed(pricesFile(home))
    return { dated, file: typeof raw.file === "string" ? raw.file : "prices.json", models }
  }
  warn(`${pricesFile(home)} has no prices that retcon understands: it is not used.`)
  return BUILT_IN
}

function changed(file: string): string {
  return new Date(statSync(file).mtimeMs).toISOString().slice(0, 10)
}

/**
 * Takes over a file of prices: LiteLLM's, or `{"MODEL": {"input", "output", "cacheRead", "cacheWrite"}}` in dollars per million tokens.
 * Contract: returns for how many models; throws `invalid` and changes nothing if it has none.
 */
export function storePrices(home: string, file: string): { models: number; dated: string } {
  const text = readConfig(file)
  if (text === undefined) throw new RetconError({ code: "not-found", what: "file", name: file })
  const json = parseJson(text)
  const found = json.ok && isObject(json.value) ? json.value : {}
  const models = eachPrice(isObject(found.models) ? found.models : found)
  if (Object.keys(models).length === 0) {
    const problem = `${sanitiseLine(file)} has no prices that retcon understands.`
    const advice =
      'Use the file of prices that LiteLLM publishes, or {"MODEL": {"input": 3, "output": 15}}, in dollars per million tokens.'
    throw new RetconError({ code: "invalid", problem, advice })
  }
  const dated = typeof found.dated === "string" ? found.dated : changed(file)
  ensureFolder(home)
  const stored = pricesFile(home)
  if (!replaceIfPossible(stored, `${JSON.stringify({ dated, file: basename(file), models })}\n`)) {
    attempt(stored, () => {
      throw new RetconError({ code: "io", path: stored, problem: "it cannot be written" })
    })
  }
  return { models: Object.keys(models).length, dated }
}

function eachPrice(models: JsonObject): Record<string, Price> {
  const found: Record<string, Price> = {}
  for (const [name, value] of Object.entries(models)) {
    const price = isObject(value) ? priceIn(value) : undefined
    if (price !== undefined && name !== "sample_spec") found[name] = price
  }
  return found
}

/** LiteLLM has dollars per token, and long fractions. */
function priceIn(value: JsonObject): Price | undefined {
  const each = (own: string, theirs: string) => {
    const [plain, perToken] = [amount(value[own]), amount(value[theirs])]
    return plain ?? (perToken === undefined ? undefined : Math.round(perToken * 1e12) / 1e6)
  }
  const [input, output] = [each("input", "input_cost_per_token"), each("output", "output_cost_per_token")]
  if (input === undefined || output === undefined) return undefined
  const cacheRead = each("cacheRead", "cache_read_input_token_cost")
  const cacheWrite = each("cacheWrite", "cache_creation_input_token_cost")
  return {
    input,
    output,
    ...(cacheRead !== undefined && { cacheRead }),
    ...(cacheWrite !== undefined && { cacheWrite }),
  }
}

function amount(value: Json | undefined): number | undefined {
  return typeof value === "number" && Number.isFinite(value) && value >= 0 ? value : undefined
}
