// Watches one attempt: ends it if the person stops it, or if nothing has arrived for too long.
import type { Timing } from "../port/timing.ts"

export type Cut = "aborted" | "stalled"

export class Watch {
  /** Aborted when the attempt is over, for whatever reason. */
  readonly signal: AbortSignal
  /** Resolves when the attempt is cut short, and never otherwise. */
  readonly cut: Promise<Cut>
  readonly #controller = new AbortController()
  readonly #wait: (signal: AbortSignal) => Promise<void>
  #resolve: (cut: Cut) => void = () => {}
  /** Ends the wait that began with the last byte. */
  #silence = new AbortController()

  constructor(outer: AbortSignal, stallMs: number, timing: Pick<Timing, "sleep">) {
    this.signal = this.#controller.signal
    this.#wait = (signal) => timing.sleep(stallMs, signal)
    this.cut = new Promise((resolve) => {
      this.#resolve = resolve
    })
    const stop = () => this.#end("aborted")
    if (outer.aborted) stop()
    outer.addEventListener("abort", stop, { signal: this.signal })
    this.sawBytes()
  }

  /** Begins to wait anew. There is no clock to compare with, because somebody may set it meanwhile. */
  sawBytes(): void {
    this.#silence.abort()
    if (this.signal.aborted) return
    this.#silence = new AbortController()
    const { signal } = this.#silence
    void this.#wait(signal).then(() => {
      if (!signal.aborted) this.#end("stalled")
    })
  }

  end(): void {
    this.#silence.abort()
    this.#controller.abort()
  }

  #end(cut: Cut): void {
    this.#resolve(cut)
    this.end()
  }
}
