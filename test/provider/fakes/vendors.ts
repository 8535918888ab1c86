// Each vendor with the rules it documents: a server that refuses what the vendor would refuse, in the vendor's words.
//
//   const vendor = VENDORS.anthropic
//   const server = await strictServer(vendor, { window: 8_000 })
//   server.reply(vendor.reply({ text: "hello" }))
//
// `server.refused` names every request that broke a rule; `wireHost(vendor)` is a host in front of such a server.
import { anthropicError, anthropicReply } from "../wire/anthropic.ts"
import { geminiError } from "../wire/gemini.ts"
import { chatError } from "../wire/openai.ts"
import { FAKES, type Fake, type WireAnswer, type WireReply, type WireRequest, WireServer } from "../wire/server.ts"
import { anthropicRules, signatureFor } from "./anthropic-rules.ts"
import { chatRules } from "./chat-rules.ts"
import { geminiRules } from "./gemini-rules.ts"
import { Refusal } from "./refusal.ts"
import { responsesRules } from "./responses-rules.ts"

export interface Vendor extends Fake {
  /** Contract: throws a Refusal for what the vendor would refuse. */
  rules(request: WireRequest, limits: VendorLimits): void
  /** A refusal as the vendor words it. */
  refusal(refusal: Refusal): WireReply
}

export interface VendorLimits {
  /** Tokens of context, counted roughly. */
  window: number
}

const NO_LIMITS: VendorLimits = { window: Number.POSITIVE_INFINITY }

const openAiError = ({ message, status, more }: Refusal): WireReply =>
  chatError(status, { message, type: "invalid_request_error", ...more })

/** Thinking is signed for the request it answers. */
const signed = (answer: WireAnswer) => (request: WireRequest) =>
  anthropicReply({ ...answer, signature: signatureFor(request.json) })

const anthropic: Vendor = {
  ...FAKES.anthropic,
  reply: signed,
  rules: (request, limits) => anthropicRules(request, { ...limits, bound: false }),
  refusal: ({ message, status }) => anthropicError(status, "invalid_request_error", message),
}

export const VENDORS = {
  anthropic,
  /** A model that binds its thinking to all that stood before it. */
  bound: {
    ...anthropic,
    endpoint: { ...FAKES.anthropic.endpoint, name: "claude-sonnet-5-5" },
    rules: (request, limits) => anthropicRules(request, { ...limits, bound: true }),
  },
  openai: { ...FAKES.openai, rules: chatRules, refusal: openAiError },
  responses: { ...FAKES.responses, rules: responsesRules, refusal: openAiError },
  deepseek: {
    ...FAKES.ollama,
    endpoint: { provider: "deepseek", name: "deepseek-v4-flash", kind: "openai-compatible" },
    rules: (request, limits) => chatRules(request, { ...limits, reasoning: true }),
    refusal: openAiError,
  },
  google: {
    ...FAKES.google,
    endpoint: { ...FAKES.google.endpoint, name: "gemini-3.8-flash" },
    rules: geminiRules,
    refusal: ({ message, status }) => geminiError(status, "INVALID_ARGUMENT", message),
  },
  ollama: { ...FAKES.ollama, rules: chatRules, refusal: openAiError },
} satisfies Record<string, Vendor>

/** A server that answers what breaks a rule as the vendor would, before any reply that waits. */
export async function strictServer(vendor: Vendor, limits: Partial<VendorLimits> = {}): Promise<WireServer> {
  const server = await WireServer.start()
  holdTo(server, vendor, limits)
  return server
}

/** From now on the server has this vendor's rules. */
export function holdTo(server: WireServer, vendor: Vendor, limits: Partial<VendorLimits> = {}): void {
  server.judge = (request) => {
    try {
      vendor.rules(request, { ...NO_LIMITS, ...limits })
      return undefined
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      return { reply: vendor.refusal(error), because: error.message }
    }
  }
}
