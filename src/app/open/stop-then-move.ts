// A move while a turn runs: plan it, then stop the turn, then move from where the turn ended.
import { askedPrompts } from "../../history/tree/asked.ts"
import { NONE } from "../../history/tree/tree.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import type { MoveRequest } from "../../protocol/host.ts"
import type { Session } from "../../session/session.ts"
import type { Running, StopHow } from "../turn/running.ts"

export interface WantedMove {
  /**
   * Where it would go; undefined if only making it shows that. Contract: changes nothing, waits for nothing that runs.
   */
  plan: (asked: HeadPlan) => Promise<MoveResult | undefined>
  /** `planned`: the result of the plan, if a turn was running. */
  make: (signal: AbortSignal, planned?: Planned) => Promise<MoveResult>
}

type Planned = Exclude<MoveResult, { outcome: "refused" }>

/** The move decides what happens to the prompt, and the person's own commands do not belong to the turn. */
export const STOP_FOR_MOVE: StopHow = { prompt: "stays", ownCommands: "go on" }

/** A dry run that only computes where the head would go. */
export const PLAN = { dryRun: true, only: "head" } as const

export type HeadPlan = typeof PLAN & Pick<MoveRequest, "expects">

/** `answer`: nothing to do, so the turn continues undisturbed. `by`: the signal of the move itself. */
export async function stopForMove(
  session: Session,
  running: Running,
  { plan, request, by }: { plan: () => ReturnType<WantedMove["plan"]>; request: MoveRequest; by: AbortSignal },
): Promise<{ answer?: MoveResult; planned?: Planned }> {
  await running.begun()
  if (!running.active) {
    await running.stop({ ...STOP_FOR_MOVE, by })
    return {}
  }
  const planned = await plan()
  if (planned?.outcome === "refused") return { answer: planned }
  const stays = planned?.kind === "goto" && planned.head === session.head && request.files !== "restore"
  if (stays) return { answer: { ...planned, outcome: "unchanged" } }
  await running.stop({ ...STOP_FOR_MOVE, by })
  return planned === undefined ? {} : { planned }
}

/** How many rounds to go back to before the planned prompt, even if another round has begun since. */
export function roundsTo({ history, headRow }: Session, planned: Planned | undefined): number | undefined {
  const id = planned?.prompt?.id
  const prompt = id === undefined ? NONE : history.rowOf(id)
  if (prompt === NONE || headRow === NONE) return undefined
  const rounds = askedPrompts(history, headRow).filter((asked) => asked.prompt >= prompt).length
  return rounds > 0 ? rounds : undefined
}
