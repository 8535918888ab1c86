// The server on a socket.
import { createServer, type Server as HttpServer, type IncomingMessage } from "node:http"
import { createServer as createSecureServer } from "node:https"
import type { AddressInfo, Server, Socket } from "node:net"
import type { Duplex } from "node:stream"
import { getRequestListener, RequestError } from "@hono/node-server"
import { type WebSocket, WebSocketServer } from "ws"
import { thrown } from "../answer/problem.ts"
import { guarded } from "../guard/security-headers.ts"
import { EVENT_STREAM } from "../live/broadcast.ts"
import { type SpeakingSocket, type Upgrade, VOICE_PROTOCOL } from "../voice/voice-socket.ts"
import { notUnderstood, refuse } from "./not-understood.ts"

export interface ListenOptions {
  address: string
  /** 0: any free port. */
  port: number
  tls?: { cert: string; key: string }
  /** Instead of those of TIMES. */
  times?: Partial<Record<"headersTimeout" | "connectionsCheckingInterval", number>>
}

export interface Listening {
  port: number
  /** Accepts no more connections, closes idle ones, and gives the others a moment to end. */
  close(): Promise<void>
}

interface Answering {
  fetch(request: Request): Promise<Response>
  upgrade(request: Request): Promise<Upgrade>
}

/** How long a client may take: for the headers, for the whole request, and until the next one. */
const TIMES = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 65_000,
  // How often Node looks for those who took too long: by default every 30 s, which makes 10 s up to 40.
  connectionsCheckingInterval: 1_000,
  maxHeaderSize: 16 * 1024,
  // The server itself refuses a request without it, with a problem.
  requireHostHeader: false,
} as const
const GRACE = 2_000

/** `make`: makes the server once its port is known. Rejects with the system's error if the port is not available. */
export async function listen(make: (port: number) => Answering, options: ListenOptions): Promise<Listening> {
  let server: Answering | undefined
  const { tls } = options
  const fetch = async (request: Request) => server?.fetch(request) ?? tooEarly()
  const answer = getRequestListener(
    async (request, { incoming, outgoing }) => {
      const response = await fetch(request)
      // Below /api nothing is answered without the token.
      if (response.ok && new URL(request.url).pathname.startsWith("/api/")) vouchFor(incoming.socket)
      return cutQuietly(response, outgoing)
    },
    {
      overrideGlobalObjects: false,
      hostname: options.address,
      errorHandler: (error) => (error instanceof RequestError ? notUnderstood() : guarded(thrown(error))),
    },
  )
  const times = { ...TIMES, ...options.times }
  const socket = tls === undefined ? createServer(times) : createSecureServer({ ...times, ...tls })
  const vouchFor = makeRoom(socket)
  socket.on("request", (incoming, outgoing) => void answer(incoming, outgoing))
  socket.on("clientError", (error: NodeJS.ErrnoException, raw: Socket) => {
    // Bytes that were already written may be part of another response.
    if (raw.writable && raw.bytesWritten === 0) void refuse(raw, notUnderstood(error.code))
    else raw.destroy()
  })
  const cutUpgraded = takeUpgrades(
    socket,
    async (request) => server?.upgrade(request) ?? { ok: false, response: tooEarly() },
    vouchFor,
  )
  await new Promise<void>((settle, fail) => {
    socket.once("error", fail)
    socket.listen(options.port, options.address, () => {
      socket.off("error", fail)
      settle()
    })
  })
  const { port } = socket.address() as AddressInfo
  server = make(port)
  return {
    port,
    async close() {
      const closed = new Promise<void>((settle) => socket.close(() => settle()))
      socket.closeIdleConnections()
      const rest = setTimeout(() => {
        socket.closeAllConnections()
        cutUpgraded()
      }, GRACE)
      await closed
      clearTimeout(rest)
    },
  }
}

function tooEarly(): Response {
  return new Response(null, { status: 503 })
}

/**
 * Cuts the connection of a stream that the server gives up, such as that of a slow reader. The adapter would print the
 * error, and write it into the stream.
 */
function cutQuietly(response: Response, outgoing: { destroy(): unknown }): Response {
  if (response.body === null || response.headers.get("content-type") !== EVENT_STREAM["content-type"]) return response
  const reader = response.body.getReader()
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const { done, value } = await reader.read()
          if (done) controller.close()
          else controller.enqueue(value)
        } catch {
          outgoing.destroy()
          controller.close()
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    // Nothing is read ahead: the sender counts what waits.
    { highWaterMark: 0 },
  )
  return new Response(body, response)
}

/** The most connections on which no request with the token was answered. */
const MOST_STRANGERS = 256
const MOST_CONNECTIONS = 1024

/**
 * Keeps connections that nobody has vouched for from taking the place of the owner's. When there are too many
 * strangers, the oldest has to go: whoever opens connections and says nothing keeps nobody else out. Returns how to
 * vouch for a connection.
 */
function makeRoom(server: Server): (socket: Socket) => void {
  const strangers = new Map<string, Socket>()
  server.maxConnections = MOST_CONNECTIONS
  server.on("connection", (socket: Socket) => {
    const name = nameOf(socket)
    strangers.set(name, socket)
    socket.once("close", () => {
      if (strangers.get(name) === socket) strangers.delete(name)
    })
    if (strangers.size <= MOST_STRANGERS) return
    const [oldest] = strangers.values()
    oldest?.destroy()
  })
  return (socket) => strangers.delete(nameOf(socket))
}

/** With TLS, the socket of a request is not the one that was accepted; the other end is the same. */
function nameOf({ remoteAddress = "", remotePort = 0 }: Socket): string {
  return `${remoteAddress} ${remotePort}`
}

/** In bytes. A longer message cannot be audio: this is more than a second of it. */
const LONGEST_MESSAGE = 64 * 1024
/** In bytes. A page that is this far behind is gone, and audio is not kept for it. */
const MOST_WAITING = 4 * 1024 * 1024

/**
 * WebSockets on a Node server: the request to open one goes through the same checks as any other. `accepted`: told of
 * each socket that becomes a WebSocket. Returns how to cut off open sockets: the HTTP server no longer knows them.
 */
function takeUpgrades(
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
