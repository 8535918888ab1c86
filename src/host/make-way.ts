// A move while a turn runs: first the plan, then the turn is stopped, then the move is made from where that ends.
import { NONE } from "../history/tree/tree.ts"
import type { MoveResult } from "../model/move/moved.ts"
import type { MoveRequest } from "../protocol/host.ts"
import type { Session } from "../session/session.ts"
import type { Running, StopHow } from "./running.ts"

export interface Wish {
  /** Where it would go; undefined when only making it tells. Contract: changes nothing, and waits for nothing that runs. */
  plan: () => Promise<MoveResult | undefined>
  /** `planned`: what the plan said, if a turn ran then. */
  make: (signal: AbortSignal, planned?: Planned) => Promise<MoveResult>
}

type Planned = Exclude<MoveResult, { outcome: "refused" }>

/** The move itself takes the prompt back, or leaves it in the tree. What the person runs themselves is not the turn's. */
export const MAKE_WAY: StopHow = { prompt: "stays", ownCommands: "go on" }

/** Asks only where the head would go. */
export const PLAN = { dryRun: true, only: "head" } as const

/** `answer`: nothing is to be done, and the turn goes on as if nobody had asked. `by`: the signal of the move itself. */
export async function makeWay(
  session: Session,
  running: Running,
  { plan, request, by }: { plan: Wish["plan"]; request: MoveRequest; by: AbortSignal },
): Promise<{ answer?: MoveResult; planned?: Planned }> {
  await running.begun()
  if (!running.active) {
    await running.stop({ ...MAKE_WAY, by })
    return {}
  }
  const planned = await plan()
  if (planned?.outcome === "refused") return { answer: planned }
  const stays = planned?.kind === "goto" && planned.head === session.head && request.files !== "restore"
  if (stays) return { answer: { ...planned, outcome: "unchanged" } }
  await running.stop({ ...MAKE_WAY, by })
  return planned === undefined ? {} : { planned }
}

/** How many rounds lead back before the prompt of the plan, also when another round has begun since. */
export function roundsTo({ history, headRow }: Session, planned: Planned | undefined): number | undefined {
  const id = planned?.prompt?.id
  const prompt = id === undefined ? NONE : history.rowOf(id)
  if (prompt === NONE || headRow === NONE) return undefined
  const rounds = history.round(headRow) - history.round(prompt) + 1
  return rounds > 0 ? rounds : undefined
}
