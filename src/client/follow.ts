// A stream of events that reconnects and resumes where it broke off, for as long as anyone wants it.
import { type Api, ApiError } from "./api.ts"
import { readEvents, type StreamEvent } from "./event-stream.ts"

/** `locked`: the server rejects the token, because it was restarted. */
export type ConnectionState = "online" | "reconnecting" | "gone" | "locked"

const FIRST_WAIT = 300
const LONGEST_WAIT = 5000
/** After this many attempts without an answer, the server counts as gone rather than slow. */
const GONE_AFTER = 4

export interface ServerConnection {
  api: Api
  /** Reports the state of the whole connection. Any stream may call it. */
  state: (state: ConnectionState) => void
  /** Resolves after that time or when `signal` aborts. */
  wait: (ms: number, signal: AbortSignal) => Promise<void>
  /** No stream is open during a pause. */
  readonly pauses: Pauses
}

/** Contract: `take` gets each event once, one after the other, and must not throw. Returns how to stop. */
export function follow(
  { api, state, wait, pauses }: ServerConnection,
  path: string,
  last: string | undefined,
  take: (event: StreamEvent) => Promise<void>,
): () => void {
  const ended = new AbortController()
  let known = last

  async function read(): Promise<void> {
    const signal = AbortSignal.any([ended.signal, pauses.signal])
    const headers = known === undefined ? {} : { "last-event-id": known }
    const response = await api.fetch(path, { headers, signal })
    state("online")
    if (response.body === null) return
    for await (const event of readEvents(response.body, signal)) {
      if (signal.aborted) return
      known = event.id ?? known
      await take(event)
    }
  }

  async function run(): Promise<void> {
    for (let failures = 0; !ended.signal.aborted; ) {
      await pauses.over(ended.signal)
      if (ended.signal.aborted) return
      const { signal: paused } = pauses
      try {
        await read()
        failures = 0
      } catch (error) {
        if (ended.signal.aborted) return
        if (paused.aborted) continue
        if (error instanceof ApiError && error.status === 401) return state("locked")
        // The session is gone; the list reports that.
        if (error instanceof ApiError && error.status === 404) return
        failures++
      }
      if (ended.signal.aborted || paused.aborted) continue
      if (failures > 0) state(failures >= GONE_AFTER ? "gone" : "reconnecting")
      await wait(Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures), AbortSignal.any([ended.signal, paused]))
    }
  }
  void run()
  return () => ended.abort()
}

/** Whether streams should be open now. */
export class Pauses {
  #controller = new AbortController()
  #resumed: Promise<void> = Promise.resolve()
  #resume: () => void = () => undefined

  /** Aborts when the next pause begins. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  pause(): void {
    if (this.signal.aborted) return
    this.#resumed = new Promise((settle) => (this.#resume = settle))
    this.#controller.abort()
  }

  resume(): void {
    if (!this.signal.aborted) return
    this.#controller = new AbortController()
    this.#resume()
  }

  /** Resolves when no pause is on, or when `signal` aborts. */
  async over(signal: AbortSignal): Promise<void> {
    if (!this.signal.aborted || signal.aborted) return
    await Promise.race([
      this.#resumed,
      new Promise<void>((settle) => signal.addEventListener("abort", () => settle(), { once: true })),
    ])
  }
}

export function timerWait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((done) => {
    if (signal.aborted) return done()
    const timer = setTimeout(done, ms)
    const stop = () => {
      clearTimeout(timer)
      done()
    }
    signal.addEventListener("abort", stop, { once: true })
  })
}
