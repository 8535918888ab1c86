// What went wrong, from whatever the SDK threw or streamed, in words that contain no key.
import { isObject, type Json, type JsonObject, parseJson } from "../../model/json.ts"
import { Key } from "../catalogue/key.ts"
import { isLoopback } from "../catalogue/loopback.ts"
import type { ModelProblem } from "../port/port.ts"

export interface Failed {
  problem: ModelProblem
  /** Whether the same request may succeed later. */
  again: boolean
  headers: Readonly<Record<string, string>>
  /** The vendor's own error object, if there is one. */
  detail: JsonObject
}

export interface Blame {
  provider: string
  baseUrl: string
  key: Key | undefined
  headers?: Readonly<Record<string, string>>
}

/** Something else than a model's API answered. Trying again does not help. */
export class NotAModel extends Error {}

export const ABORTED: ModelProblem = { kind: "aborted", message: "Stopped." }

/** `during`: if a connection breaks during the answer, the provider could be reached. */
export function failedBy(error: unknown, blame: Blame, during: "request" | "answer" = "request"): Failed {
  const detail = detailOf(error)
  const status = statusOf(error, detail)
  const text = [messageOf(error), ...["message", "code", "type"].map((name) => textOf(detail[name]))].join(" ")
  const kind = kindOf(error, status, text)
  const said = typeof detail.message === "string" ? detail.message : messageOf(error)
  const cut = kind === "network" && during === "answer"
  const why = clean(said, blame)
  const message = cut ? `${cutWords(blame)}: ${why}` : wording(kind, status, why, blame.provider)
  const problem = { kind, message, ...(status !== undefined && { status }) }
  return { problem, again: mayHelp(kind, text, error, blame), headers: headersOf(error), detail }
}

/** A stream that ended without a reason. */
export function cutOff(blame: Blame): Failed {
  return { problem: { kind: "network", message: `${cutWords(blame)}.` }, again: true, headers: {}, detail: {} }
}

/** The conversation and its answer are longer than the window. */
export function windowFull({ provider }: Blame): Failed {
  const message = `${provider}: the answer was cut off, because it filled the model's context window.`
  return { problem: { kind: "overflow", message }, again: false, headers: {}, detail: {} }
}

function cutWords({ provider }: Blame): string {
  return `The answer of ${provider} was cut off`
}

/** Gemini and Anthropic report a wrong key and an empty account as a bad request. */
const ABOUT_THE_ACCOUNT = /api key not valid|api_key_invalid|api key expired|credit balance is too low/i

function kindOf(error: unknown, status: number | undefined, text: string): ModelProblem["kind"] {
  if (error instanceof NotAModel) return "network"
  if (saysOverflow(status, text)) return "overflow"
  if (status === undefined) return isUnreadable(error) ? "server" : isConnection(error) ? "network" : "invalid"
  if (status < 400) return isUnreadable(error) ? "server" : "network"
  if (status === 401 || status === 402 || status === 403) return "auth"
  if (status === 400 && ABOUT_THE_ACCOUNT.test(text)) return "auth"
  if (status === 429) return "rate-limit"
  if (status === 408 || status >= 500) return "server"
  return "invalid"
}

function mayHelp(kind: ModelProblem["kind"], text: string, error: unknown, blame: Blame): boolean {
  if (error instanceof NotAModel) return false
  if (kind === "network") return !(isRefused(error) && isLoopback(blame.baseUrl))
  if (kind === "rate-limit") return !/insufficient_quota|insufficient balance|billing/i.test(text)
  return kind === "server" && headersOf(error)["x-should-retry"] !== "false"
}

function wording(kind: ModelProblem["kind"], status: number | undefined, said: string, provider: string): string {
  if (kind === "network") return `${provider} could not be reached: ${said}`
  return status === undefined || status < 400 ? `${provider}: ${said}` : `${provider} answered ${status}: ${said}`
}

/** One line of limited length, without control characters and keys. */
function clean(text: string, blame: Blame): string {
  const secrets = [blame.key, ...Object.values(blame.headers ?? {}).map((value) => new Key(value))]
  const hidden = secrets.reduce((shown, secret) => secret?.hideIn(shown) ?? shown, text)
  const line = hidden
    .replaceAll(/\/\/[^/@\s]+@/g, "//")
    .replaceAll(/\p{Cc}+/gu, " ")
    .trim()
  return line === "" ? "no reason given" : line.length > 600 ? `${line.slice(0, 599)}…` : line
}

/** The vendor's error object: `{error: {…}}` in a body or an event, or the object itself. */
function detailOf(error: unknown): JsonObject {
  const body = field(error, "responseBody")
  const parsed = typeof body === "string" ? parseJson(body) : undefined
  const value: unknown = parsed === undefined ? error : parsed.ok ? parsed.value : undefined
  const inner = Array.isArray(value) ? value[0] : value
  if (!isObject(inner)) return {}
  if (isObject(inner.error)) return inner.error
  if (typeof inner.error === "string") return { message: inner.error }
  return inner instanceof Error ? {} : inner
}

const STATUS_OF = new Map([
  ["overloaded_error", 529],
  ["api_error", 500],
  ["server_error", 500],
  ["timeout_error", 504],
  ["rate_limit_error", 429],
  ["rate_limit_exceeded", 429],
  ["insufficient_quota", 429],
  ["authentication_error", 401],
  ["permission_error", 403],
  ["billing_error", 402],
  ["not_found_error", 404],
  ["request_too_large", 413],
  ["invalid_request_error", 400],
  ["context_length_exceeded", 400],
])

/** An error within a stream has no status: its type says which one it would have been. */
function statusOf(error: unknown, detail: JsonObject): number | undefined {
  const own = field(error, "statusCode")
  const named = [detail.code, detail.type]
    .map((name) => STATUS_OF.get(textOf(name)))
    .find((status) => status !== undefined)
  const code = typeof detail.code === "number" && detail.code >= 400 ? detail.code : undefined
  if (typeof own === "number" && own !== 500) return own
  return named ?? code ?? (typeof own === "number" ? own : undefined)
}

function textOf(value: Json | undefined): string {
  return typeof value === "string" ? value : ""
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return rootMessage(error)
  const message = field(error, "message")
  return typeof message === "string" ? message : String(error)
}

/** "fetch failed" says nothing; its cause does. */
function rootMessage(error: Error): string {
  const { cause } = error
  const wraps = /^(?:fetch failed|terminated|Failed to process successful response|Cannot connect to API: ?)$/
  return cause instanceof Error && wraps.test(error.message) ? rootMessage(cause) : error.message
}

function headersOf(error: unknown): Record<string, string> {
  const headers = field(error, "responseHeaders")
  return isObject(headers) ? (headers as Record<string, string>) : {}
}

function isUnreadable(error: unknown): boolean {
  return chain(error).some((each) => /JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody/.test(each.name))
}

/** Anything else that the SDK throws without a status is about the request itself. */
function isConnection(error: unknown): boolean {
  return chain(error).some(
    (each) =>
      each.name === "AI_APICallError" ||
      typeof field(each, "code") === "string" ||
      /^(?:fetch failed|terminated)$/.test(each.message),
  )
}

function isRefused(error: unknown): boolean {
  return chain(error).some((each) => field(each, "code") === "ECONNREFUSED" || /ECONNREFUSED/.test(each.message))
}

function chain(error: unknown): Error[] {
  const found: Error[] = []
  for (let each = error; each instanceof Error && !found.includes(each); each = each.cause) found.push(each)
  return found
}

function field(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? (value as Record<string, unknown>)[name] : undefined
}

/** The vendors' wordings. A status alone is not enough: 400 and 429 mean many things. */
const OVERFLOW = [
  /prompt is too long/i, // Anthropic
  /input length and `?max_tokens`? exceed context limit/i, // Anthropic
  /request exceeds the maximum size|request_too_large/i, // Anthropic, 413
  /maximum context length/i, // OpenAI, OpenRouter, vLLM, DeepSeek
  /context_length_exceeded/i, // OpenAI's code
  /exceeds the (?:model's )?context window/i, // OpenAI Responses
  /input token count.*exceeds the maximum number of tokens/is, // Gemini
  /exceeded model token limit/i, // Moonshot
  /exceeds? the available context size|exceed_context_size/i, // llama.cpp
  /exceeded max context length|prompt too long/i, // Ollama
  /greater than the context length|context the overflows|context overflow/i, // LM Studio
  /maximum prompt length is \d+/i, // xAI
  /input is too long for requested model/i, // Bedrock behind a gateway
  /reduce the length of the messages/i, // Groq, and OpenAI's older wording
]

/** A rate limit where waiting does not help: this one request exceeds what is allowed per minute. */
const LARGER_THAN_LIMIT = /request too large for .* on tokens per min/is

/** Whether a refusal means that the request is longer than the model's window. */
function saysOverflow(status: number | undefined, text: string): boolean {
  if (status === 401 || status === 403) return false
  if (status === 429) return LARGER_THAN_LIMIT.test(text)
  return OVERFLOW.some((pattern) => pattern.test(text))
}
