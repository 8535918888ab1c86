// Whether an Ollama runs on this machine, and which models it has.
import { isObject, parseJson } from "../model/json.ts"
import type { Timing } from "./timing.ts"

const PROBE_MS = 400
const NO_CHAT = /embed|minilm|bge-/i

/** The models of the Ollama at `baseUrl`, the most recently changed first; none when there is no answer in time. */
export async function ollamaModels(baseUrl: string, fetch: typeof globalThis.fetch, timing: Timing): Promise<string[]> {
  const over = new AbortController()
  const timer = timing.sleep(PROBE_MS, over.signal).then(() => over.abort())
  try {
    const answer = fetch(`${baseUrl.replace(/\/v1$/, "")}/api/tags`, { signal: over.signal, redirect: "error" })
    const response = await Promise.race([answer, timer])
    return response?.ok === true ? modelNames(await response.text()) : []
  } catch {
    // Not running is the usual case, and whatever else is wrong with it is no reason to stop here.
    return []
  } finally {
    over.abort()
  }
}

function modelNames(text: string): string[] {
  const parsed = parseJson(text)
  const models = parsed.ok && isObject(parsed.value) ? parsed.value.models : undefined
  if (!Array.isArray(models)) return []
  const names = models.flatMap((model) => (isObject(model) && typeof model.name === "string" ? [model.name] : []))
  return names.filter((name) => !NO_CHAT.test(name))
}
