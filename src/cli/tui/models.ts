// Names for /model: what can be used here, because there is a key for it or it needs none.
import { locate, providerNames } from "../../provider/endpoint.ts"
import { factsOf, idsOf } from "../../provider/models.ts"
import { ollamaModels } from "../../provider/ollama.ts"
import type { Environment, ModelSettings } from "../../provider/settings.ts"
import type { Timing } from "../../provider/timing.ts"

export interface ModelNames {
  settings: ModelSettings
  env: Environment
  fetch: typeof globalThis.fetch
  timing: Timing
}

export async function modelNames(parts: ModelNames): Promise<{ value: string; about: string }[]> {
  const { settings, env } = parts
  const names: string[] = []
  for (const provider of providerNames(settings)) {
    const located = locate(provider, settings, env)
    if (located.found !== "place") continue
    const { place, model } = located
    if (provider === "ollama") {
      const local = await ollamaModels(place.baseUrl, parts.fetch, parts.timing)
      names.push(...local.map((name) => `ollama/${name}`))
    } else names.push(...idsOf(provider), ...(model === undefined ? [] : [`${provider}/${model}`]))
  }
  const known = [...new Set(names)].map((value) => ({
    value,
    about: windowWords(factsOf(value, settings.models).window),
  }))
  return [...known, { value: "practice", about: "a few fixed rules, to try things out" }]
}

function windowWords(window: number | undefined): string {
  if (window === undefined) return ""
  return `${window >= 1_000_000 ? `${window / 1_000_000}M` : `${Math.round(window / 1000)}k`} tokens`
}
