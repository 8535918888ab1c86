// The providers that are known by name, in the order in which we look for a key.

export type ProviderKind = "anthropic" | "openai" | "google" | "openai-compatible"

export interface Preset {
  kind: ProviderKind
  baseUrl: string
  /** Environment variables for the key; the first one that is set counts. None: the server needs no key. */
  keys: readonly string[]
  /** The environment variable that overrides the base URL. */
  urlKey?: string
  /** The model to use if the provider is chosen by its key alone. */
  model?: string
}

export const PRESETS: Readonly<Record<string, Preset>> = {
  anthropic: {
    kind: "anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    keys: ["ANTHROPIC_API_KEY"],
    urlKey: "ANTHROPIC_BASE_URL",
    model: "claude-sonnet-5-5",
  },
  openai: {
    kind: "openai",
    baseUrl: "https://api.openai.com/v1",
    keys: ["OPENAI_API_KEY"],
    urlKey: "OPENAI_BASE_URL",
    model: "gpt-6.1-sol",
  },
  google: {
    kind: "google",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta",
    keys: ["GEMINI_API_KEY", "GOOGLE_GENERATIVE_AI_API_KEY", "GOOGLE_API_KEY"],
    model: "gemini-3.8-flash",
  },
  openrouter: {
    kind: "openai-compatible",
    baseUrl: "https://openrouter.ai/api/v1",
    keys: ["OPENROUTER_API_KEY"],
    model: "anthropic/claude-sonnet-5.5",
  },
  moonshot: {
    kind: "openai-compatible",
    baseUrl: "https://api.moonshot.ai/v1",
    keys: ["MOONSHOT_API_KEY", "KIMI_API_KEY"],
    urlKey: "MOONSHOT_BASE_URL",
    model: "kimi-k2.6",
  },
  deepseek: {
    kind: "openai-compatible",
    baseUrl: "https://api.deepseek.com/v1",
    keys: ["DEEPSEEK_API_KEY"],
    model: "deepseek-flash",
  },
  ollama: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:11434/v1", keys: [] },
  lmstudio: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:1234/v1", keys: [] },
  vllm: { kind: "openai-compatible", baseUrl: "http://127.0.0.1:8000/v1", keys: ["VLLM_API_KEY"] },
}
