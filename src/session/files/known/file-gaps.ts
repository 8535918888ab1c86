// What a restore cannot bring back because too little was recorded, round by round, and what covers the rounds to come.
import { isAbsolute, join } from "node:path"
import { type Moment, momentRow, type SaidSince } from "../../../history/files/applied-changes.ts"
import type { SaidCall } from "../../../history/files/said-calls.ts"
import { roundCovered, type UncoveredRound, uncoveredRounds } from "../../../history/files/uncovered-rounds.ts"
import { directoryOf } from "../../../history/tree/directory.ts"
import { chain, entryId, type History, type Row } from "../../../history/tree/tree.ts"
import type { FileGaps, RoundGap } from "../../../model/move/file-gaps.ts"
import type { Conflict, Kept } from "../../../model/move/file-outcomes.ts"
import { KIND } from "../../../model/record/record.ts"
import type { KeptReason } from "../../../model/text/file-reasons.ts"
import type { OpenSession } from "../../state/open-session.ts"
import { nextCovered } from "./no-snapshots.ts"
import { pathsInside } from "./paths-inside.ts"

export interface Reach {
  moment: Moment
  from: Row
  to: Row
  /** Only these were asked for. */
  paths?: string[] | undefined
}

/**
 * `copied`: the files that are known without snapshots. `calls`: what the agent's own files tell, if that was read already. Undefined
 * if everything between is known.
 */
export function fileGaps(
  session: OpenSession,
  reach: Reach,
  copied: readonly string[],
  calls: SaidSince = (row) => session.earlier?.calls(row) ?? [],
): FileGaps | undefined {
  const { history, log } = session
  const { moment, from, to, paths } = reach
  const known = new Set(copied)
  if (paths?.every((path) => known.has(path)) === true) return undefined
  const since = momentRow(history, moment)
  const rounds = uncoveredRounds(history, { since, from, to })
  if (rounds.length === 0) return undefined
  const told = calls(since)
  const gaps = rounds.map((round) => gapOf(session, round, told, known)).filter(isGap)
  const last = rounds.at(-1)
  if (gaps.length === 0 || last === undefined) return undefined
  const { agent } = log
  if (agent === undefined) return { rounds: gaps }
  return { agent, rounds: gaps, ...(!isCoveredSince(history, last.prompt) && { next: nextCovered(log) }) }
}

/** The plan, in which no change is attributed to the person that a call may have made of which too little is recorded. */
export function withUnseen<Plan extends { kept: Kept[]; conflicts: Conflict[] }>(plan: Plan, gaps?: FileGaps): Plan {
  if (gaps === undefined) return plan
  const isAny = gaps.rounds.some(({ commands, agents, others }) => commands + agents + others > 0)
  const named = new Set(gaps.rounds.flatMap((round) => round.named))
  const isUnseen = (each: Kept | Conflict) => each.by === undefined && (isAny || named.has(each.path))
  return {
    ...plan,
    kept: plan.kept.map((each) => {
      const because = UNSEEN[each.because]
      return because !== undefined && isUnseen(each) ? { ...each, because } : each
    }),
    conflicts: plan.conflicts.map((each) => (isUnseen(each) ? { ...each, unseen: true } : each)),
  }
}

const UNSEEN: Partial<Record<KeptReason, KeptReason>> = {
  "changed-since": "changed-unseen",
  "deleted-since": "deleted-unseen",
}

/** `told`: calls of which the agent's own files say what they changed, of sub-agents too. Of any other, only its input is known. */
function gapOf(
  { history, log }: OpenSession,
  { prompt, calls, partly }: UncoveredRound,
  told: readonly SaidCall[],
  known: ReadonlySet<string>,
): RoundGap {
  const folder = directoryOf(log)
  const own = told.filter(({ call, row }) => calls.has(call) || history.prompt(row) === prompt)
  const said = new Set(own.map(({ call }) => call))
  const untold = [...calls].filter(([call]) => !said.has(call)).map(([, effect]) => effect)
  const count = (kind: string) => untold.filter((effect) => effect.kind === kind).length
  const edited = untold.flatMap((effect) => (effect.kind === "edit" ? effect.paths : []))
  const named = [
    ...own.flatMap(({ files }) => files.map(({ path }) => path)),
    ...edited.map((path) => inFolder(folder, path)),
  ]
  return {
    prompt: entryId(history, prompt),
    ...(partly && { partly }),
    named: [...new Set(named)].filter((path) => !known.has(path)),
    commands: count("command"),
    agents: count("agent"),
    others: count("other"),
  }
}

/** Relative to the folder, if it is inside. */
function inFolder(folder: string, path: string): string {
  const whole = isAbsolute(path) ? path : join(folder, path)
  return pathsInside(folder, [whole])[0] ?? whole
}

function isGap({ named, commands, agents, others }: RoundGap): boolean {
  return named.length + commands + agents + others > 0
}

/** Whether snapshots cover a later round, or some calls of this one. */
function isCoveredSince(history: History, prompt: Row): boolean {
  for (const row of chain(history, KIND.snapshot)) {
    const covered = roundCovered(history, row)
    if (covered !== undefined) return covered >= prompt
  }
  return false
}
