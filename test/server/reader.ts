// A reader of server-sent events.
import { within } from "../within.ts"

export interface Received {
  id: string | undefined
  type: string
  data: { seq: number; turn: number; event: { type: string }; [more: string]: unknown }
}

export interface EventReader {
  /** All so far. */
  readonly events: Received[]
  /** Resolves with the first event that fits, also one that was there before; rejects when the stream ends without. */
  until(fits: (event: Received) => boolean): Promise<Received>
  /** Resolves when the stream has ended; "error" when it was cut off. */
  readonly ended: Promise<"end" | "error">
  leave(): Promise<void>
}

export function readEvents(response: Response): EventReader {
  const events: Received[] = []
  const waiting = new Set<() => void>()
  const reader = (response.body as ReadableStream<Uint8Array>).getReader()
  const decoder = new TextDecoder()
  let [rest, over] = ["", false]

  async function read(): Promise<"end" | "error"> {
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) return "end"
        const parts = (rest + decoder.decode(value, { stream: true })).split("\n\n")
        rest = parts.pop() ?? ""
        events.push(...parts.flatMap(parseEvent))
        for (const look of waiting) look()
      }
    } catch {
      return "error"
    } finally {
      over = true
      for (const look of waiting) look()
    }
  }

  return {
    events,
    ended: read(),
    until(fits) {
      return new Promise((settle, fail) => {
        const look = () => {
          const found = events.find(fits)
          if (found === undefined && !over) return
          waiting.delete(look)
          if (found === undefined) fail(new Error("the stream ended before that"))
          else settle(found)
        }
        waiting.add(look)
        look()
      })
    },
    leave: () => reader.cancel(),
  }
}

/** Reads pieces of a stream until their text has `wanted`. */
export async function readUntil(reader: ReadableStreamDefaultReader<Uint8Array>, wanted: string): Promise<string[]> {
  const pieces: string[] = []
  const decoder = new TextDecoder()
  while (!pieces.join("").includes(wanted)) {
    const { done, value } = await within(reader.read(), () => `no "${wanted}" in\n${pieces.join("")}`)
    if (done) throw new Error(`The stream ended without "${wanted}":\n${pieces.join("")}`)
    pieces.push(decoder.decode(value, { stream: true }))
  }
  return pieces
}

function parseEvent(text: string): Received[] {
  const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(text)?.[1]
  const [type, data] = [field("event"), field("data")]
  return type === undefined || data === undefined ? [] : [{ id: field("id"), type, data: JSON.parse(data) }]
}
