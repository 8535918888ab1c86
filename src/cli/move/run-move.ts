// What back, goto, undo and redo share: choosing the session, the dry run, and showing the outcome.
import { setTimeout as pause } from "node:timers/promises"
import { workspacePath } from "../../app/open/workspace-path.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { Conflict } from "../../model/move/file-outcomes.ts"
import type { FilesMode, MoveResult } from "../../model/move/moved.ts"
import { conflictWords } from "../../model/text/file-reasons.ts"
import { sanitise, sanitiseLine, shellCommand } from "../../model/text/sanitise.ts"
import type { MoveOptions } from "../../session/operations/move.ts"
import type { Session } from "../../session/session.ts"
import { isYes } from "../port/arguments.ts"
import type { Cli } from "../port/cli.ts"
import { ConflictsError, UsageError } from "../port/errors.ts"
import { printJson } from "../port/print-json.ts"
import { completing } from "../process/interrupt.ts"
import { type SessionChoice, withChosenFiles } from "../sessions/select.ts"
import type { ConflictFlags } from "./files-lines.ts"
import { onConflict } from "./files-lines.ts"
import { type MoveWords, movedText } from "./moved-text.ts"

export interface MoveFlags extends SessionChoice, ConflictFlags {
  files?: FilesMode
  /** Paths, as typed. */
  keep?: string[]
  onlyCertain?: boolean
  evenIfRunning?: boolean
  dryRun?: boolean
  json?: boolean
}

/** What it does, in the past: "Went back 1 round". And as a dry run: "Would go back 1 round". */
export interface Move extends MoveWords {
  make: (options: MoveOptions) => Promise<MoveResult>
}

/** Contract: a refusal is thrown as its failure; then nothing was written. */
export async function runMove(cli: Cli, flags: MoveFlags, moveOf: (session: Session) => Move): Promise<void> {
  await runSteps(cli, { ...flags, steps: 1 }, moveOf)
}

export interface StepFlags extends MoveFlags {
  /** How many times; once by default. */
  steps?: number
}

/**
 * One move after the other, each shown once it is made. Contract: a refusal is thrown, and the steps before it stay.
 */
export async function runSteps(cli: Cli, flags: StepFlags, moveOf: (session: Session) => Move): Promise<void> {
  const { steps = 1 } = flags
  if (steps > 1 && flags.dryRun === true) {
    throw new UsageError("A dry run shows one step.", "Leave out the number, or leave out --dry-run.")
  }
  const told = () => cli.err.write(FINISHING)
  await completing(told, ({ whole, isStopped }) =>
    withChosenFiles(cli, flags, async (session, which) => {
      for (let step = 1; step <= steps && !isStopped(); step++) {
        const { make, ...words } = moveOf(session)
        const move = { ...words, which, step, make: (options: MoveOptions) => whole(() => make(options)) }
        await makeMove(cli, flags, session, move)
      }
    }),
  )
}

const FINISHING =
  "Finishing this move first, so that no file is left half restored. Press Ctrl-C again to end at once.\n"

async function makeMove(cli: Cli, flags: MoveFlags, session: Session, move: Move): Promise<void> {
  const files = flags.files === undefined ? {} : { files: flags.files }
  const result = await askedIfUnsure(cli, flags, (evenIfRunning) =>
    move.make({
      by: "person",
      dryRun: flags.dryRun === true,
      ...files,
      ...onConflict(flags),
      ...(flags.keep === undefined ? {} : { keep: flags.keep.map((path) => workspacePath(cli, session.log, path)) }),
      ...(flags.onlyCertain === true && { onlyCertain: true }),
      evenIfRunning,
    }),
  )
  if (result.outcome === "refused") {
    const { failure, conflicts = [] } = result
    if (conflicts.length === 0) throw new RetconError(failure)
    if (flags.json !== true) cli.err.write(conflictsText(conflicts))
    throw new ConflictsError(failure, conflicts)
  }
  if (flags.json === true) {
    const { head, left, prompt, files, ...more } = result
    printJson(cli.out, { head, left, prompt, files, ...more, session: session.id, dryRun: flags.dryRun === true })
  } else {
    const text = movedText(session.history, result, { ...move, ...resumeThere(cli, session) }, cli.out.width)
    cli.out.write((move.step ?? 1) > 1 ? `\n${text}` : text)
  }
}

/** Asks the person if nothing shows whether another agent has the session open. */
async function askedIfUnsure(
  cli: Cli,
  flags: MoveFlags,
  make: (evenIfRunning: boolean) => Promise<MoveResult>,
): Promise<MoveResult> {
  const result = await makeWhenLeft(cli, flags, make)
  if (result.outcome !== "refused" || result.failure.code !== "perhaps-running") return result
  if (!cli.in.isTerminal || flags.json === true) return result
  const agent = agentTitle(result.failure.agent)
  const answer = await cli.in.ask(
    `retcon cannot tell whether ${agent} has this session open. Have you closed it there? [y/N] `,
  )
  return isYes(answer) ? make(true) : result
}

/** How long to wait for an agent's background process to let go of a session. Codex takes a minute. */
const LONGEST_WAIT_MS = 90_000
const LOOK_MS = 500

/** The person says that they have closed it, so if only the agent's background process still has it open, that is waited for. */
async function makeWhenLeft(
  cli: Cli,
  flags: MoveFlags,
  make: (evenIfRunning: boolean) => Promise<MoveResult>,
): Promise<MoveResult> {
  if (flags.evenIfRunning !== true) return make(false)
  let [result, waited] = [await make(true), 0]
  while (lingers(result) && waited < LONGEST_WAIT_MS) {
    if (waited === 0) cli.err.write("Waiting until its background process lets go of the session: about a minute.\n")
    await pause(LOOK_MS)
    waited += LOOK_MS
    result = await make(true)
  }
  return result
}

function lingers(result: MoveResult): boolean {
  return result.outcome === "refused" && result.failure.code === "session-busy" && result.failure.lingers === true
}

/** Another agent's session: how to continue it there. */
function resumeThere(cli: Cli, { log }: Session): Pick<MoveWords, "resume"> {
  if (log.agent === undefined) return {}
  const command = log.resume && shellCommand(log.resume, { needed: directoryOf(log) || cli.cwd, current: cli.cwd })
  return command === undefined ? {} : { resume: `${agentTitle(log.agent)}: ${command}` }
}

const MOST_LINES = 6

/** Each place where the person, or another session, and the agent changed the same lines: file, line, both sides. */
export function conflictsText(conflicts: readonly Conflict[]): string {
  return conflicts
    .flatMap((conflict) => {
      const { path, parts, branches } = conflict
      return [
        `${sanitiseLine(path)}: ${whyConflict(conflict)}`,
        ...(branches === undefined
          ? []
          : [
              `  The agent changed it on ${sanitiseLine(branches.from)}, and git has switched to ${sanitiseLine(branches.to)} since.`,
            ]),
        ...parts.flatMap((part) => [`  line ${part.line}, now:`, ...side(part.now), "  then:", ...side(part.before)]),
      ]
    })
    .map((line) => `${line}\n`)
    .join("")
}

/** What is in its place belongs to the person, so they must move it. */
function whyConflict({ because, by, unseen, rounds, holds }: Conflict): string {
  if (holds !== undefined) return heldBy(holds)
  const words = conflictWords({ because, by, unseen, rounds })
  return because === "in-the-way" ? `${words}: move that away, or leave it there with --ours or --keep` : words
}

function heldBy(path: string): string {
  return `its folder would be removed, but contains ${sanitiseLine(path)}, which is not covered by snapshots: move that away first`
}

function side(text: string): string[] {
  const lines = sanitise(text).replace(/\n$/, "").split("\n")
  const more = lines.length > MOST_LINES ? [`    … ${lines.length - MOST_LINES} more lines`] : []
  return [...lines.slice(0, MOST_LINES).map((line) => `    ${line}`), ...more]
}
