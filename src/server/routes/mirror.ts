// Endpoints for a page that mirrors the tree: rows as bytes, bodies by row, and the stream of what is new.
import { z } from "zod"
import { writeFacts } from "../../history/wire/write-facts.ts"
import { count } from "../../model/text/amounts.ts"
import { json, problem } from "../answer/problem.ts"
import { type ApiRoute, sessionRoute } from "../api/route.ts"
import { EVENT_STREAM } from "../live/broadcast.ts"
import { type Hub, rowOrNull } from "../live/hub.ts"
import { cutRecord } from "./cut-record.ts"

const getRows = sessionRoute(
  {
    method: "get",
    path: "/rows",
    name: "getRows",
    summary: "The rows of the tree as bytes",
    about: "The structure of the tree without message bodies, about 16 bytes per row. `src/history/wire` decodes it.",
    query: z.strictObject({
      generation: z.string().exactOptional().describe("The generation of the rows that you already have."),
      from: z.coerce.number().int().min(0).default(0).describe("The first row to send."),
    }),
    answers: { 200: { about: "Encoded rows, up to the last one.", type: "application/octet-stream" } },
    problems: ["changed", "invalid"],
  },
  async ({ query: { generation, from } }, hub) => {
    const { size } = hub.rows
    if (generation !== undefined && generation !== hub.generation) return changed(hub)
    if (from > size) return tooFar(from, hub)
    return new Response(writeFacts(hub.rows, from, size) as Uint8Array<ArrayBuffer>, {
      headers: {
        "content-type": "application/octet-stream",
        "retcon-generation": hub.generation,
        "retcon-size": String(size),
        "retcon-head": String(rowOrNull(hub.session.head) ?? ""),
      },
    })
  },
)

const getRecords = sessionRoute(
  {
    method: "post",
    path: "/records",
    name: "getRecords",
    summary: "The contents of rows",
    body: z.strictObject({
      generation: z.string().exactOptional(),
      rows: z.array(z.int().min(0)).max(500),
      cut: z
        .int()
        .min(100)
        .exactOptional()
        .describe("Longer texts are truncated and marked: `cut` is the full length."),
    }),
    answers: {
      200: {
        about: "One per row, in order. Null: it cannot be read.",
        schema: z.object({ generation: z.string(), records: z.array(z.looseObject({}).nullable()) }),
      },
    },
    problems: ["changed"],
  },
  async ({ body: { generation, rows, cut } }, hub) => {
    if (generation !== undefined && generation !== hub.generation) return changed(hub)
    const { history } = hub.session
    const records = rows.map((row) => {
      const record = row < history.size ? history.record(row) : undefined
      return record === undefined ? null : cut === undefined ? record : cutRecord(record, cut)
    })
    return json({ generation: hub.generation, records })
  },
)

const getEvents = sessionRoute(
  {
    method: "get",
    path: "/events",
    name: "getSessionEvents",
    summary: "Live events of a session",
    about:
      "Server-sent events. Each has an id. A client that reconnects with it as `Last-Event-ID` receives every event it missed, once. " +
      "Without an id, or if it is too old, the stream begins with `reset`, whose data is the current state of the session.",
    query: z.strictObject({
      after: z.string().exactOptional().describe("The same as the header `Last-Event-ID`."),
    }),
    answers: { 200: { about: "Events, until the client or the server closes the stream.", type: "text/event-stream" } },
  },
  async ({ request, query: { after } }, hub) =>
    new Response(hub.stream.read(request.headers.get("last-event-id") ?? after ?? null), { headers: EVENT_STREAM }),
)

function changed(hub: Hub): Response {
  const detail = "The rows of this session were rebuilt, so the ones you have are no longer valid."
  const more = { generation: hub.generation, size: hub.rows.size }
  return problem({ status: 409, code: "changed", detail, advice: "Fetch them again from the first row.", more })
}

function tooFar(from: number, { generation, rows: { size } }: Hub): Response {
  const detail = `There is no row ${from}: the session has only ${count(size, "row")}.`
  const advice = `Ask from row ${size} on for those that come next, or from 0 for all of them.`
  return problem({ status: 400, code: "invalid", detail, advice, more: { generation, size } })
}

export const MIRROR_ROUTES: readonly ApiRoute[] = [getRows, getRecords, getEvents]
