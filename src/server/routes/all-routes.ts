// Every endpoint.
import { z } from "zod"
import { json } from "../answer/problem.ts"
import { type ApiRoute, route } from "../api/route.ts"
import { EVENT_STREAM } from "../live/broadcast.ts"
import { CONVERSE_ROUTES } from "./converse.ts"
import { FILE_ROUTES } from "./files.ts"
import { INSPECT_ROUTES } from "./inspect.ts"
import { MESSAGE_ROUTES } from "./messages.ts"
import { MIRROR_ROUTES } from "./mirror.ts"
import { LIBRARY_ROUTES, OPERATION_ROUTES } from "./operations.ts"
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

export const ROUTES: readonly ApiRoute[] = [
  getDocument,
  ...LIBRARY_ROUTES,
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
