// Which model to use: the requested one, the configured one, the first with a key, a local Ollama, or the practice
// model. Loads only the code for that one.
import { type Advice, joinAdvice } from "../model/failure/failure.ts"
import { thousands } from "../model/text/amounts.ts"
import type { Trace } from "../model/trace.ts"
import type { Environment, ModelSettings } from "./catalogue/model-settings.ts"
import { factsOf, idsNamed } from "./catalogue/models.ts"
import { firstWithKey, locate, type ProviderEndpoint, providersAdvice } from "./endpoint.ts"
import { type OllamaServer, ollamaGiven, ollamaModels, ollamaMost } from "./ollama/ollama.ts"
import type { Model, ModelEvent, StepRequest } from "./port/port.ts"
import type { Timing } from "./port/timing.ts"
import type { PracticeOptions } from "./practice/practice.ts"

export interface ChooseOptions {
  /** What the person requested: `provider/name`, a provider, or a known name. */
  wanted?: string
  settings: ModelSettings
  env: Environment
  fetch: typeof globalThis.fetch
  timing: Timing
  practice?: PracticeOptions
  /** Receives what goes over the wire. */
  trace?: Trace
}

export type Choice =
  | { outcome: "chosen"; model: Model; because: "asked" | "configured" | "key" | "ollama" | "practice" }
  | { outcome: "refused"; problem: string; advice: Advice }

export async function chooseModel(options: ChooseOptions): Promise<Choice> {
  const { wanted, settings, env } = options
  if (wanted !== undefined && wanted !== "") return named(wanted, "asked", options)
  if (settings.model !== undefined) return named(settings.model, "configured", options)
  const withKey = firstWithKey(settings, env)
  if (withKey !== undefined) return named(withKey, "key", options)
  const ollama = await named("ollama", "ollama", options)
  return ollama.outcome === "chosen" ? ollama : practice("practice", options)
}

type Because = Extract<Choice, { outcome: "chosen" }>["because"]

async function named(wanted: string, because: Because, options: ChooseOptions): Promise<Choice> {
  const { settings, env } = options
  const slash = wanted.indexOf("/")
  const provider = slash < 0 ? wanted : wanted.slice(0, slash)
  if (provider === "practice") return practice(because, options)
  const located = locate(provider, settings, env)
  if (located.found === "no-key") {
    const practise = { do: "model", name: "practice" } as const
    return refused(`There is no key for ${provider}.`, [`Set ${located.variables.join(" or ")}, or use `, practise])
  }
  if (located.found === "nothing") return byNameAlone(wanted, because, options)
  const name = slash < 0 ? (located.model ?? (await firstModelOf(located.endpoint, options))) : wanted.slice(slash + 1)
  if (name === undefined) return refused(`${provider} has no model to use.`, nameOne(`${provider}/NAME`))
  if (name === "") return refused(`"${wanted}" is not the name of a model.`, nameOne(`${provider}/NAME`))
  return { outcome: "chosen", model: await withWindow(located.endpoint, name, options), because }
}

function byNameAlone(wanted: string, because: Because, options: ChooseOptions): Choice | Promise<Choice> {
  const ids = wanted.includes("/") ? [] : idsNamed(wanted)
  const [only] = ids
  if (only !== undefined && ids.length === 1) return named(only, because, options)
  return refused(
    `There is no model "${wanted}".`,
    joinAdvice(nameOne("PROVIDER/NAME"), providersAdvice(options.settings)),
  )
}

/** Only an Ollama lists its models without a key. */
async function firstModelOf(
  { provider, baseUrl }: ProviderEndpoint,
  options: ChooseOptions,
): Promise<string | undefined> {
  return provider === "ollama" ? (await ollamaModels({ ...options, baseUrl }))[0] : undefined
}

/** A window that the person configured is believed; an Ollama is asked for its own. */
async function withWindow(endpoint: ProviderEndpoint, name: string, options: ChooseOptions): Promise<Model> {
  const model = await modelAt(endpoint, name, options)
  if (endpoint.provider !== "ollama" || model.window !== undefined) return model
  return withOllamaWindow(model, { ...options, baseUrl: endpoint.baseUrl }, name)
}

async function modelAt(endpoint: ProviderEndpoint, name: string, options: ChooseOptions): Promise<Model> {
  const { settings, fetch, timing, trace } = options
  const facts = factsOf(`${endpoint.provider}/${name}`, settings.models)
  const api = facts.api ?? (speaksResponses(endpoint, name) ? "responses" : undefined)
  const thinking = facts.thinking ?? settings.thinking
  const own = settings.providers?.[endpoint.provider]?.options
  const { sdkModel } = await import("./ai-sdk/model.ts")
  return sdkModel({
    endpoint: { ...endpoint, name, ...(api !== undefined && { api }) },
    facts,
    fetch,
    timing,
    ...(settings.stallMs !== undefined && { stallMs: settings.stallMs }),
    ...(settings.retries !== undefined && { retry: { retries: settings.retries } }),
    ...(own !== undefined && { options: own }),
    ...(thinking !== undefined && { thinking }),
    ...(trace !== undefined && { trace }),
  })
}

/**
 * OpenAI's own models all speak the newer protocol, and the newest only that. A server at another address may not: there, a
 * name of OpenAI's that we do not know is a newer model behind a proxy, whatever the person calls that proxy.
 */
function speaksResponses({ kind, baseUrl }: ProviderEndpoint, name: string): boolean {
  if (kind !== "openai") return false
  if (/^https:\/\/api\.openai\.com(?:\/|$)/.test(baseUrl)) return true
  const { window, api } = factsOf(`openai/${name}`)
  return window === undefined ? /^(?:gpt-\d|o\d|codex)/.test(name) : api === "responses"
}

async function practice(because: Because, options: ChooseOptions): Promise<Choice> {
  const { practiceModel } = await import("./practice/practice.ts")
  return { outcome: "chosen", model: practiceModel(options.practice), because }
}

function nameOne(name: string): Advice {
  return ["Name one: ", { do: "model", name }]
}

function refused(problem: string, advice: Advice): Choice {
  return { outcome: "refused", problem, advice }
}

/** With less than this, an agent forgets its instructions while reading its first file. */
const SMALL = 16_384

/**
 * An Ollama model's window is known once it is loaded: the server decides, by its settings and its memory, and silently
 * forgets what does not fit. Its OpenAI protocol has no way to ask for more. The same model with its actual window, as
 * far as it is known at each moment.
 */
async function withOllamaWindow(model: Model, server: OllamaServer, name: string): Promise<Model> {
  const most = await ollamaMost(server, name)
  let given: number | undefined
  let told = false
  const windowNow = () => (most === undefined || given === undefined ? (given ?? most) : Math.min(most, given))

  async function* look(): AsyncGenerator<ModelEvent> {
    given = (await ollamaGiven(server, name)) ?? given
    const window = windowNow()
    if (given === undefined || window === undefined || window >= SMALL || told) return
    told = true
    yield { type: "notice", text: words(name, window, most) }
  }

  return Object.create(model, {
    window: { enumerable: true, get: windowNow },
    step: {
      value: async function* step(request: StepRequest): AsyncGenerator<ModelEvent> {
        if (given === undefined) yield* look()
        for await (const event of model.step(request)) {
          // The model is loaded now.
          if (event.type === "finish" && given === undefined) yield* look()
          yield event
        }
      },
    },
  }) as Model
}

function words(name: string, window: number, most: number | undefined): string {
  const of = most !== undefined && most > window ? ` of the ${thousands(most)} that it could have` : ""
  const why = `Ollama gives ${name} a window of ${thousands(window)} tokens${of}, and forgets what does not fit.`
  return `${why} Start it with a larger one: OLLAMA_CONTEXT_LENGTH=32768 ollama serve`
}
