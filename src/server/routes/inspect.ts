// Endpoints that show what is in a session, as JSON for scripts: the tree, its tips, and what undo and redo would do.
import { z } from "zod"
import { type GraphLine, graph } from "../../history/graph/graph.ts"
import { tell } from "../../history/graph/stretch-words.ts"
import { lastAsked } from "../../history/tree/asked.ts"
import { liveTips } from "../../history/tree/live-tips.ts"
import { entryId, type History, isOnPath, NONE, type Row } from "../../history/tree/tree.ts"
import { units, unitWords } from "../../history/words/units.ts"
import { entryText } from "../../model/record/entry-text.ts"
import type { SessionContents } from "../../protocol/host.ts"
import { json } from "../answer/problem.ts"
import { type ApiRoute, sessionRoute } from "../api/route.ts"
import { limit, open } from "../api/schemas.ts"

const id = z.string()
const idOrNull = z.string().nullable()

const getTree = sessionRoute(
  {
    method: "get",
    path: "/tree",
    name: "getTree",
    summary: "The tree as lines with lanes, newest first",
    about:
      "`stretch`: entries of one round without a fork. `join`: where the branch in this lane leaves another. " +
      "`folded`: a branch that is not expanded. `rest`: the limit was reached.",
    query: z.strictObject({
      show: z
        .enum(["path", "all"])
        .default("all")
        .describe("Every branch, or the path and one line for each branch that leaves it."),
      limit: limit(200, 20_000),
    }),
    answers: {
      200: {
        about: "The lines.",
        schema: z.object({ head: idOrNull, lines: z.array(open({ type: z.string(), lane: z.int().optional() })) }),
      },
    },
  },
  async ({ query: { show, limit: most } }, { session }) => {
    const { history, head } = session
    const labels = session.labels()
    const lines = [...graph(history, head, { show, limit: most })].map((line) => treeLine(history, line, labels))
    return json({ head: entryId(history, head), lines })
  },
)

function treeLine(history: History, line: GraphLine, labels: ReadonlyMap<string, string>): object {
  if (line.type === "folded") {
    const { first, newest, messages, tips } = line.branch
    return { type: "folded", lane: line.lane, first: history.id(first), newest: history.id(newest), messages, tips }
  }
  if (line.type !== "stretch") return line
  const { stretch, started: _, ...rest } = line
  const last = history.id(stretch.last)
  const { intro, text, messages, calls } = tell(history, stretch)
  const ends = { id: history.id(stretch.named), first: history.id(stretch.first), last }
  const said = { starts: stretch.starts, intro, text, at: history.record(stretch.named)?.at ?? null, messages, calls }
  return { ...rest, ...ends, ...said, label: labels.get(last) ?? null }
}

const getLeaves = sessionRoute(
  {
    method: "get",
    path: "/leaves",
    name: "getLeaves",
    summary: "The ends of all branches, oldest first",
    answers: {
      200: {
        about: "The last entry of each branch.",
        schema: z.object({
          leaves: z.array(
            z.object({
              id,
              at: idOrNull,
              messages: z.int(),
              rounds: z.int(),
              onPath: z.boolean(),
              prompt: z.string().describe("The last prompt on that branch."),
              label: idOrNull,
            }),
          ),
        }),
      },
    },
  },
  async (_, { session }) => json({ leaves: liveTips(session.history, session.head).map((row) => leaf(session, row)) }),
)

function leaf(session: SessionContents, row: Row): object {
  const { history, head } = session
  const entry = entryId(history, row)
  return {
    id: entry,
    at: history.record(row)?.at ?? null,
    messages: history.messages(row),
    rounds: history.round(row),
    onPath: isOnPath(history, row, head),
    prompt: textAt(history, lastAsked(history, row)),
    label: entry === null ? null : (session.labels().get(entry) ?? null),
  }
}

function textAt(history: History, row: Row): string {
  const record = row === NONE ? undefined : history.record(row)
  return (record && entryText(record)) ?? ""
}

const getOperations = sessionRoute(
  {
    method: "get",
    path: "/operations",
    name: "getOperations",
    summary: "Operations, newest first, and what undo and redo would do now",
    query: z.strictObject({ limit: limit(100, 20_000) }),
    answers: {
      200: {
        about: "Rounds and moves.",
        schema: z.object({
          operations: z.array(
            open({
              id,
              type: z.enum(["round", "move"]),
              kind: z.string(),
              from: idOrNull,
              to: idOrNull,
              undone: z.boolean(),
              next: z.enum(["undo", "redo"]).nullable().describe("The command that reverses or repeats it."),
            }),
          ),
        }),
      },
    },
  },
  async ({ query }, { session: { history } }) => {
    const operations: object[] = []
    for (const unit of units(history)) {
      const { at, kind, by, text } = unitWords(history, unit)
      const ends = { from: entryId(history, unit.from), to: entryId(history, unit.to) }
      const { type, undone, next = null } = unit
      operations.push({ id: history.id(unit.row), type, kind, by, at, ...ends, undone, next, text })
      if (operations.length === query.limit) break
    }
    return json({ operations })
  },
)

export const INSPECT_ROUTES: readonly ApiRoute[] = [getTree, getLeaves, getOperations]
