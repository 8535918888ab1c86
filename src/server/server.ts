// The server as one function: a request in, a response out. No socket is needed to use it, or to test it.
import { promisify } from "node:util"
import { gzip } from "node:zlib"
import { Hono } from "hono"
import type { Json } from "../model/json.ts"
import type { Host } from "../protocol/host.ts"
import type { Library } from "../protocol/library.ts"
import { issueText } from "./answer/issue-words.ts"
import { invalid, problem, thrown } from "./answer/problem.ts"
import { openApi } from "./api/document.ts"
import type { ApiRoute } from "./api/route.ts"
import type { ServerDeps, ServerOptions } from "./api/server-deps.ts"
import { BODY_LIMITS, readBody } from "./guard/body.ts"
import { BROWSER_PATH, browserGuard } from "./guard/browsers.ts"
import { checkHost, checkOrigin } from "./guard/request-origin.ts"
import { guarded } from "./guard/security-headers.ts"
import { bearer, tokenGuard } from "./guard/token.ts"
import { Broadcast } from "./live/broadcast.ts"
import { makeHubs } from "./live/hubs.ts"
import { pageAnswer } from "./page/page.ts"
import { ROUTES } from "./routes/all-routes.ts"
import { protocolToken, type Upgrade, VOICE_PATH, voiceUpgrade } from "./voice/voice-socket.ts"

export interface Server {
  fetch(request: Request): Promise<Response>
  /** Answers a request to open the one WebSocket there is, for voice. */
  upgrade(request: Request): Promise<Upgrade>
  /** Stops and settles whatever runs, then ends every stream with an event that says so. Idempotent. */
  close(): Promise<void>
}

const BEAT = 15_000
/** `issueText` requires it. */
const REPORT = { reportInput: true } as const

/** `library`. Contract: other requests are answered while it works. */
export function makeServer(host: Host, library: Library, options: ServerOptions): Server {
  const list = listStream(host, options.newName)
  const stopping = new AbortController()
  let document: Json | undefined
  const parts: ServerDeps = {
    host,
    library,
    hubs: makeHubs(host, options.newName, options.failed ?? (() => undefined)),
    list,
    options,
    stopping: stopping.signal,
    document: () => (document ??= openApi(ROUTES, options.version)),
  }
  const token = tokenGuard(options.token, options.now)
  const browsers =
    options.browsers && browserGuard(options.browsers, { token: options.token, origins: options.allowed.origins })
  const app = new Hono()
  for (const route of ROUTES) {
    app.on(route.method.toUpperCase(), [pathOf(route)], (context) =>
      answer(route, context.req.raw, context.req.param() as Record<string, string>, parts),
    )
  }
  for (const [path, methods] of methodsByPath(ROUTES)) app.all(path, () => otherMethod(methods))
  app.get(VOICE_PATH, () => onlyUpgrade())
  app.all(VOICE_PATH, () => otherMethod(["GET"]))
  app.notFound(() => noSuch())

  const beat = setInterval(() => {
    list.beat()
    for (const { stream } of parts.hubs.open()) stream.beat()
  }, options.limits?.beat ?? BEAT)
  beat.unref()
  let closing: Promise<void> | undefined

  async function page(request: Request): Promise<Response> {
    if (request.method === "GET") return pageAnswer(request, options.page)
    if (request.method !== "HEAD") return otherMethod(["GET"])
    return new Response(null, await pageAnswer(request, options.page))
  }

  async function allowed(request: Request): Promise<Response> {
    const wrongHost = checkHost(request, options.allowed)
    if (wrongHost !== undefined) return wrongHost
    if (request.headers.has("upgrade")) return noUpgrade()
    // The router decodes addresses: what is not checked here, such as /%61pi/sessions, must never reach it.
    if (!/^\/api(?:\/|$)/.test(new URL(request.url).pathname)) return page(request)
    const { pathname } = new URL(request.url)
    const early = checkOrigin(request, options.allowed) ?? (await browsers?.answer(request, pathname))
    if (early !== undefined) return early
    const wrong = await token.check(bearer(request.headers.get("authorization")))
    if (wrong !== undefined) return wrong
    if (closing !== undefined) return goneSoon()
    if (browsers !== undefined && request.method === "POST" && pathname === BROWSER_PATH)
      return browsers.remember(request)
    return app.fetch(request)
  }

  async function upgrade(request: Request): Promise<Upgrade> {
    const wrong =
      checkHost(request, options.allowed) ??
      checkOrigin(request, options.allowed) ??
      (new URL(request.url).pathname === VOICE_PATH ? undefined : noUpgrade()) ??
      (await token.check(protocolToken(request))) ??
      (closing === undefined ? undefined : goneSoon())
    return wrong === undefined ? voiceUpgrade(request, parts) : { ok: false, response: guarded(wrong) }
  }

  return {
    fetch: async (request) => guarded(await compressed(request, await allowed(request))),
    upgrade,
    close() {
      closing ??= (async () => {
        clearInterval(beat)
        stopping.abort()
        const open = parts.hubs.open()
        await parts.hubs.close()
        for (const { stream } of open) stream.close("host-closing", {})
        list.close("host-closing", {})
      })()
      return closing
    },
  }
}

/** Checks the request, runs the endpoint, and turns failures into problems. */
async function answer(
  route: ApiRoute,
  request: Request,
  params: Record<string, string>,
  at: ServerDeps,
): Promise<Response> {
  const query = route.query?.safeParse(Object.fromEntries(new URL(request.url).searchParams), REPORT)
  if (query?.success === false) return invalid(issueText(query.error.issues))
  let body: unknown
  if (route.method === "post") {
    const read = await readBody(request, at.options.limits?.body ?? BODY_LIMITS)
    if (!read.ok) return read.response
    const parsed = route.body?.safeParse(read.value, REPORT)
    if (parsed?.success === false) return invalid(issueText(parsed.error.issues))
    body = parsed?.data
  }
  try {
    const response = await route.run({ request, params, query: query?.data, body, at })
    // Nobody reads the body of a response to HEAD: a stream would keep its reader forever.
    if (request.method === "HEAD") await response.body?.cancel()
    return response
  } catch (error) {
    return at.stopping.aborted ? goneSoon() : thrown(error)
  }
}

function pathOf({ path }: ApiRoute): string {
  return `/api${path.replaceAll(/\{(\w+)\}/g, ":$1")}`
}

function methodsByPath(routes: readonly ApiRoute[]): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const route of routes)
    found.set(pathOf(route), [...(found.get(pathOf(route)) ?? []), route.method.toUpperCase()])
  return found
}

function otherMethod(methods: readonly string[]): Response {
  const allow = methods.flatMap((method) => (method === "GET" ? ["GET", "HEAD"] : [method])).join(", ")
  const detail = "This address does not support that method."
  return problem({ status: 405, code: "wrong-method", detail, advice: `Use: ${allow}` }, { allow })
}

function noSuch(): Response {
  const detail = "There is nothing at this address."
  return problem({ status: 404, code: "no-such-endpoint", detail, advice: "See /api/openapi.json for the endpoints." })
}

function noUpgrade(): Response {
  const detail = "This address does not accept WebSockets or other upgrades."
  const advice = "Send a plain HTTP request; events come as text/event-stream."
  return problem({ status: 426, code: "no-upgrade", detail, advice }, { connection: "close" })
}

function onlyUpgrade(): Response {
  const detail = "This address accepts only WebSocket connections."
  const advice =
    "Open a WebSocket with the protocols retcon.voice and token.TOKEN, or send the recognised text to …/voice."
  return problem({ status: 426, code: "no-upgrade", detail, advice }, { upgrade: "websocket" })
}

function goneSoon(): Response {
  const detail = "The server is stopping."
  return problem({ status: 503, code: "closing", detail, advice: "Start it again with: retcon serve" })
}

/** A smaller answer fits into one packet as it is. */
const WORTHWHILE = 1400
const TEXT = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?json|image\/svg)/
const pack = promisify(gzip)

/** Compresses answers that are text, for clients that accept it. Event streams and pictures go as they are. */
async function compressed(request: Request, response: Response): Promise<Response> {
  const { body, headers, status } = response
  if (body === null || headers.has("content-encoding") || !TEXT.test(headers.get("content-type") ?? "")) return response
  const bytes = new Uint8Array(await response.arrayBuffer())
  // A cache must not give it to a client that asked for the other form.
  headers.set("vary", "accept-encoding")
  if (bytes.length < WORTHWHILE || !accepts(request)) return new Response(bytes, { status, headers })
  headers.set("content-encoding", "gzip")
  headers.delete("content-length")
  return new Response(await pack(bytes), { status, headers })
}

function accepts(request: Request): boolean {
  const offers = (request.headers.get("accept-encoding") ?? "").split(",")
  return offers.some((offer) => /^\s*(?:x-)?gzip\s*(?:;\s*q=(?:1(?:\.0*)?|0\.\d*[1-9]\d*)\s*)?$/i.test(offer))
}

/** The stream of changes to the list of sessions. The host watches for them only while someone reads it. */
function listStream(host: Host, newName: () => string): Broadcast {
  let forget: (() => void) | undefined
  let seq = 0
  const stream: Broadcast = new Broadcast({
    generation: newName(),
    snapshot: () => ({ type: "reset", data: {} }),
    changed(readers) {
      if (readers > 0) {
        forget ??= host.on((event) => {
          if (event.type !== "host-closing") stream.publish(++seq, event.type, event)
        })
        return
      }
      forget?.()
      forget = undefined
      // From now on nobody learns of changes, so readers that come back must start over.
      stream.startOver(newName())
    },
  })
  return stream
}
