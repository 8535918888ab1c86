// The endpoint for the conversation as a list, newest last: what a script reads, and what a page shows first.
import { z } from "zod"
import { type History, NONE, type Row } from "../../history/tree/tree.ts"
import { KIND, type LogRecord } from "../../model/record/record.ts"
import { json, refused } from "../answer/problem.ts"
import { type ApiRoute, sessionRoute } from "../api/route.ts"
import { limit, MESSAGE } from "../api/schemas.ts"
import { cutRecord } from "./cut-record.ts"

const SHOWN: ReadonlySet<number> = new Set([KIND.message, KIND.note, KIND.compaction])

const getMessages = sessionRoute(
  {
    method: "get",
    path: "/messages",
    name: "getMessages",
    summary: "The messages of the path, newest last",
    query: z.strictObject({
      before: z
        .string()
        .exactOptional()
        .describe("Only messages before this entry: the `before` of the following page."),
      limit: limit(50, 500),
      cut: z.coerce.number().int().min(100).exactOptional().describe("Longer texts are truncated and marked."),
    }),
    answers: {
      200: {
        about: "One page.",
        schema: z.object({
          messages: z.array(MESSAGE),
          before: z.string().nullable().describe("For the previous page. Null: this is the first."),
          total: z.int().describe("The number of messages on the path."),
          head: z.string().nullable(),
        }),
      },
    },
    problems: ["not-found"],
  },
  async ({ query }, { session }) => {
    const { history, head } = session
    const below = query.before === undefined ? undefined : history.rowOf(query.before)
    if (below === NONE) return refused({ code: "not-found", what: "entry", name: query.before ?? "" })
    const found = above(history, below === undefined ? head : history.parent(below), query.limit)
    return json({
      messages: found.rows.map((row) => shown(history, row, query.cut)),
      before: found.more ? history.id(found.rows[0] as Row) : null,
      total: history.messages(head),
      head: head === NONE ? null : history.id(head),
    })
  },
)

function above(history: History, from: Row, most: number): { rows: Row[]; more: boolean } {
  const rows: Row[] = []
  for (let row = from; row !== NONE; row = history.parent(row)) {
    if (!SHOWN.has(history.kind(row))) continue
    if (rows.length === most) return { rows: rows.reverse(), more: true }
    rows.push(row)
  }
  return { rows: rows.reverse(), more: false }
}

function shown(history: History, row: Row, cut: number | undefined): LogRecord | object {
  const record = history.record(row)
  if (record === undefined) return { id: history.id(row), type: "damaged", row }
  return { ...(cut === undefined ? record : cutRecord(record, cut)), row }
}

export const MESSAGE_ROUTES: readonly ApiRoute[] = [getMessages]
