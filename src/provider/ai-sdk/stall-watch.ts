// Watches one attempt: ends it if the person stops it, or if nothing has arrived for too long.
import type { Timing } from "../port/timing.ts"

export type Cut = "aborted" | "stalled"

export class Watch {
  /** Aborted when the attempt is over, for whatever reason. */
  readonly signal: AbortSignal
  /** Resolves when the attempt is cut short, and never otherwise. */
  readonly cut: Promise<Cut>
  readonly #controller = new AbortController()
  readonly #timing: Timing
  #last: number

  constructor(outer: AbortSignal, stallMs: number, timing: Timing) {
    this.signal = this.#controller.signal
    this.#timing = timing
    this.#last = timing.now()
    this.cut = new Promise((resolve) => {
      const stop = () => {
        resolve("aborted")
        this.end()
      }
      if (outer.aborted) stop()
      outer.addEventListener("abort", stop, { signal: this.signal })
      void this.#watchStall(stallMs, resolve)
    })
  }

  sawBytes(): void {
    this.#last = this.#timing.now()
  }

  end(): void {
    this.#controller.abort()
  }

  async #watchStall(stallMs: number, resolve: (cut: Cut) => void): Promise<void> {
    for (;;) {
      const idle = this.#timing.now() - this.#last
      if (idle >= stallMs) break
      await this.#timing.sleep(stallMs - idle, this.signal)
      if (this.signal.aborted) return
    }
    resolve("stalled")
    this.end()
  }
}
