// How large the window of a local model is: its Ollama is asked, because what does not fit is forgotten without a word.
import { expect, onTestFinished, test } from "vitest"
import type { JsonObject } from "../../src/model/json.ts"
import type { FactsById } from "../../src/provider/catalogue/models.ts"
import { chooseModel } from "../../src/provider/choose.ts"
import type { Model } from "../../src/provider/port/port.ts"
import { chatReply } from "./wire/openai.ts"
import { eventsOf, NoWaiting, WireServer } from "./wire/server.ts"

interface Local {
  show?: JsonObject
  /** The window that the model gets when it is loaded. */
  gives?: number
  loaded?: boolean
  models?: FactsById
}

async function local({ show, gives, loaded = false, models }: Local): Promise<{ model: Model; server: WireServer }> {
  const server = await WireServer.start()
  onTestFinished(() => server.close())
  let isLoaded = loaded
  server.otherwise = ({ path }) => {
    if (path === "/api/show") return show === undefined ? { status: 404, body: {} } : { status: 200, body: show }
    const running = isLoaded ? [{ name: "qwen3:latest", ...(gives !== undefined && { context_length: gives }) }] : []
    if (path === "/api/ps") return { status: 200, body: { models: running } }
    isLoaded = true
    return chatReply({ text: "ok" })
  }
  const settings = { providers: { ollama: { baseUrl: `${server.url}/v1` } }, ...(models && { models }) }
  const choice = await chooseModel({ wanted: "ollama/qwen3", settings, env: {}, fetch, timing: new Patient() })
  if (choice.outcome !== "chosen") throw new Error(choice.problem)
  return { model: choice.model, server }
}

/** The time limit of a question never ends before the fake answers. */
class Patient extends NoWaiting {
  override sleep(_: number, signal: AbortSignal): Promise<void> {
    return super.sleep(Number.POSITIVE_INFINITY, signal)
  }
}

const MADE_FOR = { model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40_960 } }
const notices = async (model: Model) =>
  (await eventsOf(model)).flatMap((event) => (event.type === "notice" ? [event.text] : []))

test("until it is loaded it is the model's maximum, then what it was given; a small one is reported", async () => {
  const { model } = await local({ show: MADE_FOR, gives: 4_096 })
  expect(model.window).toBe(40_960)
  expect(await notices(model)).toEqual([
    "Ollama gives qwen3 a window of 4,096 tokens of the 40,960 that it could have, and forgets what does not fit. Start it with a larger one: OLLAMA_CONTEXT_LENGTH=32768 ollama serve",
  ])
  expect(model.window).toBe(4_096)
  expect(await notices(model)).toEqual([])
})

test("for a model that is already loaded it is known before the first request", async () => {
  const { model, server } = await local({ show: MADE_FOR, gives: 8_192, loaded: true })
  await notices(model)
  expect(server.requests.map(({ path }) => path)).toEqual(["/api/show", "/api/ps", "/v1/chat/completions"])
  expect(model.window).toBe(8_192)
})

test("a Modelfile that sets it is believed, and a large one is not worth mentioning", async () => {
  const { model } = await local({ show: { ...MADE_FOR, parameters: 'stop   "x"\nnum_ctx      32768' }, gives: 32_768 })
  expect(model.window).toBe(32_768)
  expect(await notices(model)).toEqual([])
})

test("an Ollama that says nothing leaves it unknown, and the model works", async () => {
  const { model } = await local({})
  expect(await notices(model)).toEqual([])
  expect(model.window).toBeUndefined()
  expect(model.id).toBe("ollama/qwen3")
})

test("what a person configured is not queried", async () => {
  const { model, server } = await local({ show: MADE_FOR, models: { "ollama/qwen3": { window: 12_345 } } })
  expect(model.window).toBe(12_345)
  expect(server.requests).toEqual([])
})
