// The state of a connection to a live model: the client library waits forever for one that fails, or ends, before it is open.
import type { LiveEvents } from "./live-model.ts"

export interface LiveLine<Session extends { close(): void }> {
  failed(message: string | undefined): void
  closed(reason: string | undefined): void
  /** Contract: rejects with the reason if the connection fails, ends or is not open in time; `told.closed` is not called then. */
  open(connecting: Promise<Session>, patience: number): Promise<Session>
  /** What ends it from now on is our doing. */
  closing(): void
}

/** `clean`: removes from the service's words what nobody may see. */
export function liveLine<Session extends { close(): void }>(
  told: Pick<LiveEvents, "closed">,
  clean: (words: string) => string,
): LiveLine<Session> {
  let state: "opening" | "open" | "closing" | "over" = "opening"
  let problem = ""
  let fail: (error: Error) => void = () => undefined
  const failure = new Promise<never>((_, reject) => (fail = reject))
  failure.catch(() => undefined)
  const words = (said = "") => clean(said.trim() || problem).trim()

  function giveUp(because: string): void {
    state = "over"
    fail(new Error(because))
  }

  return {
    failed(message = "") {
      problem = message
    },
    closed(reason) {
      const said = words(reason)
      if (state === "opening") giveUp(said || "it closed the connection.")
      else if (state === "closing") told.closed(undefined)
      else if (state === "open") told.closed(`The voice model closed the connection${said === "" ? "." : `: ${said}`}`)
      state = "over"
    },
    async open(connecting, patience) {
      const late = setTimeout(() => giveUp(`it did not answer within ${Math.ceil(patience / 1000)} s.`), patience)
      connecting.then(
        (session) => state === "over" && session.close(),
        (error: unknown) => giveUp(words(error instanceof Error ? error.message : String(error))),
      )
      const session = await Promise.race([connecting, failure]).finally(() => clearTimeout(late))
      state = "open"
      return session
    },
    closing() {
      if (state === "open") state = "closing"
    },
  }
}
