// An Ollama model's window is known once it is loaded: the server decides, by its settings and its memory, and silently
// forgets what does not fit. Its OpenAI protocol has no way to ask for more.
import { thousands } from "../../model/text/amounts.ts"
import type { Model, ModelEvent, StepRequest } from "../port/port.ts"
import { type OllamaServer, ollamaGiven, ollamaMost } from "./ollama.ts"

/** With less than this, an agent forgets its instructions while reading its first file. */
const SMALL = 16_384

/** The same model with its actual window, as far as it is known at each moment. */
export async function withOllamaWindow(model: Model, server: OllamaServer, name: string): Promise<Model> {
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
