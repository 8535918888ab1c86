// The server on a socket.
import { createServer } from "node:http"
import { createServer as createSecureServer } from "node:https"
import type { AddressInfo, Socket } from "node:net"
import { getRequestListener, RequestError } from "@hono/node-server"
import { thrown } from "../answer/problem.ts"
import { guarded } from "../guard/security-headers.ts"
import type { Upgrade } from "../voice/voice-socket.ts"
import { cutQuietly } from "./cut-quietly.ts"
import { makeRoom } from "./make-room.ts"
import { notUnderstood, refuse } from "./not-understood.ts"
import { takeUpgrades } from "./upgrades.ts"

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
