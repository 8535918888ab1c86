// back, goto, undo, redo and restore in a session where a turn may be running.
import type { Jobs } from "../../agent/process/jobs.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import { plainText } from "../../model/record/record.ts"
import type { MoveRequest, SessionMoves } from "../../protocol/host.ts"
import type { Background } from "../../runner/port/background.ts"
import type { TurnDeps } from "../../runner/port/turn-deps.ts"
import { filesAsked } from "../../session/files/known/files-request.ts"
import type { MoveOptions } from "../../session/operations/move.ts"
import type { Session } from "../../session/session.ts"
import type { HeldAgent } from "../turn/live-agent.ts"
import type { ModelChoice } from "../turn/model-choice.ts"
import type { Running } from "../turn/running.ts"
import { bringIn, type LeaveNote } from "./bring.ts"
import { withRunning } from "./left-running.ts"
import { PLAN, roundsTo, stopForMove, type WantedMove } from "./stop-then-move.ts"
import { summariseBranch, summariseLeft } from "./summarise-left.ts"

export interface MovesDeps {
  session: Session
  running: Running
  background: Background
  jobs: Jobs
  choice: ModelChoice
  /** The program of the agent whose session it is. */
  agent: HeldAgent | undefined
  /** For the model that summarises the branch being left. */
  turnDeps: () => Promise<TurnDeps>
  /** For the session's agent, where nothing can be added to the session. */
  leaveNote: LeaveNote
}

export type Moves = Pick<SessionMoves, "back" | "goto" | "undo" | "redo" | "restore" | "revert" | "bring" | "pick">

export function makeMoves({
  session,
  running,
  background,
  jobs,
  choice,
  agent,
  turnDeps,
  leaveNote,
}: MovesDeps): Moves {
  /** A program of ours that has ended is no reason to ask whether it still runs. */
  const asked = (request: MoveRequest & { paths?: string[] }) =>
    options(agent?.wasLast() === true ? { ...request, evenIfRunning: true } : request)

  /** Can be stopped at any moment, provided that `work` heeds the signal. */
  const moving = (wish: WantedMove, request: MoveRequest = {}) =>
    running.during(async (signal) => {
      const plan = () => wish.plan({ ...PLAN, ...(request.expects !== undefined && { expects: request.expects }) })
      const way = request.dryRun === true ? {} : await stopForMove(session, running, { plan, request, by: signal })
      if (way.answer !== undefined) return way.answer
      if (request.dryRun !== true) await agent?.release()
      await background.mark()
      const answer = withRunning(session.history, jobs.list(), await wish.make(signal, way.planned))
      if (request.dryRun !== true) {
        agent?.moved()
        await background.mark()
      } else if (agent?.isOpen === true && answer.outcome === "planned") delete answer.busy
      await choice.follow()
      return answer
    })

  /** What stays where it is, and moves files or adds an entry. */
  const staying = (
    names: readonly string[],
    request: MoveRequest,
    make: (asked: MoveOptions, signal: AbortSignal | undefined) => Promise<MoveResult>,
  ) =>
    moving(
      {
        async plan({ expects }) {
          for (const name of names) session.resolve(name)
          return expects === undefined ? undefined : make({ ...asked(request), dryRun: true }, undefined)
        },
        make: (signal) => make(asked(request), signal),
      },
      request,
    )

  return {
    revert: (rounds, request = {}) => staying(rounds, request, (more) => session.revert(rounds, more)),
    bring: (what, { note, summarise, onlyRound, ...request } = {}) =>
      staying(what, request, async (asked, signal) => {
        const { only: _, ...more } = asked
        const [branch] = what
        const summary =
          summarise === true && note === undefined && signal !== undefined && branch !== undefined
            ? await summariseBranch(await turnDeps(), session, branch, signal)
            : note
        return bringIn(
          session,
          what,
          {
            ...more,
            ...(summary !== undefined && { note: summary }),
            ...(onlyRound !== undefined && { onlyRound }),
          },
          leaveNote,
        )
      }),
    pick: (branch, request = {}) =>
      moving(
        {
          plan: (asked) => session.goto(branch, asked),
          make: () => session.goto(branch, { ...asked(request), files: "restore" }),
        },
        { ...request, files: "restore" },
      ),
    back: ({ rounds = 1, ...request } = {}) =>
      moving(
        {
          plan: (asked) => session.back({ ...asked, rounds }),
          make: (_, planned) => session.back({ ...asked(request), rounds: roundsTo(session, planned) ?? rounds }),
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
            return session.goto(entry, { ...asked(request), ...(summary === undefined ? {} : { summary }) })
          },
        },
        request,
      ),
    undo: (request = {}) =>
      moving({ plan: (asked) => session.undo(asked), make: () => session.undo(asked(request)) }, request),
    redo: (request = {}) =>
      moving({ plan: (asked) => session.redo(asked), make: () => session.redo(asked(request)) }, request),
    restore: (entry, request = {}) => staying([entry], request, (more) => session.files.restore(entry, more)),
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
