// A message about a failure: what happened and what to do, whatever kind of error it is.
import { ApiError } from "../../src/client/api.ts"
import type { Failure } from "../../src/model/failure/failure.ts"
import { RetconError } from "../../src/model/failure/retcon-error.ts"
import { failureWords } from "./failure-words.ts"
import type { Toast } from "./toasts.svelte.ts"

export function problemToast(error: unknown): Omit<Toast, "id"> {
  if (error instanceof RetconError) return failureToast(error.failure)
  if (error instanceof ApiError)
    return { kind: "problem", text: error.message, ...(error.hint === "" ? {} : { detail: error.hint }) }
  return { kind: "problem", text: error instanceof Error ? error.message : String(error) }
}

export function failureToast(failure: Failure): Omit<Toast, "id"> {
  const { message, hint } = failureWords(failure)
  return { kind: "problem", text: message, ...(hint === "" ? {} : { detail: hint }) }
}
