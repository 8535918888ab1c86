// Names for /model: what can be used here, and what could be with a key.

import { RetconError } from "../../model/failure/retcon-error.ts"
import type { ModelItem } from "../../protocol/shapes.ts"
import type { Environment, ModelSettings } from "../../provider/catalogue/model-settings.ts"
import { factsOf, idsNamed, idsOf } from "../../provider/catalogue/models.ts"
import { PRESETS } from "../../provider/catalogue/presets.ts"
import { locate, providerNames, providersAdvice } from "../../provider/endpoint.ts"
import { ollamaModels } from "../../provider/ollama/ollama.ts"
import type { Timing } from "../../provider/port/timing.ts"
import { readAgentConfig } from "../config/agent-config.ts"

export interface ModelNames {
  settings: ModelSettings
  env: Environment
  fetch: typeof globalThis.fetch
  timing: Timing
}

/** Includes models without a key, and says which key is missing. */
export async function modelNames(options: ModelNames): Promise<ModelItem[]> {
  const { settings, env } = options
  const names = new Map<string, string | undefined>()
  for (const provider of providerNames(settings)) {
    const located = locate(provider, settings, env)
    if (located.found === "no-key") {
      for (const name of idsOf(provider)) names.set(name, `set ${located.variables.join(" or ")}`)
    }
    if (located.found !== "endpoint") continue
    const { endpoint, model } = located
    if (provider === "ollama") {
      const local = await ollamaModels({ ...options, baseUrl: endpoint.baseUrl })
      for (const name of local) names.set(`ollama/${name}`, undefined)
    } else {
      for (const name of idsOf(provider)) names.set(name, undefined)
      if (model !== undefined) names.set(`${provider}/${model}`, undefined)
    }
  }
  const known = [...names].map(([value, missing]) => ({
    value,
    about: windowWords(factsOf(value, settings.models).window),
    ...(missing === undefined ? {} : { missing }),
  }))
  return [...known, { value: "practice", about: "a few fixed rules, to try things out" }]
}

function windowWords(window: number | undefined): string {
  if (window === undefined) return ""
  return `${window >= 1_000_000 ? `${window / 1_000_000}M` : `${Math.round(window / 1000)}k`} tokens`
}

/** Contract: throws `invalid` if no provider has such a model. A missing key is no reason to refuse: it may be set elsewhere, or later. */
export function checkModelName({ home, cwd }: { home: string; cwd: string }, wanted: string): void {
  const { models } = readAgentConfig(home, cwd)
  const providers = [...providerNames(models), "practice"]
  const slash = wanted.indexOf("/")
  const provider = slash < 0 ? wanted : wanted.slice(0, slash)
  if (providers.includes(provider) && !wanted.endsWith("/")) return
  if (slash < 0 && idsNamed(wanted).length === 1) return
  const advice = `Use PROVIDER/NAME. ${providersAdvice(models)}`
  throw new RetconError({ code: "invalid", problem: `There is no model "${wanted}".`, advice })
}

/** What a person has set for a provider that retcon knows. */
export function keyOf(provider: string, env: Readonly<Record<string, string | undefined>>): string | undefined {
  return PRESETS[provider]?.keys.map((name) => env[name]).find((value) => value !== undefined && value !== "")
}
