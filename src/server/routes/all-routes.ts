// Every endpoint.
import { z } from "zod"
import { json } from "../answer/problem.ts"
import { type ApiRoute, route } from "../api/route.ts"
import { limit, open } from "../api/schemas.ts"
import { EVENT_STREAM } from "../live/broadcast.ts"
import { CONVERSE_ROUTES } from "./converse.ts"
import { FILE_ROUTES } from "./files.ts"
import { INSPECT_ROUTES } from "./inspect.ts"
import { MESSAGE_ROUTES } from "./messages.ts"
import { MIRROR_ROUTES } from "./mirror.ts"
import { OPERATION_ROUTES } from "./operations.ts"
import { SESSION_ROUTES } from "./sessions.ts"
import { VOICE_ROUTES } from "./voice.ts"

const getDocument = route(
  {
    method: "get",
    path: "/openapi.json",
    name: "getDocument",
    summary: "This API as an OpenAPI 3.1 document",
    answers: { 200: { about: "The document.", schema: z.looseObject({}) } },
  },
  async ({ at }) => json(at.document()),
)

const getListEvents = route(
  {
    method: "get",
    path: "/events",
    name: "getListEvents",
    summary: "Live changes to the list of sessions",
    answers: { 200: { about: "Events, until the client or the server closes the stream.", type: "text/event-stream" } },
  },
  async ({ request, at }) =>
    new Response(at.list.read(request.headers.get("last-event-id")), { headers: EVENT_STREAM }),
)

const searchAll = route(
  {
    method: "get",
    path: "/search",
    name: "searchAll",
    summary: "Search all branches of all sessions, best match first",
    query: z.strictObject({
      text: z.string().min(1).max(1000),
      cwd: z.string().exactOptional(),
      limit: limit(50, 1000),
    }),
    answers: {
      200: {
        about: "The entries found, with the text around each match.",
        schema: z.object({
          hits: z.array(open({ session: z.string(), entry: z.string().nullable(), match: z.string() })),
        }),
      },
    },
  },
  async ({ request, query: { text, limit: most, ...where }, at }) => {
    const signal = AbortSignal.any([request.signal, at.stopping])
    return json({ hits: (await at.options.search?.({ text, limit: most, ...where }, signal)) ?? [] })
  },
)

export const ROUTES: readonly ApiRoute[] = [
  getDocument,
  searchAll,
  ...SESSION_ROUTES,
  ...MESSAGE_ROUTES,
  ...INSPECT_ROUTES,
  ...FILE_ROUTES,
  ...CONVERSE_ROUTES,
  ...OPERATION_ROUTES,
  ...MIRROR_ROUTES,
  ...VOICE_ROUTES,
  getListEvents,
]
