// What configuration may say about models and providers. Whoever reads it has checked where it comes from.
import type { JsonObject } from "../../model/json.ts"
import type { ThinkingLevel } from "../../model/thinking.ts"
import type { Key } from "./key.ts"
import type { FactsById } from "./models.ts"
import type { ProviderKind } from "./presets.ts"

export interface ProviderSettings {
  /** Of a provider that is not known by name; `openai-compatible` when left out. */
  kind?: ProviderKind
  baseUrl?: string
  key?: Key
  /** Environment variable that holds the key. */
  keyVariable?: string
  headers?: Readonly<Record<string, string>>
  /** Options of the provider's own, as the SDK names them. */
  options?: JsonObject
  /** The model when only the provider is named. */
  model?: string
}

export interface ModelSettings {
  /** `provider/name` */
  model?: string
  providers?: Readonly<Record<string, ProviderSettings>>
  /** What is known of models, by `provider/name`; overrides the data file. */
  models?: FactsById
  /** How much models think, unless one has a level of its own. */
  thinking?: ThinkingLevel
  stallMs?: number
  retries?: number
}

export type Environment = Readonly<Record<string, string | undefined>>
