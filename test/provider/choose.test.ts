import { inspect } from "node:util"
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import { adviceText } from "../../src/model/failure/failure.ts"
import { Key } from "../../src/provider/catalogue/key.ts"
import type { ModelSettings } from "../../src/provider/catalogue/model-settings.ts"
import { type Choice, type ChooseOptions, chooseModel } from "../../src/provider/choose.ts"
import { anthropicReply } from "./wire/anthropic.ts"
import { chatReply } from "./wire/openai.ts"
import { responsesReply } from "./wire/responses.ts"
import { eventsOf, NoWaiting, SECRET, type WireReply, WireServer } from "./wire/server.ts"

let server: WireServer
beforeEach(async () => {
  server = await WireServer.start()
  server.otherwise = () => ({ status: 404, body: {} })
})
afterEach(() => server.close())

/** An Ollama is looked for at the fake, which has none until told so. */
function choose(options: Partial<ChooseOptions> = {}): Promise<Choice> {
  const providers = { ollama: { baseUrl: `${server.url}/v1` }, ...options.settings?.providers }
  const settings: ModelSettings = { ...options.settings, providers }
  return chooseModel({ env: {}, fetch, timing: new SlowProbe(), ...options, settings })
}

/** The time limit of a probe never ends before the fake answers. */
class SlowProbe extends NoWaiting {
  override sleep(_: number, signal: AbortSignal): Promise<void> {
    return super.sleep(Number.POSITIVE_INFINITY, signal)
  }
}

async function chosen(options: Partial<ChooseOptions>): Promise<string> {
  const choice = await choose(options)
  return choice.outcome === "chosen"
    ? `${choice.model.id} (${choice.because})`
    : `refused: ${choice.problem} ${adviceText(choice.advice)}`
}

describe("which model is used", () => {
  const keys = { OPENAI_API_KEY: "b", ANTHROPIC_API_KEY: "a" }

  test.each([
    [
      "what was asked for",
      { wanted: "openai/gpt-4.1", env: keys, settings: { model: "google/x" } },
      "openai/gpt-4.1 (asked)",
    ],
    [
      "a name with slashes",
      { wanted: "openrouter/qwen/qwen3", env: { OPENROUTER_API_KEY: "k" } },
      "openrouter/qwen/qwen3 (asked)",
    ],
    ["a provider's usual model", { wanted: "openai", env: keys }, "openai/gpt-6.1-sol (asked)"],
    ["a known name alone", { wanted: "claude-opus-4-5", env: keys }, "anthropic/claude-opus-4-5 (asked)"],
    ["the configured one", { env: keys, settings: { model: "openai/gpt-4.1" } }, "openai/gpt-4.1 (configured)"],
    ["the first key found", { env: keys }, "anthropic/claude-sonnet-5-5 (key)"],
    ["any of a provider's variables", { env: { GEMINI_API_KEY: "g" } }, "google/gemini-3.8-flash (key)"],
    ["an empty key is none", { env: { ANTHROPIC_API_KEY: " " } }, "practice/rules (practice)"],
    ["practice when there is nothing", {}, "practice/rules (practice)"],
    ["practice by name", { wanted: "practice", env: keys }, "practice/rules (asked)"],
    [
      "a server of one's own",
      { wanted: "mine/m", settings: { providers: { mine: { baseUrl: "http://127.0.0.1:9/v1" } } } },
      "mine/m (asked)",
    ],
  ] satisfies [string, Partial<ChooseOptions>, string][])("%s", async (_, options, expected) => {
    expect(await chosen(options)).toBe(expected)
  })

  test.each([
    ["anthropic/claude-opus-5", "There is no key for anthropic. Set ANTHROPIC_API_KEY, or use model practice"],
    ["nonsense/x", 'There is no model "nonsense/x". Name one: model PROVIDER/NAME.'],
    ["gpt-9", 'There is no model "gpt-9".'],
    ["constructor/x", 'There is no model "constructor/x".'],
    ["lmstudio", "lmstudio has no model to use. Name one: model lmstudio/NAME"],
    ["ollama/", '"ollama/" is not the name of a model.'],
  ])("%s is refused with what to do", async (wanted, words) => {
    expect(await chosen({ wanted })).toContain(`refused: ${words}`)
  })

  test("a name that is not a provider is refused with all possible names, including your own servers", async () => {
    const settings = { providers: { mine: { baseUrl: "http://127.0.0.1:9/v1" } } }
    const words = await chosen({ wanted: "nonsense/x", settings })
    expect(words).toMatch(/Providers: .*mine, anthropic, .*, practice, or any openai-compatible server/)
  })

  test("a local Ollama when there is no key, with its first model that can talk", async () => {
    server.reply({ status: 200, body: { models: [{ name: "nomic-embed-text:latest" }, { name: "qwen3:8b" }] } })
    expect(await chosen({})).toBe("ollama/qwen3:8b (ollama)")
    expect(server.requests[0]?.path).toBe("/api/tags")
  })

  test.each([
    ["answers nonsense", { status: 200, body: "<html>" }],
    ["hangs", { events: [], ending: "hang" }],
    ["breaks off", "reset"],
    ["has no models", { status: 200, body: { models: [] } }],
  ] satisfies [string, WireReply][])("an Ollama that %s is treated as missing", async (_, reply) => {
    server.reply(reply)
    expect(await chosen({ timing: new NoWaiting() })).toBe("practice/rules (practice)")
  })

  test("base URLs come from the environment or the configuration, Anthropic's with or without the version", async () => {
    for (const url of [server.url, `${server.url}/v1/`]) {
      server.reply(anthropicReply({ text: "ok" }))
      const choice = await choose({
        wanted: "anthropic/claude-opus-5",
        env: { ANTHROPIC_BASE_URL: url, ANTHROPIC_API_KEY: `${SECRET}\n` },
      })
      if (choice.outcome !== "chosen") throw new Error(choice.problem)
      expect((await eventsOf(choice.model)).at(-1)).toMatchObject({ type: "finish" })
    }
    expect(server.requests.map((request) => [request.path, request.headers["x-api-key"]])).toEqual([
      ["/v1/messages", SECRET],
      ["/v1/messages", SECRET],
    ])
  })

  test.each([
    ["a newer name of OpenAI's", "openai", "gpt-7-astra", "/v1/responses"],
    ["a newer name for code", "openai", "codex-9", "/v1/responses"],
    ["a known name that speaks only that", "openai", "gpt-6.1-sol", "/v1/responses"],
    ["a known name that servers of others speak too", "openai", "gpt-4.1", "/v1/chat/completions"],
    ["somebody else's name", "openai", "qwen4-coder", "/v1/chat/completions"],
    ["a server that only resembles OpenAI", "openai-compatible", "gpt-7-astra", "/v1/chat/completions"],
  ] as const)("at another address: %s goes to the protocol it speaks", async (_, kind, name, path) => {
    const reply = path.endsWith("responses") ? responsesReply : chatReply
    server.reply(reply({ text: "ok" }))
    const settings: ModelSettings = {
      providers: { proxy: { kind, baseUrl: `${server.url}/v1`, keyVariable: "PROXY_KEY" } },
    }
    const choice = await choose({ wanted: `proxy/${name}`, env: { PROXY_KEY: SECRET }, settings })
    if (choice.outcome !== "chosen") throw new Error(choice.problem)
    expect((await eventsOf(choice.model)).at(-1)).toMatchObject({ type: "finish", reason: "stop" })
    expect(server.requests.at(-1)).toMatchObject({ path, json: { model: name } })
  })

  test("the known facts come with a model, and configuration overrides them", async () => {
    const settings = { models: { "anthropic/claude-opus-4-5": { window: 50_000 } } }
    const choice = await choose({ wanted: "anthropic/claude-opus-4-5", env: keys, settings })
    expect(choice).toMatchObject({ model: { window: 50_000, maxOutput: 64_000, price: { input: 5, output: 25 } } })
  })
})

describe("a key", () => {
  const key = new Key(` ${SECRET}\n`)

  test("is revealed only on purpose", () => {
    expect(key.reveal()).toBe(SECRET)
    const shown = [
      String(key),
      `key: ${String(key)}`,
      JSON.stringify({ key }),
      inspect(key),
      inspect({ deep: { key } }, { depth: 9, showHidden: true }),
    ]
    for (const text of shown) expect(text).not.toContain(SECRET)
  })

  test("does not show in a chosen model, however it is printed", async () => {
    const choice = await choose({ env: { ANTHROPIC_API_KEY: SECRET } })
    expect(inspect(choice, { depth: 20, showHidden: true })).not.toContain(SECRET)
    expect(JSON.stringify(choice)).not.toContain(SECRET)
  })
})
