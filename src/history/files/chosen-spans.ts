// The changes of some rounds, among all that lie between now and a moment. All other steps on the way there are recorded as kept,
// so that every reader of the log replays exactly what was done.
import { isEntryKind } from "../../model/record/record.ts"
import { type History, isOnPath, NONE, path, type Row } from "../tree/tree.ts"
import {
  appliedSpans,
  type Moment,
  momentAfter,
  momentAt,
  type SpansToRestore,
  spansToRestore,
} from "./applied-changes.ts"
import { type CallSpan, callSpans } from "./call-spans.ts"

/** `revert` takes back what the files contain of these rounds; `bring` makes again what they do not contain. */
export type RoundsWay = "revert" | "bring"

export interface ChosenSpans {
  /** Before the first of the rounds, or when all their changes had been made. */
  moment: Moment
  /** The only paths concerned. */
  paths: string[]
  chosen: SpansToRestore
  /** For each chosen step, its number among all steps to that moment. */
  numbers: number[]
  /** The steps that are not taken. */
  others: UntakenSteps[]
}

export interface UntakenSteps {
  path: string
  steps: number[]
}

/** Undefined if there is nothing to take back or to make again. Contract: costs the log since the first of the rounds. */
export function chooseRounds(history: History, rounds: ReadonlySet<Row>, way: RoundsWay): ChosenSpans | undefined {
  const first = Math.min(...rounds)
  const isOf = ({ entry }: CallSpan) => rounds.has(history.prompt(entry))
  const moment: Moment = way === "revert" ? { before: first } : momentOfRounds(history, rounds, { first, isOf })
  return chooseSpans(history, way, { first, moment, isOf })
}

/** When all their changes had been made: entries of a round may follow that tell of moves of files, or that are after one. */
function momentOfRounds(history: History, rounds: ReadonlySet<Row>, { first, isOf }: Omit<Choice, "moment">): Moment {
  const ends = callSpans(history, first - 1)
    .filter(isOf)
    .map(({ row }) => row)
  const after = ends.length === 0 ? undefined : momentAfter(history, Math.max(...ends))
  return after ?? { entry: lastOfRound(history, Math.max(...rounds)) }
}

/** The same to bring what a branch did after an entry on it. Contract: costs the log since that entry. */
export function chooseBranch(history: History, tip: Row, since: Row): ChosenSpans | undefined {
  const depth = since === NONE ? 0 : history.depth(since)
  const isOf = ({ entry }: CallSpan) => history.depth(entry) > depth && isOnPath(history, entry, tip)
  const first = path(history, tip, since)[0] ?? tip
  return chooseSpans(history, "bring", { first, moment: momentAt(history, tip), isOf })
}

interface Choice {
  /** The row from which on they are. */
  first: Row
  moment: Moment
  isOf: (span: CallSpan) => boolean
}

function chooseSpans(history: History, way: RoundsWay, { first, moment, isOf }: Choice): ChosenSpans | undefined {
  const spans = way === "revert" ? appliedSpans(history, first) : callSpans(history, first - 1)
  const paths = [...new Set(spans.filter(isOf).flatMap(({ changes }) => changes.map(({ path }) => path)))].sort()
  if (paths.length === 0) return undefined
  const { takeBack, bringAgain } = spansToRestore(history, moment, { paths })
  const wanted = way === "revert" ? takeBack : bringAgain
  const numbers: number[] = []
  const kept = new Map<string, number[]>()
  const steps = [...takeBack, ...bringAgain]
  for (const [i, span] of steps.entries()) {
    if (wanted.includes(span) && isOf(span)) numbers.push(i)
    else for (const { path } of span.changes) kept.set(path, [...(kept.get(path) ?? []), i])
  }
  if (numbers.length === 0) return undefined
  const own = wanted.filter(isOf)
  const chosen = way === "revert" ? { takeBack: own, bringAgain: [] } : { takeBack: [], bringAgain: own }
  return { moment, paths, chosen, numbers, others: [...kept].map(([path, of]) => ({ path, steps: of })) }
}

/** The last entry of a round, on whatever branch. */
export function lastOfRound(history: History, round: Row): Row {
  for (let row = history.size - 1; row > round; row--)
    if (isEntryKind(history.kind(row)) && history.prompt(row) === round) return row
  return round
}
