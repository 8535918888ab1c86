// Each provider with its fake: how a model is pointed at it, and how the fake words an answer.
import { type SdkModelOptions, sdkModel } from "../../../src/provider/ai-sdk/model.ts"
import type { Endpoint } from "../../../src/provider/ai-sdk/sdk.ts"
import { Key } from "../../../src/provider/catalogue/key.ts"
import type { Model, ModelEvent, ModelMessage, StepRequest, ToolSpec } from "../../../src/provider/port/port.ts"
import type { Timing } from "../../../src/provider/port/timing.ts"
import type { WireAnswer } from "./answer.ts"
import { anthropicReply } from "./anthropic.ts"
import { geminiReply } from "./gemini.ts"
import { chatReply } from "./openai.ts"
import { responsesReply } from "./responses.ts"
import type { WireReply, WireServer } from "./server.ts"

export interface Fake {
  endpoint: Omit<Endpoint, "baseUrl" | "key">
  path: string
  reply(answer: WireAnswer): WireReply
}

export const SECRET = "sk-secret-0123456789"

export const FAKES = {
  anthropic: {
    endpoint: { provider: "anthropic", name: "claude-sonnet-4-5", kind: "anthropic" },
    path: "/v1",
    reply: anthropicReply,
  },
  openai: { endpoint: { provider: "openai", name: "gpt-4.1", kind: "openai" }, path: "/v1", reply: chatReply },
  responses: {
    endpoint: { provider: "openai", name: "gpt-6.1-sol", kind: "openai", api: "responses" },
    path: "/v1",
    reply: responsesReply,
  },
  google: {
    endpoint: { provider: "google", name: "gemini-2.5-flash", kind: "google" },
    path: "/v1beta",
    reply: geminiReply,
  },
  ollama: { endpoint: { provider: "ollama", name: "qwen3", kind: "openai-compatible" }, path: "/v1", reply: chatReply },
} satisfies Record<string, Fake>

/** An answer that begins and never ends: the server goes on sending text for as long as somebody reads. */
export function endlessReply(fake: Fake): WireReply {
  const reply = fake.reply({ text: "tick" })
  if (typeof reply === "function") return (request) => endlessReply({ ...fake, reply: () => reply(request) })
  if (typeof reply === "string" || !("events" in reply)) throw new Error("an answer has events")
  const told = reply.events.findIndex((event) => event.includes('"tick"'))
  return { events: reply.events.slice(0, told + 1), ending: "goes-on" }
}

/** Waits take no time, and are written down. */
export class NoWaiting implements Timing {
  readonly waits: number[] = []
  time = 0
  now(): number {
    return this.time
  }
  random(): number {
    return 0.5
  }
  /** A wait for a stall is as long as the answer takes: it ends with the attempt. */
  async sleep(ms: number, signal: AbortSignal): Promise<void> {
    if (ms >= 200_000) return new Promise((resolve) => signal.addEventListener("abort", () => resolve()))
    this.waits.push(ms)
    this.time += ms
  }
}

export function modelAt(server: WireServer, fake: Fake, more: Partial<SdkModelOptions> = {}): Model {
  const endpoint = { ...fake.endpoint, baseUrl: `${server.url}${fake.path}`, key: new Key(SECRET) }
  return sdkModel({ endpoint, facts: {}, fetch, timing: new NoWaiting(), ...more })
}

export async function eventsOf(model: Model, request: Partial<StepRequest> = {}): Promise<ModelEvent[]> {
  const events: ModelEvent[] = []
  for await (const event of model.step({
    messages: [user("hi")],
    tools: [],
    signal: new AbortController().signal,
    ...request,
  })) {
    events.push(event)
  }
  return events
}

export function user(...texts: string[]): ModelMessage {
  return { role: "user", content: texts.map((text) => ({ type: "text", text })) }
}

export const READ: ToolSpec = {
  name: "Read",
  description: "Reads a file.",
  input: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
}
