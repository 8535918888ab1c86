// What is made of refusals, broken streams and lost connections.
import { afterEach, beforeEach, describe, expect, test } from "vitest"
import type { ModelEvent } from "../../../src/provider/port/port.ts"
import { anthropicError, anthropicErrorEvent, anthropicEvents } from "../wire/anthropic.ts"
import { geminiError, geminiEvents } from "../wire/gemini.ts"
import { chatError, chatEvents } from "../wire/openai.ts"
import { eventsOf, FAKES, type Fake, modelAt, NoWaiting, SECRET, type WireReply, WireServer } from "../wire/server.ts"

let server: WireServer
let timing: NoWaiting
beforeEach(async () => {
  server = await WireServer.start()
  timing = new NoWaiting()
})
afterEach(() => server.close())

async function failing(fake: Fake, ...replies: WireReply[]): Promise<ModelEvent[]> {
  server.reply(...replies)
  return eventsOf(modelAt(server, fake, { timing }))
}

const { anthropic, openai, google, ollama } = FAKES
const CASES: [what: string, fake: Fake, reply: WireReply, kind: string, status?: number][] = [
  ["a wrong key", anthropic, anthropicError(401, "authentication_error", "invalid x-api-key"), "auth", 401],
  [
    "a wrong key",
    openai,
    chatError(401, { message: "Incorrect API key provided", code: "invalid_api_key" }),
    "auth",
    401,
  ],
  ["a wrong key", google, geminiError(403, "PERMISSION_DENIED", "API key not valid"), "auth", 403],
  [
    "a wrong key",
    google,
    geminiError(400, "INVALID_ARGUMENT", "API key not valid. Please pass a valid API key."),
    "auth",
    400,
  ],
  [
    "no money left",
    anthropic,
    anthropicError(400, "invalid_request_error", "Your credit balance is too low"),
    "auth",
    400,
  ],
  ["no money left", ollama, chatError(402, { message: "Insufficient Balance" }), "auth", 402],
  [
    "no quota left",
    openai,
    chatError(429, { message: "You exceeded your current quota", code: "insufficient_quota" }),
    "rate-limit",
    429,
  ],
  [
    "a bad request",
    anthropic,
    anthropicError(400, "invalid_request_error", "messages: roles must alternate"),
    "invalid",
    400,
  ],
  [
    "an unknown model",
    openai,
    chatError(404, { message: "The model `x` does not exist", code: "model_not_found" }),
    "invalid",
    404,
  ],
  [
    "too long",
    anthropic,
    anthropicError(400, "invalid_request_error", "prompt is too long: 210000 tokens > 200000 maximum"),
    "overflow",
    400,
  ],
  [
    "too long with the output",
    anthropic,
    anthropicError(
      400,
      "invalid_request_error",
      "input length and `max_tokens` exceed context limit: 199000 + 20000 > 200000",
    ),
    "overflow",
    400,
  ],
  [
    "too large",
    anthropic,
    anthropicError(413, "request_too_large", "Request exceeds the maximum size"),
    "overflow",
    413,
  ],
  [
    "too long",
    openai,
    chatError(400, {
      message: "This model's maximum context length is 128000 tokens.",
      code: "context_length_exceeded",
    }),
    "overflow",
    400,
  ],
  [
    "larger than a minute allows",
    openai,
    chatError(429, {
      message: "Request too large for gpt-4.1 in organization o on tokens per min (TPM): Limit 30000, Requested 45000.",
      code: "rate_limit_exceeded",
    }),
    "overflow",
    429,
  ],
  [
    "too long",
    google,
    geminiError(
      400,
      "INVALID_ARGUMENT",
      "The input token count (1200000) exceeds the maximum number of tokens allowed (1048576).",
    ),
    "overflow",
    400,
  ],
  [
    "too long at Moonshot",
    ollama,
    chatError(400, { message: "Invalid request: Your request exceeded model token limit: 262144" }),
    "overflow",
    400,
  ],
  [
    "too long at llama.cpp",
    ollama,
    { status: 500, body: { error: { message: "the request exceeds the available context size" } } },
    "overflow",
    500,
  ],
  [
    "too long at LM Studio",
    ollama,
    {
      status: 400,
      body: { error: "The number of tokens to keep from the initial prompt is greater than the context length" },
    },
    "overflow",
    400,
  ],
]

describe("refusals where waiting does not help", () => {
  test.each(CASES)("%s (%#)", async (_, fake, reply, kind, status) => {
    const events = await failing(fake, reply)
    expect(events).toEqual([{ type: "failed", problem: { kind, status, message: expect.any(String) } }])
    expect(server.requests).toHaveLength(1)
  })
})

describe("what is retried", () => {
  const AGAIN: [what: string, fake: Fake, reply: WireReply, waitMs: number][] = [
    [
      "a rate limit, as long as it asks",
      anthropic,
      anthropicError(429, "rate_limit_error", "slow down", { "retry-after": "7" }),
      7_000,
    ],
    [
      "a rate limit, in milliseconds",
      openai,
      chatError(429, { message: "slow down" }, { "retry-after-ms": "1500" }),
      1_500,
    ],
    [
      "a rate limit, until a date",
      openai,
      chatError(429, { message: "slow down" }, { "retry-after": "Thu, 01 Jan 1970 00:00:09 GMT" }),
      9_000,
    ],
    [
      "Gemini's rate limit",
      google,
      geminiError(429, "RESOURCE_EXHAUSTED", "quota", [
        { "@type": "type.googleapis.com/google.rpc.RetryInfo", retryDelay: "34s" },
      ]),
      34_000,
    ],
    ["a rate limit without a word (never an overflow)", ollama, { status: 429, body: "" }, 750],
    ["an overloaded server", anthropic, anthropicError(529, "overloaded_error", "Overloaded"), 750],
    ["a failing server", openai, chatError(500, { message: "The server had an error" }), 750],
    ["an unavailable server", google, geminiError(503, "UNAVAILABLE", "The model is overloaded."), 750],
    ["a proxy's page of HTML", ollama, { status: 502, body: "<html>Bad Gateway</html>" }, 750],
    ["a connection that is torn down", ollama, "reset", 750],
    [
      "an overload told in the stream at once",
      anthropic,
      { events: [anthropicErrorEvent("overloaded_error", "Overloaded")] },
      750,
    ],
    [
      "an overload told in mid-stream",
      anthropic,
      {
        events: [
          ...anthropicEvents({ text: "hello" }).slice(0, 4),
          anthropicErrorEvent("overloaded_error", "Overloaded"),
        ],
      },
      750,
    ],
    ["an answer torn off", anthropic, { events: anthropicEvents({ text: "hello" }).slice(0, 4), ending: "reset" }, 750],
    ["an answer that just ends", anthropic, { events: anthropicEvents({ text: "hello" }).slice(0, 4) }, 750],
    ["an answer that just ends", openai, { events: chatEvents({ text: "hello" }).slice(0, 2) }, 750],
    ["an answer that just ends", ollama, { events: chatEvents({ text: "hello" }).slice(0, 2) }, 750],
    ["an answer that just ends", google, { events: geminiEvents({ text: "hello" }).slice(0, 1) }, 750],
    ["events that are not JSON", anthropic, { events: ["event: message_start\ndata: {oops\n\n"] }, 750],
    ["events that are not JSON", openai, { events: ["data: {oops\n\n"] }, 750],
    ["events of another shape", google, { events: ['data: {"candidates": 7}\n\n'] }, 750],
  ]

  test.each(AGAIN)("%s (%#)", async (_, fake, reply, waitMs) => {
    const events = await failing(fake, reply, fake.reply({ text: "better now" }))
    const retry = events.find((event) => event.type === "retry")
    expect(retry).toEqual({ type: "retry", attempt: 1, waitMs, problem: expect.any(String) })
    expect(timing.waits).toEqual([waitMs])
    expect(events.at(-1)).toMatchObject({ type: "finish", content: [{ type: "text", text: "better now" }] })
    expect(server.bodies[1]).toEqual(server.bodies[0])
  })

  test("what was streamed before a retry is closed, and not part of the answer", async () => {
    const torn: WireReply = { events: anthropicEvents({ text: "hello" }).slice(0, 4), ending: "reset" }
    const events = await failing(anthropic, torn, anthropic.reply({ text: "again" }))
    expect(events.map((event) => event.type)).toEqual([
      "text-start",
      "text-delta",
      "text-end",
      "retry",
      "text-start",
      "text-delta",
      "text-end",
      "finish",
    ])
  })

  test.each<[string, { ending?: "reset" }]>([
    ["is torn off", { ending: "reset" }],
    ["just ends", {}],
  ])("an answer that %s is reported as cut off", async (_, ending) => {
    const torn: WireReply = { events: anthropicEvents({ text: "hello" }).slice(0, 4), ...ending }
    const events = await failing(anthropic, torn, anthropic.reply({ text: "again" }))
    const retry = events.find((event) => event.type === "retry")
    expect(retry).toMatchObject({ problem: expect.stringMatching(/^The answer of anthropic was cut off/) })
  })

  test("calls of an attempt that failed are never reported", async () => {
    const calls = [{ id: "c1", name: "Read", input: { path: "a" } }]
    const torn: WireReply = { events: anthropicEvents({ calls }).slice(0, -2), ending: "reset" }
    const events = await failing(anthropic, torn, anthropic.reply({ text: "no need" }))
    expect(events.filter((event) => event.type === "tool-call")).toEqual([])
  })

  test("waits grow, with jitter, and end after five", async () => {
    server.otherwise = () => chatError(500, { message: "down" })
    const events = await eventsOf(modelAt(server, openai, { timing }))
    expect(timing.waits).toEqual([750, 1_500, 3_000, 6_000, 12_000])
    expect(events.filter((event) => event.type === "retry")).toHaveLength(5)
    expect(events.at(-1)).toMatchObject({ type: "failed", problem: { kind: "server", status: 500 } })
  })

  test.each([
    ["a web page", { status: 200, headers: { "content-type": "text/html" }, body: "<html>Log in</html>" }],
    ["a redirect", { status: 302, headers: { location: "https://login.example/x" }, body: "" }],
  ] as const)("%s instead of an answer is reported at once, by its name", async (name, reply) => {
    const events = await failing(ollama, reply)
    expect(events).toMatchObject([
      { type: "failed", problem: { kind: "network", message: expect.stringContaining(name) } },
    ])
  })

  test("a provider that asks for more than five minutes is not waited for", async () => {
    const events = await failing(openai, chatError(429, { message: "come back tomorrow" }, { "retry-after": "3600" }))
    expect(events).toEqual([
      {
        type: "failed",
        problem: {
          kind: "rate-limit",
          status: 429,
          waitMs: 3_600_000,
          message: "openai answered 429: come back tomorrow",
        },
      },
    ])
  })

  test("a local server that is not running is reported at once", async () => {
    const gone = await WireServer.start()
    const model = modelAt(gone, ollama, { timing })
    await gone.close()
    const events = await eventsOf(model)
    expect(events).toEqual([
      {
        type: "failed",
        problem: { kind: "network", message: expect.stringMatching(/^ollama could not be reached: .*ECONNREFUSED/) },
      },
    ])
  })
})

describe("a key is never shown", () => {
  const leak = `Incorrect API key provided: ${SECRET}. In the\u001b[31m log`

  test.each(Object.values(FAKES) as Fake[])("$endpoint.provider repeats it in an error", async (fake) => {
    const events = await failing(fake, {
      status: 401,
      body: { error: { message: leak, code: 401, status: "UNAUTHENTICATED" } },
    })
    expect(JSON.stringify(events)).not.toContain(SECRET)
    expect(events.at(-1)).toMatchObject({
      problem: {
        message: `${fake.endpoint.provider} answered 401: Incorrect API key provided: [hidden]. In the [31m log`,
      },
    })
  })

  test("a redirect does not get it", async () => {
    const other = await WireServer.start()
    const events = await failing(anthropic, {
      status: 307,
      headers: { location: `${other.url}/v1/messages` },
      body: "",
    })
    expect(events.at(-1)).toMatchObject({ type: "failed" })
    expect(other.requests).toEqual([])
    await other.close()
  })
})
