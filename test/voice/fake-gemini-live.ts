// Gemini Live's WebSocket on loopback: notes what it is sent, and sends what a test tells it to.
import { once } from "node:events"
import type { AddressInfo } from "node:net"
import { onTestFinished } from "vitest"
import { type WebSocket, WebSocketServer } from "ws"
import type { Json, JsonObject } from "../../src/model/json.ts"

export interface FakeGeminiLive {
  url: string
  /** What came in so far, the setup first. */
  received: JsonObject[]
  /** The address each connection asked for: the key is in it. */
  asked: string[]
  /** Resolves with the first message, now or later, that has `key`. */
  receives(key: string): Promise<Json>
  send(message: JsonObject): void
  hearsAndCalls(said: string, name: string, args?: JsonObject): void
  end(reason: string): void
}

/** `setup`: what it does when it is asked to begin. */
export async function fakeGeminiLive(setup: "answers" | "hangs" | "refuses" = "answers"): Promise<FakeGeminiLive> {
  const server = new WebSocketServer({ host: "127.0.0.1", port: 0 })
  await once(server, "listening")
  const received: JsonObject[] = []
  const asked: string[] = []
  const waiting = new Set<() => void>()
  let socket: WebSocket | undefined
  let calls = 0
  server.on("connection", (connected, request) => {
    socket = connected
    asked.push(request.url ?? "")
    connected.on("message", (data: Buffer) => {
      const message = JSON.parse(data.toString()) as JsonObject
      received.push(message)
      if ("setup" in message && setup === "answers") send({ setupComplete: {} })
      if ("setup" in message && setup === "refuses") connected.close(1007, "API key SECRET-KEY not valid.")
      for (const look of waiting) look()
    })
  })
  onTestFinished(() => {
    for (const client of server.clients) client.terminate()
    server.close()
  })
  const send = (message: JsonObject) => socket?.send(JSON.stringify(message))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    asked,
    receives: (key) =>
      new Promise((resolve) => {
        const look = () => {
          const index = received.findIndex((message) => key in message)
          if (index < 0) return
          waiting.delete(look)
          resolve(received.splice(index, 1)[0]?.[key] ?? null)
        }
        waiting.add(look)
        look()
      }),
    send,
    hearsAndCalls(said, name, args = {}) {
      calls++
      send({ serverContent: { inputTranscription: { text: said } } })
      send({ toolCall: { functionCalls: [{ id: `call-${calls}`, name, args }] } })
    },
    end: (reason) => socket?.close(1011, reason),
  }
}
