// back, goto, undo, redo and restore in a session where a turn may be running.
import type { Jobs } from "../../agent/process/jobs.ts"
import { plainText } from "../../model/record/record.ts"
import type { MoveRequest, SessionMoves } from "../../protocol/host.ts"
import type { Background } from "../../runner/port/background.ts"
import type { TurnDeps } from "../../runner/port/turn-deps.ts"
import { filesAsked } from "../../session/files/known/files-request.ts"
import type { MoveOptions } from "../../session/operations/move.ts"
import type { Session } from "../../session/session.ts"
import type { ModelChoice } from "../turn/model-choice.ts"
import type { Running } from "../turn/running.ts"
import { withRunning } from "./left-running.ts"
import { PLAN, roundsTo, stopForMove, type WantedMove } from "./stop-then-move.ts"
import { summariseLeft } from "./summarise-left.ts"

export interface MovesDeps {
  session: Session
  running: Running
  background: Background
  jobs: Jobs
  choice: ModelChoice
  /** For the model that summarises the branch being left. */
  turnDeps: () => Promise<TurnDeps>
}

export type Moves = Pick<SessionMoves, "back" | "goto" | "undo" | "redo" | "restore">

export function makeMoves({ session, running, background, jobs, choice, turnDeps }: MovesDeps): Moves {
  /** Can be stopped at any moment, provided that `work` heeds the signal. */
  const moving = (wish: WantedMove, request: MoveRequest = {}) =>
    running.during(async (signal) => {
      const plan = () => wish.plan({ ...PLAN, ...(request.expects !== undefined && { expects: request.expects }) })
      const way = request.dryRun === true ? {} : await stopForMove(session, running, { plan, request, by: signal })
      if (way.answer !== undefined) return way.answer
      await background.mark()
      const answer = withRunning(session.history, jobs.list(), await wish.make(signal, way.planned))
      if (request.dryRun !== true) await background.mark()
      await choice.follow()
      return answer
    })

  return {
    back: ({ rounds = 1, ...request } = {}) =>
      moving(
        {
          plan: (asked) => session.back({ ...asked, rounds }),
          make: (_, planned) => session.back({ ...options(request), rounds: roundsTo(session, planned) ?? rounds }),
        },
        request,
      ),
    goto: (entry, request = {}) =>
      moving(
        {
          plan: (asked) => session.goto(entry, asked),
          async make(signal) {
            const summary =
              request.summarise === true && request.dryRun !== true
                ? await summariseLeft(await turnDeps(), targetText(session, entry), signal)
                : undefined
            return session.goto(entry, { ...options(request), ...(summary === undefined ? {} : { summary }) })
          },
        },
        request,
      ),
    undo: (request = {}) =>
      moving({ plan: (asked) => session.undo(asked), make: () => session.undo(options(request)) }, request),
    redo: (request = {}) =>
      moving({ plan: (asked) => session.redo(asked), make: () => session.redo(options(request)) }, request),
    restore: (entry, request = {}) =>
      moving(
        {
          async plan({ expects }) {
            session.resolve(entry)
            return expects === undefined
              ? undefined
              : session.files.restore(entry, { ...options(request), dryRun: true })
          },
          make: () => session.files.restore(entry, options(request)),
        },
        request,
      ),
  }
}

function options(request: MoveRequest & { paths?: string[] }): MoveOptions {
  const { files, dryRun, evenIfRunning, expects, via } = request
  return {
    ...(expects === undefined ? {} : { expects }),
    ...(via === undefined ? {} : { via }),
    ...(evenIfRunning === undefined ? {} : { evenIfRunning }),
    ...(files === undefined ? {} : { files }),
    ...(dryRun === undefined ? {} : { dryRun }),
    ...filesAsked(request),
  }
}

function targetText(session: Session, entry: string | null): string {
  if (entry === null) return "(the beginning)"
  const record = session.history.record(session.history.rowOf(session.resolve(entry)))
  return record?.type === "message" ? plainText(record.content) : "(an earlier point)"
}
