// The AI SDK's provider packages: their types, and how to load each when it is first needed.
import type { createAnthropic } from "@ai-sdk/anthropic"
import { unreachable } from "../../model/unreachable.ts"
import type { Key } from "../catalogue/key.ts"
import type { ProviderKind } from "../catalogue/presets.ts"

/** The SDK's own specification of a language model. We do not use `streamText`, since retries and tools are ours. */
export type LanguageModel = ReturnType<ReturnType<typeof createAnthropic>["languageModel"]>
export type CallOptions = Parameters<LanguageModel["doStream"]>[0]
export type Prompt = CallOptions["prompt"]
export type PromptMessage = Prompt[number]
export type StreamPart =
  Awaited<ReturnType<LanguageModel["doStream"]>>["stream"] extends ReadableStream<infer Chunk> ? Chunk : never
export type ProviderOptions = NonNullable<CallOptions["providerOptions"]>

export interface Endpoint {
  /** The name before the slash: `anthropic`, `ollama`, or one from the configuration. */
  provider: string
  /** The name after it. */
  name: string
  kind: ProviderKind
  baseUrl: string
  key: Key | undefined
  headers?: Readonly<Record<string, string>>
  /** OpenAI only. */
  api?: "chat" | "responses"
}

/** Base URL and key are always passed, so that no package reads the environment itself. */
export async function languageModel(
  endpoint: Endpoint,
  fetch: typeof globalThis.fetch,
  generateId: () => string,
): Promise<LanguageModel> {
  const { name, provider, kind } = endpoint
  const apiKey = endpoint.key?.reveal() ?? "none"
  const settings = { apiKey, baseURL: endpoint.baseUrl, headers: { ...endpoint.headers }, fetch }
  switch (kind) {
    case "anthropic": {
      const { createAnthropic } = await import("@ai-sdk/anthropic")
      return createAnthropic({ ...settings, generateId })(name)
    }
    case "openai": {
      const { createOpenAI } = await import("@ai-sdk/openai")
      const openai = createOpenAI(settings)
      return endpoint.api === "responses" ? openai.responses(name) : openai.chat(name)
    }
    case "google": {
      const { createGoogleGenerativeAI } = await import("@ai-sdk/google")
      return createGoogleGenerativeAI({ ...settings, generateId })(name)
    }
    case "openai-compatible": {
      const { createOpenAICompatible } = await import("@ai-sdk/openai-compatible")
      const { apiKey: _, ...keyless } = settings
      const own = endpoint.key === undefined ? keyless : settings
      return createOpenAICompatible({ ...own, name: provider, includeUsage: true }).chatModel(name)
    }
    default:
      return unreachable(kind)
  }
}
