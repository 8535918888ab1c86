// Server-sent events over fetch: EventSource cannot send the token as a header.
import { type Json, parseJson } from "../model/json.ts"

export interface StreamEvent {
  id: string | undefined
  type: string
  data: Json
}

/** Contract: ends with the stream or when `signal` aborts; throws whatever reading throws. */
export async function* readEvents(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<StreamEvent> {
  const reader = body.getReader()
  const cancel = () => void reader.cancel().catch(() => undefined)
  signal.addEventListener("abort", cancel, { once: true })
  const decoder = new TextDecoder()
  let rest = ""
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      const blocks = (rest + decoder.decode(read.value, { stream: true })).split("\n\n")
      rest = blocks.pop() ?? ""
      for (const block of blocks) {
        const event = parseBlock(block)
        if (event !== undefined) yield event
      }
    }
  } finally {
    signal.removeEventListener("abort", cancel)
    cancel()
    reader.releaseLock()
  }
}

function parseBlock(block: string): StreamEvent | undefined {
  const fields = new Map<string, string>()
  for (const line of block.split("\n")) {
    const [, name = "", value = ""] = /^(\w*): ?(.*)$/.exec(line) ?? []
    if (name !== "") fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value)
  }
  const data = fields.get("data")
  if (data === undefined) return undefined
  const parsed = parseJson(data)
  return parsed.ok ? { id: fields.get("id"), type: fields.get("event") ?? "message", data: parsed.value } : undefined
}
