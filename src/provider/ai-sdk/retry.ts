// When to try again.
import { isObject } from "../../model/json.ts"
import type { Timing } from "../port/timing.ts"
import type { Failed } from "./provider-error.ts"

export interface RetryPolicy {
  /** How many times a step is retried. */
  retries: number
  firstWaitMs: number
  longestWaitMs: number
  /** If a provider asks for a longer wait than this, we do not wait. */
  longestAskedMs: number
}

export const RETRY_POLICY: RetryPolicy = {
  retries: 5,
  firstWaitMs: 1_000,
  longestWaitMs: 30_000,
  longestAskedMs: 300_000,
}

/** How long to wait before the next attempt; undefined: do not retry. `attempt` counts from 1. */
export function waitBefore(failed: Failed, attempt: number, policy: RetryPolicy, timing: Timing): number | undefined {
  if (!failed.again || attempt > policy.retries) return undefined
  const asked = askedWait(failed, timing.now())
  if (asked !== undefined) return asked <= policy.longestAskedMs ? asked : undefined
  const longest = Math.min(policy.longestWaitMs, policy.firstWaitMs * 2 ** (attempt - 1))
  return Math.round(longest * (0.5 + timing.random() / 2))
}

/** `retry-after-ms`, `retry-after` in seconds or as a date, or Gemini's `retryDelay`. */
export function askedWait({ headers, detail }: Failed, now: number): number | undefined {
  const inMs = Number.parseFloat(headers["retry-after-ms"] ?? "")
  if (inMs >= 0) return Math.ceil(inMs)
  const after = headers["retry-after"]
  if (after !== undefined) {
    const seconds = Number(after)
    if (seconds >= 0) return Math.ceil(seconds * 1_000)
    const date = Date.parse(after)
    if (!Number.isNaN(date)) return Math.max(0, date - now)
  }
  const details = Array.isArray(detail.details) ? detail.details : []
  for (const item of details) {
    const delay =
      isObject(item) && typeof item.retryDelay === "string" ? Number.parseFloat(item.retryDelay) : Number.NaN
    if (delay >= 0) return Math.ceil(delay * 1_000)
  }
  return undefined
}
