// Whether an Ollama is running on this machine, which models it has, and how large their windows are.
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import type { Timing } from "../port/timing.ts"

const PROBE_MS = 400
const NO_CHAT = /embed|minilm|bge-/i

export interface OllamaServer {
  baseUrl: string
  fetch: typeof globalThis.fetch
  timing: Timing
}

/** The models of the Ollama at `baseUrl`, most recently changed first; none if it does not answer in time. */
export async function ollamaModels(server: OllamaServer): Promise<string[]> {
  const names = (await modelsAt(server, "/api/tags")).flatMap(({ name }) => (typeof name === "string" ? [name] : []))
  return names.filter((name) => !NO_CHAT.test(name))
}

/** The model's own maximum and what its Modelfile sets: it never gets more than either. Undefined if unknown. */
export async function ollamaMost(server: OllamaServer, model: string): Promise<number | undefined> {
  const shown = await ask(server, "/api/show", { model })
  if (!isObject(shown)) return undefined
  const info = Object.entries(isObject(shown.model_info) ? shown.model_info : {})
  const made = info.find(([key]) => key.endsWith(".context_length"))?.[1]
  const set = /^num_ctx\s+(\d+)/m.exec(typeof shown.parameters === "string" ? shown.parameters : "")?.[1]
  return least([made, set === undefined ? undefined : Number(set)])
}

/** What it gave the model when loading it; undefined if the model is not loaded, or this Ollama is too old to say. */
export async function ollamaGiven(server: OllamaServer, model: string): Promise<number | undefined> {
  const loaded = (await modelsAt(server, "/api/ps")).find(({ name }) => name === model || name === `${model}:latest`)
  return least([loaded?.context_length])
}

async function modelsAt(server: OllamaServer, path: string): Promise<JsonObject[]> {
  const answer = await ask(server, path)
  const models = isObject(answer) ? answer.models : undefined
  return Array.isArray(models) ? models.filter(isObject) : []
}

async function ask(
  { baseUrl, fetch, timing }: OllamaServer,
  path: string,
  body?: JsonObject,
): Promise<Json | undefined> {
  const over = new AbortController()
  const timer = timing.sleep(PROBE_MS, over.signal).then(() => over.abort())
  try {
    const post = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) }
    const url = `${baseUrl.replace(/\/v1$/, "")}${path}`
    const answer = fetch(url, { signal: over.signal, redirect: "error", ...post })
    const response = await Promise.race([answer, timer])
    if (response?.ok !== true) return undefined
    const parsed = parseJson(await response.text())
    return parsed.ok ? parsed.value : undefined
  } catch {
    // Usually it is just not running, and any other problem with it is no reason to stop here.
    return undefined
  } finally {
    over.abort()
  }
}

function least(values: (Json | undefined)[]): number | undefined {
  const numbers = values.filter((value): value is number => typeof value === "number" && value > 0)
  return numbers.length === 0 ? undefined : Math.min(...numbers)
}
