// The answer to a request that fails: application/problem+json, with the same words as everywhere else.
import { type Advice, adviceList, type Failure } from "../../model/failure/failure.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { failureOf } from "../../model/failure/system-failure.ts"
import { apiAdvice } from "./api-advice.ts"

export interface Problem {
  status: number
  /** Stable: scripts may rely on it. */
  code: string
  /** What happened, and why. */
  detail: string
  /** What to do next. The response also has it as `hint`, as requests to this API. */
  advice: Advice
  /** Further fields, such as the conflicts of a move. */
  more?: Record<string, unknown>
}

export function problem(
  { status, code, detail, advice, more }: Problem,
  headers: Record<string, string> = {},
): Response {
  const body = {
    type: "about:blank",
    status,
    code,
    detail,
    hint: apiAdvice(advice),
    advice: adviceList(advice),
    ...more,
  }
  return new Response(JSON.stringify(body), {
    status,
    headers: { ...headers, "content-type": "application/problem+json" },
  })
}

/** The response has the failure as data: other front ends print its advice in their own terms. */
export function refused(failure: Failure, { advice, more }: Partial<Pick<Problem, "advice" | "more">> = {}): Response {
  const words = wordsFor(failure)
  const { message: detail, status } = words
  return problem({ status, code: failure.code, detail, advice: advice ?? words.advice, more: { failure, ...more } })
}

export function invalid(detail: string, advice: Advice = "See /api/openapi.json for the expected request."): Response {
  return problem({ status: 400, code: "invalid", detail, advice })
}

/** For an error that nobody expected: what the system reports is a failure, anything else is a defect. */
export function thrown(error: unknown): Response {
  const failure = failureOf(error)
  if (failure !== undefined) return refused(failure)
  const detail = `This is a bug in retcon: ${error instanceof Error ? error.message : String(error)}`
  return problem({ status: 500, code: "defect", detail, advice: "Try again, and report it if it happens again." })
}

export function json(value: unknown, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json" } })
}
