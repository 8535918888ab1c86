// back, goto, undo, redo and restore in a session where a turn may be running.
import type { Jobs } from "../../agent/process/jobs.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { plainText } from "../../model/record/record.ts"
import type { MoveRequest, SessionMoves } from "../../protocol/host.ts"
import type { AskDeps } from "../../runner/compaction/ask.ts"
import type { Background } from "../../runner/port/background.ts"
import type { TurnDeps } from "../../runner/port/turn-deps.ts"
import { filesAsked } from "../../session/files/known/files-request.ts"
import type { MoveOptions } from "../../session/operations/move.ts"
import type { Session } from "../../session/session.ts"
import type { HeldAgent } from "../turn/live-agent.ts"
import type { ModelChoice } from "../turn/model-choice.ts"
import type { Running } from "../turn/running.ts"
import { withRunning } from "./left-running.ts"
import { PLAN, roundsTo, stopForMove, type WantedMove } from "./stop-then-move.ts"

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
}

export type Moves = Pick<SessionMoves, "back" | "goto" | "undo" | "redo" | "restore" | "revert" | "bring">

export function makeMoves({ session, running, background, jobs, choice, agent, turnDeps }: MovesDeps): Moves {
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

  const ofRounds =
    (way: "revert" | "bring") =>
    (rounds: string[], request: MoveRequest = {}) =>
      moving(
        {
          async plan({ expects }) {
            for (const round of rounds) session.resolve(round)
            return expects === undefined ? undefined : session[way](rounds, { ...asked(request), dryRun: true })
          },
          make: () => session[way](rounds, asked(request)),
        },
        request,
      )

  return {
    revert: ofRounds("revert"),
    bring: ofRounds("bring"),
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
    restore: (entry, request = {}) =>
      moving(
        {
          async plan({ expects }) {
            session.resolve(entry)
            return expects === undefined ? undefined : session.files.restore(entry, { ...asked(request), dryRun: true })
          },
          make: () => session.files.restore(entry, asked(request)),
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

const REQUEST = `The user is going back to an earlier point of this conversation, to try another way. Write, in a paragraph or
a short list, what was done and learned since that point that is worth knowing: findings, what failed and why, decisions,
names of files. No greeting, no tools, only the summary. The last thing that stays is this message:`

/** "Go there with a summary": what the branch that is left found, in a paragraph. Contract: throws RetconError `invalid` if the model gives no summary; then nothing was moved. */
async function summariseLeft(deps: AskDeps, target: string, signal: AbortSignal): Promise<string> {
  const { askAbout } = await import("../../runner/compaction/ask.ts")
  const asked = await askAbout(deps, `${REQUEST}\n\n${target}`, signal)
  if (asked.ok) return asked.text
  throw new RetconError({
    code: "invalid",
    problem: asked.problem,
    advice: "Go there without a summary, or try again.",
  })
}
