// Clock and randomness, passed in.

export interface Timing {
  /** Milliseconds since 1970. */
  now(): number
  /** From 0 up to but not including 1. */
  random(): number
  /** Contract: resolves after `ms`, or at once if the signal is aborted. Never rejects. */
  sleep(ms: number, signal: AbortSignal): Promise<void>
}

/** A `sleep` that uses the machine's timer. */
export function timerSleep(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer)
      signal.removeEventListener("abort", end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    if (signal.aborted) end()
    else signal.addEventListener("abort", end)
  })
}
