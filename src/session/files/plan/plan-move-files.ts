// What happens to the files when the head moves: one plan, shown by the dry run and carried out by the restore.
import type { MovePlan } from "../../../history/plan/plan.ts"
import { NONE } from "../../../history/tree/tree.ts"
import type { Failure } from "../../../model/failure/failure.ts"
import { shortId } from "../../../model/id.ts"
import { same } from "../../../workspace/plan/take-back.ts"
import type { Workspace } from "../../../workspace/port.ts"
import type { OpenSession } from "../../state/open-session.ts"
import type { FilesRequest } from "../known/files-request.ts"
import { filesUndone, momentOf } from "../known/undo-files.ts"
import { type PlannedRestore, planSteps } from "./plan-steps.ts"
import { planWay } from "./plan-way.ts"
import { wayBack, wayTo } from "./restore-way.ts"

/** What happens to the files when the head goes where `move` says. */
export async function planMoveFiles(
  session: OpenSession,
  files: Workspace,
  move: MovePlan,
  request: FilesRequest,
): Promise<PlannedRestore> {
  const range = { from: move.from, to: move.to, paths: request.paths }
  const undone = filesUndone(session, move)?.record
  if (undone !== undefined) {
    const way = wayBack(session, undone.files, undone.at)
    const rest = { ...range, target: {} }
    // Made first, because a plan starts from the last snapshot.
    const chosenNow =
      move.kind === "redo" && request.onConflict !== undefined
        ? await planSteps(session, files, await wayTo(session, momentOf(session, move), request.paths), rest, request)
        : undefined
    const planned = await planSteps(session, files, way, rest, request)
    if (chosenNow === undefined || !planned.ok || leadsToSame(planned, chosenNow)) return planned
    return { ok: false, failure: doneOtherwise(session, move) }
  }
  const moment = momentOf(session, move)
  const way = () => wayTo(session, moment, request.paths)
  return planWay(session, files, { from: move.from, to: move.to, moment, way }, request)
}

/** A redo repeats the earlier choice. A person who chooses differently now must not lose lines to it. */
function doneOtherwise({ history }: OpenSession, { to }: MovePlan): Failure {
  const entry = to === NONE ? "start" : shortId(history.id(to))
  return {
    code: "invalid",
    problem: "A redo repeats what was done to the files, and this choice would do something else. Nothing was changed.",
    advice: ["Leave the choice out to repeat what was done, or choose again with: ", { do: "goto", entry }],
  }
}

function leadsToSame(planned: PlannedRestore & { ok: true }, chosenNow: PlannedRestore): boolean {
  const actions = chosenNow.ok ? chosenNow.plan.actions : []
  if (!chosenNow.ok || actions.length !== planned.plan.actions.length) return false
  const wanted = new Map(actions.map(({ path, to }) => [path, to]))
  return planned.plan.actions.every(({ path, to }) => wanted.has(path) && same(wanted.get(path), to))
}
