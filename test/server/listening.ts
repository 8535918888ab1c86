// The server of a test on a real socket, for what only a socket can carry.
import { connect } from "node:net"
import { onTestFinished } from "vitest"
import type { ServerOptions } from "../../src/server/api/server-deps.ts"
import { type ListenOptions, listen } from "../../src/server/node/listen.ts"
import { ORIGIN, serve } from "./test-server.ts"

export interface RawAnswer {
  status: number
  headers: string
  body: string
}

export async function listening(
  answers: Parameters<typeof serve>[0] = [],
  options: Partial<ServerOptions> = {},
  times: ListenOptions["times"] = {},
) {
  const allowed = { hosts: [new URL(ORIGIN).host], origins: [ORIGIN] }
  const at = serve(answers, { allowed, ...options })
  const socket = await listen(
    (port) => {
      allowed.hosts.push(`127.0.0.1:${port}`)
      return at.server
    },
    { address: "127.0.0.1", port: 0, times },
  )
  onTestFinished(() => socket.close())

  /** Sends exactly this, and resolves when the server has closed the connection. */
  function sends(text: string): Promise<RawAnswer> {
    return new Promise((settle, fail) => {
      const raw = connect(socket.port, "127.0.0.1", () => raw.write(text))
      onTestFinished(() => void raw.destroy())
      let got = ""
      raw.setEncoding("utf8").on("data", (more: string) => (got += more))
      raw.on("error", fail)
      raw.on("close", () => {
        const [headers = "", body = ""] = got.split("\r\n\r\n", 2)
        settle({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(headers)?.[1]), headers, body })
      })
    })
  }
  return { ...at, port: socket.port, sends, close: () => socket.close() }
}
