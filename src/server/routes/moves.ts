// Endpoints for back, goto, undo, redo and restore. A running turn is stopped and settled first, as everywhere.
import { z } from "zod"
import { NONE } from "../../history/tree/tree.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import type { SessionContents, SessionMoves } from "../../protocol/host.ts"
import { SAY_SOMETHING } from "../answer/api-advice.ts"
import { json, refused } from "../answer/problem.ts"
import { type ApiRoute, type Described, sessionRoute } from "../api/route.ts"
import { ENTRY, MOVE, MOVED } from "../api/schemas.ts"

const ABOUT =
  "A running turn is stopped first. If the move is refused, or with `dryRun`, nothing changes and the turn continues."

const ANSWERS: Readonly<Record<number, Described>> = {
  200: { about: "What happened, or would happen.", schema: MOVED },
}

interface Named {
  name: string
  summary: string
  problems: readonly string[]
}

function move<Body>(
  { name, summary, problems }: Named,
  body: z.ZodType<Body>,
  make: (session: SessionMoves, body: Body) => Promise<MoveResult>,
): ApiRoute {
  return sessionRoute(
    { method: "post", path: `/${name}`, name, summary, about: ABOUT, body, answers: ANSWERS, problems },
    async (call, { session }) => moved(await make(session, call.body), session),
  )
}

export function moved(result: MoveResult, { history }: Pick<SessionContents, "history">): Response {
  if (result.outcome !== "refused") return json(result)
  const { failure, conflicts, plan } = result
  const isNew = failure.code === "at-start" && failure.rounds === 0 && history.undo(history.size - 1) === NONE
  return refused(failure, {
    // Elsewhere the advice is to undo the last move, but here there is none.
    ...(isNew && { advice: SAY_SOMETHING }),
    more: { ...(conflicts !== undefined && { conflicts }), ...(plan !== undefined && { plan }) },
  })
}

export const MOVE_ROUTES: readonly ApiRoute[] = [
  move(
    { name: "back", summary: "Go back to before the last prompt", problems: ["at-start", "too-few-rounds"] },
    MOVE.extend({ rounds: z.int().min(1).exactOptional().describe("How many rounds (default 1).") }),
    (session, body) => session.back(body),
  ),
  move(
    { name: "goto", summary: "Go to any entry", problems: ["not-found", "ambiguous"] },
    MOVE.extend({
      entry: ENTRY.nullable().describe("An entry. Null: the empty conversation."),
      summarise: z.boolean().exactOptional().describe("Add a summary of what is left behind."),
    }),
    (session, { entry, ...request }) => session.goto(entry, request),
  ),
  move({ name: "undo", summary: "Undo the last move or round", problems: ["nothing-to-undo"] }, MOVE, (session, body) =>
    session.undo(body),
  ),
  move({ name: "redo", summary: "Redo what you undid", problems: ["nothing-to-redo"] }, MOVE, (session, body) =>
    session.redo(body),
  ),
  move(
    {
      name: "restore",
      summary: "Restore files as they were at an entry",
      problems: ["not-found", "no-workspace", "conflicts"],
    },
    MOVE.extend({ entry: ENTRY, paths: z.array(z.string()).exactOptional().describe("Only these files and folders.") }),
    (session, { entry, ...request }) => session.restore(entry, request),
  ),
]
