// A server over a real host in temporary folders, asked by calling `fetch`: no socket.
import { onTestFinished } from "vitest"
import { makeLibrary } from "../../src/app/library/library.ts"
import { isFolder } from "../../src/cli/serve/is-folder.ts"
import type { Status } from "../../src/protocol/shapes.ts"
import type { ServerOptions } from "../../src/server/api/server-deps.ts"
import { makeServer } from "../../src/server/server.ts"
import { testApp } from "../any-store.ts"
import { talk } from "../app/talk.ts"
import type { Script, ScriptedAnswer } from "../scripted-model.ts"
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
