// Requests to the server. A refusal is thrown with the server's own message.
import type { Failure } from "../model/failure/failure.ts"
import { isFailure } from "../model/failure/is-failure.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import { isObject, type Json, type JsonObject, parseJson } from "../model/json.ts"
import type { OperationRow } from "../protocol/operations.ts"

/** The server refused, or could not be reached: then `status` is 0. */
export class ApiError extends Error {
  readonly status: number
  readonly code: string
  readonly hint: string
  /** The whole body of the answer. */
  readonly body: JsonObject

  constructor(status: number, body: JsonObject) {
    super(text(body.detail) ?? `The server answered with status ${status}.`)
    this.status = status
    this.code = text(body.code) ?? "unexpected"
    this.hint = text(body.hint) ?? ""
    this.body = body
  }

  /** The failure as data, if it is one of retcon's own that this version knows. */
  get failure(): Failure | undefined {
    const failure: unknown = this.body.failure
    return isFailure(failure) ? failure : undefined
  }
}

type Query = Readonly<Record<string, string | number | undefined>>

export interface Api {
  get<Answer>(path: string, query?: Query, signal?: AbortSignal): Promise<Answer>
  post<Answer>(path: string, body?: object): Promise<Answer>
  fetch(path: string, init?: RequestInit): Promise<Response>
}

export interface ApiOptions {
  /** The address of the server, such as http://127.0.0.1:4180 */
  url: string
  token: string
  fetch: typeof globalThis.fetch
}

/** Contract: paths are below /api. Throws ApiError. */
export function makeApi({ url, token, fetch }: ApiOptions): Api {
  const base = `${url.replace(/\/$/, "")}/api/`

  async function ask(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` }
    const response = await fetch(`${base}${path}`, { ...init, headers }).catch(noAnswer)
    if (response.ok) return response
    const body = parseJson(await response.text())
    throw new ApiError(response.status, body.ok && isObject(body.value) ? body.value : {})
  }

  async function json<Answer>(response: Response): Promise<Answer> {
    const body = parseJson(await response.text())
    if (body.ok) return body.value as Answer
    throw new ApiError(response.status, { detail: `The server's answer is not JSON: ${body.problem}` })
  }

  return {
    fetch: ask,
    get: async (path, query = {}, signal) => json(await ask(`${path}${queryOf(query)}`, { signal: signal ?? null })),
    post: async (path, body = {}) =>
      json(
        await ask(path, {
          method: "POST",
          body: JSON.stringify(body),
          headers: { "content-type": "application/json" },
        }),
      ),
  }
}

/** Contract: retcon's own failures are thrown as RetconError, as they would be in process. */
export async function asInProcess<Value>(ask: () => Promise<Value>): Promise<Value> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof ApiError && error.failure !== undefined) throw new RetconError(error.failure, { cause: error })
    throw error
  }
}

/** Asks for an operation of the tables. */
export async function askFor(
  api: Api,
  path: string,
  { kind, refuses }: OperationRow,
  { fields, signal }: { fields: object; signal: AbortSignal | undefined },
): Promise<Readonly<Record<string, unknown>>> {
  type Answer = Readonly<Record<string, unknown>>
  const ask = () => (kind === "read" ? api.get<Answer>(path, fields as Query, signal) : api.post<Answer>(path, fields))
  return refuses === true ? { ...(await orRefused(ask)) } : asInProcess(ask)
}

/** Returns a refusal as a value where the port does so in process. */
export async function orRefused<Value>(
  ask: () => Promise<Value>,
): Promise<Value | { outcome: "refused"; failure: Failure }> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof ApiError) || error.failure === undefined) throw error
    const { conflicts, plan } = error.body
    return {
      outcome: "refused",
      failure: error.failure,
      ...(conflicts === undefined ? {} : { conflicts }),
      ...(plan === undefined ? {} : { plan }),
    }
  }
}

function queryOf(query: Query): string {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) if (value !== undefined) given.set(name, String(value))
  return given.size === 0 ? "" : `?${given.toString()}`
}

function noAnswer(error: unknown): never {
  if (error instanceof DOMException && error.name === "AbortError") throw error
  throw new ApiError(0, {
    code: "no-answer",
    detail: "The server does not answer.",
    hint: "Start it again with: retcon serve",
  })
}

function text(value: Json | undefined): string | undefined {
  return typeof value === "string" ? value : undefined
}
