// What configuration may say about models and providers. The caller has already checked where it comes from.
import type { JsonObject } from "../../model/json.ts"
import type { ThinkingLevel } from "../../model/thinking.ts"
import type { Key } from "./key.ts"
import type { FactsById } from "./models.ts"
import type { ProviderKind } from "./presets.ts"

export interface ProviderSettings {
  /** For a provider not known by name; `openai-compatible` by default. */
  kind?: ProviderKind
  baseUrl?: string
  key?: Key
  /** The environment variable with the key. */
  keyVariable?: string
  headers?: Readonly<Record<string, string>>
  /** The provider's own options, under the SDK's names. */
  options?: JsonObject
  /** The model to use if only the provider is named. */
  model?: string
}

export interface ModelSettings {
  /** `provider/name` */
  model?: string
  providers?: Readonly<Record<string, ProviderSettings>>
  /** Facts about models, by `provider/name`; they override the data file. */
  models?: FactsById
  /** How much models think, unless a model has its own level. */
  thinking?: ThinkingLevel
  stallMs?: number
  retries?: number
}

export type Environment = Readonly<Record<string, string | undefined>>
