// A server over a real host in temporary folders, asked by calling `fetch`: no socket.
import { connect } from "node:net"
import { onTestFinished } from "vitest"
import { makeLibrary } from "../../src/app/library/library.ts"
import { isFolder } from "../../src/cli/serve/is-folder.ts"
import type { Status } from "../../src/protocol/shapes.ts"
import type { ServerOptions } from "../../src/server/api/server-deps.ts"
import { type ListenOptions, listen } from "../../src/server/node/listen.ts"
import { makeServer } from "../../src/server/server.ts"
import { testApp } from "../any-store.ts"
import { talk } from "../app/talk.ts"
import type { Script, ScriptedAnswer } from "../test-host.ts"
import { expectAsDescribed } from "./as-described.ts"

export const TOKEN = "a-token-of-the-test"
export const ORIGIN = "http://127.0.0.1:4180"

/** What tests look at in the answers of various endpoints, where it is there. */
export interface Seen {
  code: string
  advice: unknown[]
  id: string
  entry: string
  head: string
  next: string | null
  before: string | null
  messages: { content: { text: string }[] }[]
  sessions: unknown[]
  status: Status
  generation: string
  seq: number
  size: number
}

export interface Answered<Body> {
  status: number
  body: Body
  headers: Headers
}

/** `answers`: what the model says, one after the other. */
export function serve(
  answers: ScriptedAnswer[] | Script = [],
  options: Partial<ServerOptions> = {},
  changes: Parameters<typeof talk>[1] = {},
) {
  const at = talk(answers, changes)
  let names = 0
  const server = makeServer(at.host, makeLibrary(testApp(at.home, at.root)), {
    token: TOKEN,
    version: "0",
    allowed: { hosts: ["127.0.0.1:4180"], origins: [ORIGIN] },
    now: () => Date.now(),
    newName: () => `g${++names}`,
    isFolder,
    ...options,
  })
  onTestFinished(() => server.close())

  function request(method: string, path: string, body?: unknown, headers: Record<string, string> = {}): Request {
    return new Request(`${ORIGIN}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${TOKEN}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    })
  }

  async function ask<Body>(method: string, path: string, body?: unknown): Promise<Answered<Body>> {
    const response = await server.fetch(request(method, path, body))
    const { status, headers } = response
    const answered = (await response.json()) as Body
    expectAsDescribed(method, path, { status, type: headers.get("content-type"), body: answered })
    return { status, body: answered, headers }
  }

  return {
    ...at,
    server,
    request,
    get: <Body = Seen>(path: string) => ask<Body>("GET", path),
    post: <Body = Seen>(path: string, body?: unknown) => ask<Body>("POST", path, body),
    /** The path of a new session. */
    newSession: async (): Promise<string> => {
      const { body } = await ask<{ id: string }>("POST", "/api/sessions", { cwd: at.root })
      return `/api/sessions/${body.id}`
    },
  }
}

interface RawAnswer {
  status: number
  headers: string
  body: string
}

/** The server of a test on a real socket, for what only a socket can carry. */
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
