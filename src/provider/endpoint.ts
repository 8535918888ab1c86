// Where a provider is and which key it needs: presets, configuration and environment combined.
import type { Endpoint } from "./ai-sdk/sdk.ts"
import { Key } from "./catalogue/key.ts"
import { isLoopback } from "./catalogue/loopback.ts"
import type { Environment, ModelSettings } from "./catalogue/model-settings.ts"
import { PRESETS } from "./catalogue/presets.ts"

export type ProviderEndpoint = Omit<Endpoint, "name" | "api">

export type LocatedProvider =
  | { found: "endpoint"; endpoint: ProviderEndpoint; model: string | undefined }
  | { found: "no-key"; variables: readonly string[] }
  | { found: "nothing" }

/** `env` is passed in; nothing here reads the process's environment. */
export function locate(provider: string, settings: ModelSettings, env: Environment): LocatedProvider {
  const preset = Object.hasOwn(PRESETS, provider) ? PRESETS[provider] : undefined
  const own = settings.providers?.[provider]
  const kind = own?.kind ?? preset?.kind ?? "openai-compatible"
  const given = own?.baseUrl ?? (preset?.urlKey && env[preset.urlKey]) ?? preset?.baseUrl
  if (given === undefined || given === "") return { found: "nothing" }
  const baseUrl = kind === "anthropic" ? withVersion(given) : given.replace(/\/+$/, "")
  const variables = own?.keyVariable === undefined ? (preset?.keys ?? []) : [own.keyVariable]
  const key = own?.key ?? keyIn(env, variables)
  if (key === undefined && variables.length > 0 && !isLoopback(baseUrl)) return { found: "no-key", variables }
  const headers = own?.headers === undefined ? {} : { headers: own.headers }
  return {
    found: "endpoint",
    endpoint: { provider, kind, baseUrl, key, ...headers },
    model: own?.model ?? preset?.model,
  }
}

export function providerNames(settings: ModelSettings): string[] {
  return [...new Set([...Object.keys(settings.providers ?? {}), ...Object.keys(PRESETS)])]
}

/** Which names may come before the slash, as advice. */
export function providersAdvice(settings: ModelSettings): string {
  const names = [...providerNames(settings), "practice"].join(", ")
  return `Providers: ${names}, or any openai-compatible server that has a name and a baseUrl under "providers" in config.json.`
}

/** All variables that may contain a provider's key. */
export function keyVariables(settings: ModelSettings): string[] {
  const own = Object.values(settings.providers ?? {}).flatMap(({ keyVariable }) => keyVariable ?? [])
  return [...new Set([...Object.values(PRESETS).flatMap(({ keys }) => keys), ...own])]
}

/** The first provider that has a key. */
export function firstWithKey(settings: ModelSettings, env: Environment): string | undefined {
  return providerNames(settings).find((name) => {
    const located = locate(name, settings, env)
    return located.found === "endpoint" && located.endpoint.key !== undefined && located.model !== undefined
  })
}

function keyIn(env: Environment, variables: readonly string[]): Key | undefined {
  const text = variables.map((name) => env[name]?.trim()).find((value) => value)
  return text === undefined ? undefined : new Key(text)
}

/** Others write Anthropic's base URL without the version. */
function withVersion(url: string): string {
  const base = url.replace(/\/+$/, "")
  return /\/v\d+$/.test(base) ? base : `${base}/v1`
}
