// revert: takes back the file changes of some rounds, and leaves those of later ones. bring: makes them again.
import {
  type ChosenSpans,
  chooseRounds,
  lastOfRound,
  type RoundsWay,
  type UntakenSteps,
} from "../../history/files/chosen-spans.ts"
import { ownCommands } from "../../history/files/own-commands.ts"
import { resolveEntry } from "../../history/plan/resolve.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { entryId, type History, NONE, type Row } from "../../history/tree/tree.ts"
import type { Failure } from "../../model/failure/failure.ts"
import type { FileGaps } from "../../model/move/file-gaps.ts"
import type { Conflict, Kept } from "../../model/move/file-outcomes.ts"
import type { Moved, MoveResult } from "../../model/move/moved.ts"
import type { MessageRecord } from "../../model/record/record.ts"
import { count } from "../../model/text/amounts.ts"
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import type { RestorePlan, Workspace } from "../../workspace/port.ts"
import { promptText } from "../files/describe-move.ts"
import { fileGaps } from "../files/known/file-gaps.ts"
import { filesAsked } from "../files/known/files-request.ts"
import { otherSpans } from "../files/known/other-sessions.ts"
import { targetOf } from "../files/known/restore-moment.ts"
import { moveOnlyFiles, type OnlyFiles, type RestoreOptions, withWorkspace } from "../files/only-files.ts"
import { planSteps, withGaps } from "../files/plan/plan-steps.ts"
import { stepsOf } from "../files/plan/restore-way.ts"
import { aloneFor, type OpenSession } from "../state/open-session.ts"

export function moveRounds(
  session: OpenSession,
  way: RoundsWay,
  names: readonly string[],
  options: RestoreOptions,
): Promise<MoveResult> {
  return aloneFor(session, options, () =>
    moveOnlyFiles(session, way, options, () =>
      withWorkspace(session, async (files) => {
        const rounds = roundsNamed(session, names)
        if (!rounds.ok) return rounds
        const picked = chooseRounds(session.history, rounds.rows, way)
        const planned = await planPicked(session, files, { picked, rounds: rounds.rows }, options)
        if (!planned.ok || session.log.agent !== undefined || planned.restore?.plan.actions.length === 0) return planned
        return { ...planned, tells: (moved: Moved) => entryFor(session, way, rounds.rows, moved) }
      }),
    ),
  )
}

/** A round has the name of any of its entries. */
function roundsNamed(
  { history, head }: OpenSession,
  names: readonly string[],
): { ok: true; rows: ReadonlySet<Row> } | { ok: false; failure: Failure } {
  const rows = new Set<Row>()
  for (const name of names) {
    const resolved = resolveEntry(history, head, name)
    if (!resolved.ok) return resolved
    const prompt = history.prompt(resolved.row)
    if (prompt === NONE) return { ok: false, failure: { code: "not-found", what: "entry", name } }
    rows.add(prompt)
  }
  return { ok: true, rows }
}

/** `rounds`: those that they are of. */
export async function planPicked(
  session: OpenSession,
  files: Workspace,
  { picked, rounds }: { picked: ChosenSpans | undefined; rounds: ReadonlySet<Row> },
  options: RestoreOptions,
): Promise<OnlyFiles> {
  const { history, store, log, head } = session
  const gaps = gapsOf(session, rounds)
  const { takeBack = [], bringAgain = [] } = picked?.chosen ?? {}
  const spans = [...takeBack, ...bringAgain]
  const oldest = spans.map(({ from }) => from).sort()[0] ?? session.now()
  const others = await otherSpans(store, { id: log.id, cwd: directoryOf(log) }, oldest)
  const steps = stepsOf(history, { takeBack, bringAgain }, { others, commands: ownCommands(history, oldest) })
  const target = picked === undefined ? {} : targetOf(session, picked.moment)
  const range = { from: head, to: head, target, gaps }
  const planned = await planSteps(
    session,
    files,
    { steps, named: async (made) => namingRounds(made, picked) },
    range,
    filesAsked(options),
  )
  if (!planned.ok) return planned
  const whole = withGaps(session, planned, gaps)
  if (!whole.ok || picked === undefined) return whole.ok ? { ok: true, restore: whole } : whole
  const restore = { ...whole, plan: { ...whole.plan, untaken: untakenOf(picked, whole.plan) } }
  return {
    ok: true,
    restore,
    paths: picked.paths,
    wanted: spans.flatMap(({ changes }) => changes.map(({ path }) => path)),
  }
}

/** The plan, in which no change is attributed to the person that another round may have made. */
function namingRounds(plan: RestorePlan, picked: ChosenSpans | undefined): RestorePlan {
  const theirs = new Set(picked?.others.map(({ path }) => path))
  const isTheirs = ({ path, by }: Kept | Conflict) => by === undefined && theirs.has(path)
  const isSince = ({ because }: Kept) => because === "changed-since" || because === "deleted-since"
  return {
    ...plan,
    kept: plan.kept.map((each) => (isSince(each) && isTheirs(each) ? { ...each, because: "other-round" } : each)),
    conflicts: plan.conflicts.map((each) => (isTheirs(each) ? { ...each, rounds: true } : each)),
  }
}

/** What is not known of what these rounds did to files. */
function gapsOf(session: OpenSession, rounds: ReadonlySet<Row>): FileGaps | undefined {
  const { history } = session
  const each = [...rounds]
    .sort((a, b) => a - b)
    .flatMap((prompt) => {
      const [from, to] = [endOf(history, prompt, session.head), history.parent(prompt)]
      return fileGaps(session, { moment: { before: prompt }, from, to }, []) ?? []
    })
  const last = each.at(-1)
  return last === undefined ? undefined : { ...last, rounds: each.flatMap((gaps) => gaps.rounds) }
}

/** The last entry of a round on the path to the head; of a round elsewhere, its last in the log. */
function endOf(history: History, prompt: Row, head: Row): Row {
  for (let row = head; row !== NONE && row >= prompt; row = history.parent(row))
    if (history.prompt(row) === prompt) return row
  return lastOfRound(history, prompt)
}

/**
 * By number among all steps: those of other rounds, those that the plan leaves, and those without effect, because somebody else
 * had done the same before. What had no effect stays as it was on record, so that the opposite does not do more than this did.
 */
function untakenOf({ numbers, others, chosen }: ChosenSpans, { untaken, actions }: RestorePlan): UntakenSteps[] {
  const all = new Map(others.map(({ path, steps }) => [path, [...steps]]))
  const add = (path: string, steps: readonly number[]) => all.set(path, [...(all.get(path) ?? []), ...steps])
  for (const { path, steps } of untaken)
    add(
      path,
      steps.map((i) => numbers[i] as number),
    )
  const touched = new Set(actions.map(({ path }) => path))
  for (const [i, span] of [...chosen.takeBack, ...chosen.bringAgain].entries())
    for (const { path } of span.changes) if (!touched.has(path)) add(path, [numbers[i] as number])
  return [...all].map(([path, steps]) => ({ path, steps: [...new Set(steps)].sort((a, b) => a - b) }))
}

const MOST_FILES = 20

/** One line for the model, which knows the files as they were. */
function entryFor(session: OpenSession, way: RoundsWay, rounds: ReadonlySet<Row>, { files }: Moved): MessageRecord {
  const { history } = session
  const named = [...rounds].map((row) => `${history.round(row)} (“${clip(promptOf(history, row), 60)}”)`)
  const which = `${rounds.size === 1 ? "round" : "rounds"} ${named.join(", ")}`
  const more = files.length > MOST_FILES ? ` and ${count(files.length - MOST_FILES, "more file")}` : ""
  const paths = `${files
    .slice(0, MOST_FILES)
    .map(({ path }) => sanitiseLine(path))
    .join(", ")}${more}`
  const did =
    way === "revert"
      ? `The user took back the file changes of ${which}: ${paths}. Later changes stay.`
      : `The user made the file changes of ${which} again: ${paths}.`
  const text = `<system>${did.replaceAll("<", "‹").replaceAll(">", "›")}</system>`
  return {
    id: session.ids.entry(),
    type: "message",
    parent: entryId(history, session.head),
    at: session.now(),
    role: "user",
    origin: "move",
    content: [{ type: "text", text }],
  }
}

function promptOf(history: History, row: Row): string {
  return sanitiseLine(promptText(history, row)?.text ?? "")
}
