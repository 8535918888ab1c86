// A client of a server without a socket between them, whose line can be cut.
import { onTestFinished } from "vitest"
import { connect, type RemoteHost } from "../../src/client/connect.ts"
import { ORIGIN, serve, TOKEN } from "../server/test-server.ts"
import type { Script, ScriptedAnswer } from "../test-host.ts"

type Changes = Parameters<typeof serve>[2]

export interface Line {
  /** No request gets an answer, and open streams break. */
  cut(): void
  mend(): void
  /** Requests get answers, but no event arrives until the result is called. */
  hold(): () => void
}

export function connected(answers: ScriptedAnswer[] | Script = [], changes: Changes = {}) {
  const at = serve(answers, {}, changes)
  function another(): RemoteHost & Line {
    const line = { cut: new AbortController(), held: Promise.resolve() }
    const client = connect({
      url: ORIGIN,
      token: TOKEN,
      wait: () => new Promise((settle) => setTimeout(settle, 5)),
      async fetch(input, init) {
        if (line.cut.signal.aborted) throw new TypeError("fetch failed")
        const response = await at.server.fetch(new Request(input, init))
        const { signal } = line.cut
        if (response.body === null || !response.headers.get("content-type")?.includes("event-stream")) return response
        return new Response(
          breaking(response.body, signal, () => line.held),
          { status: response.status, headers: response.headers },
        )
      },
    })
    onTestFinished(() => client.close())
    const own: Line = {
      cut: () => line.cut.abort(),
      mend() {
        line.cut = new AbortController()
      },
      hold() {
        let release = () => {}
        line.held = new Promise((settle) => (release = settle))
        return release
      },
    }
    return Object.assign(client, own)
  }

  return { ...at, client: another(), another }
}

function breaking(
  body: ReadableStream<Uint8Array>,
  signal: AbortSignal,
  held: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const reader = body.getReader()
  return new ReadableStream<Uint8Array>({
    start(controller) {
      signal.addEventListener("abort", () => {
        controller.error(new TypeError("network error"))
        void reader.cancel()
      })
    },
    async pull(controller) {
      const { done, value } = await reader.read()
      await held()
      if (signal.aborted) return
      if (done) controller.close()
      else controller.enqueue(value)
    },
    cancel: () => reader.cancel(),
  })
}
