// Looks up facts about a model: the data file, overridden by configuration.
import type { Price } from "../port/port.ts"
import { MODEL_FACTS } from "./model-data.ts"
import type { ModelFacts } from "./model-facts.ts"

export type FactsById = Readonly<Record<string, ModelFacts>>

/**
 * Facts about `provider/name`. A dated or otherwise extended name (`gpt-5-2025-08-07`) counts as the model it starts
 * with; for an aggregator's `provider/vendor/name` the vendor's entry is used.
 */
export function factsOf(id: string, overrides: FactsById = {}): ModelFacts {
  const rest = id.slice(id.indexOf("/") + 1)
  return { ...(known(id) ?? known(rest) ?? known(rest.replaceAll(".", "-"))), ...overrides[id] }
}

/** A model on your own machine costs nothing. */
const FREE: Price = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }

/** Undefined if unknown. */
export function priceOf(id: string, overrides: FactsById = {}): Price | undefined {
  const { price } = factsOf(id, overrides)
  return price ?? (/^(?:practice|ollama)\//.test(id) ? FREE : undefined)
}

/** The same for a name as it stands in a log: other agents omit the provider if there is only one. */
export function priceNamed(model: string, overrides: FactsById = {}): Price | undefined {
  return priceOf(model.includes("/") ? model : (idsNamed(model)[0] ?? model), overrides)
}

function known(id: string): ModelFacts | undefined {
  const exact = MODEL_FACTS.get(id)
  if (exact !== undefined) return exact
  const base = id.replace(/[:@].*$/, "").replace(/-(?:latest|preview|\d{8}|\d{4}-\d{2}-\d{2})$/, "")
  return base === id ? undefined : MODEL_FACTS.get(base)
}

/** The known ids of a provider, newest first. */
export function idsOf(provider: string): string[] {
  return [...MODEL_FACTS.keys()].filter((id) => id.startsWith(`${provider}/`))
}

/** The known ids with this name, for a person who omits the provider. */
export function idsNamed(name: string): string[] {
  return [...MODEL_FACTS.keys()].filter((id) => id.slice(id.indexOf("/") + 1) === name)
}
