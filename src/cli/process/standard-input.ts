// Standard input: all of it, or one answer of a person.
import type { Readable } from "node:stream"
import type { Input, Output } from "../port/cli.ts"

export function inputOn(stream: Readable & { isTTY?: boolean }, err: Output): Input {
  return {
    isTerminal: stream.isTTY === true && err.isTerminal,
    isPiped: stream.isTTY !== true,
    async readAll(limit) {
      const chunks: Buffer[] = []
      let size = 0
      for await (const chunk of stream) {
        const bytes = chunk as Buffer
        size += bytes.length
        if (size > limit) return undefined
        chunks.push(bytes)
      }
      return Buffer.concat(chunks)
    },
    async ask(question, signal) {
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

/** How long what was typed before takes to arrive. */
const TYPED_MS = 30

/** What was typed before a question was shown is not an answer to it. */
async function dropTyped(stream: Readable & { isTTY?: boolean }): Promise<void> {
  if (stream.isTTY !== true) return
  const drop = () => undefined
  stream.on("data", drop)
  // After an earlier question it is paused, and a listener alone does not change that.
  stream.resume()
  await new Promise((settle) => setTimeout(settle, TYPED_MS))
  stream.off("data", drop)
  stream.pause()
}
