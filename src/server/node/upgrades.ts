// WebSockets on a Node server: the request to open one goes through the same checks as any other.
import type { Server as HttpServer, IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import type { Duplex } from "node:stream"
import { type WebSocket, WebSocketServer } from "ws"
import { type SpeakingSocket, type Upgrade, VOICE_PROTOCOL } from "../voice/voice-socket.ts"
import { notUnderstood, refuse } from "./not-understood.ts"

/** In bytes. A longer message cannot be audio: this is more than a second of it. */
const LONGEST_MESSAGE = 64 * 1024
/** In bytes. A page that is this far behind is gone, and audio is not kept for it. */
const MOST_WAITING = 4 * 1024 * 1024

/**
 * `accepted`: told of each socket that becomes a WebSocket. Returns how to cut off open sockets: the HTTP server no longer knows
 * them.
 */
export function takeUpgrades(
  socket: HttpServer,
  answer: (request: Request) => Promise<Upgrade>,
  accepted: (socket: Socket) => void,
): () => void {
  const sockets = new WebSocketServer({ noServer: true, maxPayload: LONGEST_MESSAGE, handleProtocols: chosen })
  socket.on("upgrade", (incoming: IncomingMessage, raw: Duplex, head: Buffer) => {
    raw.on("error", () => raw.destroy())
    const request = requestOf(incoming)
    if (request === undefined) return void refuse(raw, notUnderstood())
    void answer(request).then(
      async (upgrade) => {
        if (!upgrade.ok) return refuse(raw, upgrade.response)
        accepted(incoming.socket)
        return sockets.handleUpgrade(incoming, raw, head, (opened) => upgrade.take(speakingSocket(opened)))
      },
      () => raw.destroy(),
    )
  })
  return () => {
    for (const each of sockets.clients) each.terminate()
  }
}

function chosen(offered: Set<string>): string | false {
  return offered.has(VOICE_PROTOCOL) && VOICE_PROTOCOL
}

function speakingSocket(socket: WebSocket): SpeakingSocket {
  // From the start: a frame that breaks the protocol may arrive before anyone listens.
  socket.on("error", () => socket.terminate())
  return {
    send(data) {
      if (socket.readyState !== socket.OPEN) return
      if (socket.bufferedAmount > MOST_WAITING) socket.terminate()
      else socket.send(data)
    },
    close: () => socket.close(),
    on(heard, gone) {
      socket.on("message", (data, isBinary) => {
        if (isBinary && Buffer.isBuffer(data)) heard(data)
      })
      if (socket.readyState === socket.CLOSED) gone()
      else socket.once("close", gone)
    },
  }
}

/** The request without a body, because an upgrade has none. Undefined if its address is not a valid URL. */
function requestOf({ url = "/", headers }: IncomingMessage): Request | undefined {
  const base = `http://${headers.host ?? "nowhere"}`
  if (!url.startsWith("/") || !URL.canParse(url, base)) return undefined
  const given = new Headers()
  for (const [name, value] of Object.entries(headers)) if (value !== undefined) given.set(name, String(value))
  return new Request(new URL(url, base), { headers: given })
}
