// Standard input: all of it, or one answer from a person.
import type { Readable } from "node:stream"
import type { Input, Output } from "../port/cli.ts"

type Stream = Readable & { isTTY?: boolean }

/** `open`: called when the stream is first used, because Node takes up to 3 ms to open one. */
export function inputOn(open: () => Stream, err: Output): Input {
  return {
    get isTerminal() {
      return open().isTTY === true && err.isTerminal
    },
    get isPiped() {
      return open().isTTY !== true
    },
    async readAll(limit) {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of open()) {
        const bytes = chunk as Buffer
        size += bytes.length
        if (size > limit) return undefined
        chunks.push(bytes)
      }
      return Buffer.concat(chunks)
    },
    async ask(question, signal) {
      const stream = open()
      await dropTyped(stream)
      err.write(question)
      const { createInterface } = await import("node:readline")
      const lines = createInterface({ input: stream })
      const withdraw = () => lines.close()
      signal?.addEventListener("abort", withdraw, { once: true })
      try {
        for await (const line of lines) return line
        return ""
      } finally {
        signal?.removeEventListener("abort", withdraw)
        lines.close()
      }
    },
  }
}

/** How long earlier typing takes to arrive. */
const TYPED_MS = 30

/** What was typed before a question was shown is not an answer to it. */
async function dropTyped(stream: Stream): Promise<void> {
  if (stream.isTTY !== true) return
  const drop = () => undefined
  stream.on("data", drop)
  // After an earlier question it is paused, and adding a listener alone does not resume it.
  stream.resume()
  await new Promise((settle) => setTimeout(settle, TYPED_MS))
  stream.off("data", drop)
  stream.pause()
}
