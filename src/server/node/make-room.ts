// Keeps connections that nobody has vouched for from taking the place of the owner's.
import type { Server, Socket } from "node:net"

/** The most connections on which no request with the token was answered. */
const MOST_STRANGERS = 256
const MOST_CONNECTIONS = 1024

/**
 * When there are too many strangers, the oldest has to go: whoever opens connections and says nothing keeps nobody else out.
 * Returns how to vouch for a connection.
 */
export function makeRoom(server: Server): (socket: Socket) => void {
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
