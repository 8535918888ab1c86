// Snapshots around what a turn does. The first one runs while the model answers and is awaited before anything writes:
// a call is not made if its changes could not be taken back.
import type { BackgroundJob } from "../../agent/process/jobs.ts"
import type { ToolInfo } from "../../agent/step/step-context.ts"
import { type Advice, adviceText } from "../../model/failure/failure.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import type { SnapshotChange } from "../../model/record/record.ts"
import { bytes } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { OpenSpan } from "../../session/files/known/call-snapshots.ts"
import { pathsInside } from "../../session/files/known/paths-inside.ts"
import type { NotCovered, SessionFiles } from "../../session/files/session-files.ts"
import type { Background } from "./background.ts"

export interface Coverage {
  /** The round begins. Returns at once; a failure is reported. */
  begin(prompt: EntryId): void
  /** Why the call must not be made: its changes could not be saved. If files are never covered, no call is refused. */
  before(entry: EntryId, info: ToolInfo): Promise<string | undefined>
  after(info: ToolInfo): Promise<SnapshotChange[]>
  /** What a call changed, once it has ended. */
  changes(call: string): SnapshotChange[]
  /** Records what background commands have done so far: before a prompt, and before and after files are moved. */
  mark(): Promise<void>
  end(prompt: EntryId): Promise<void>
  /** The turn was stopped before anything ran: nothing more is reported. */
  leave(): void
}

/** A sub-agent's changes belong to the round that called it: its calls are spans of that entry. */
export interface Owner {
  entry: EntryId
  call: string
}

interface Reason {
  text: string
  advice: Advice
}

export interface CoverageDeps {
  files: SessionFiles
  root: string
  /** Background commands, and what tracks their spans. */
  jobs: () => readonly BackgroundJob[]
  background: Background
  owner?: Owner
  problem(text: string, advice?: Advice): void
  /** Reports files that cannot be restored, each once. */
  notCovered(files: NotCovered[]): void
  /** What has already been reported, in this and earlier turns. */
  told: Set<string>
}

export function makeCoverage(deps: CoverageDeps): Coverage {
  const { files, root, owner, told, background } = deps
  const open = new Map<string, OpenSpan>()
  const changed = new Map<string, SnapshotChange[]>()
  /** Undefined if no file is covered. */
  let first: { prompt: EntryId; saved: Promise<Reason | undefined> } | undefined
  let left = false

  function tell(text: string, advice?: Advice): void {
    if (!told.has(text)) deps.problem(text, advice)
    told.add(text)
  }

  function tellNotCovered(): void {
    const fresh = files.notCovered().filter(({ path, because }) => !told.has(`${because} ${path}`))
    for (const { path, because } of fresh) told.add(`${because} ${path}`)
    if (fresh.length > 0) deps.notCovered(fresh)
  }

  /** Why it failed; undefined if it did not. */
  async function problemOf(work: () => Promise<unknown>): Promise<Reason | undefined> {
    try {
      await work()
      tellNotCovered()
      return undefined
    } catch (error) {
      const { text, advice } = reasonOf(error)
      if (!isNeverCovered(error)) return { text, advice }
      if (!left) tell(`Files are not covered: ${text}`, advice)
      first = undefined
      return undefined
    }
  }

  /** The files before the round. Contract: if it fails, the next call tries again; nothing has changed until then. */
  function saveFirst(prompt: EntryId): { prompt: EntryId; saved: Promise<Reason | undefined> } {
    const saved = owner === undefined ? problemOf(() => files.markRound(prompt, "before")) : Promise.resolve(undefined)
    return { prompt, saved }
  }

  /** These cannot be restored, so the person is told when it happens. */
  function tellLost(): void {
    const lost = files.lost()
    if (lost.length === 0) return
    const it = lost.length === 1 ? "it" : "them"
    deps.problem(`The command removed ${listed(lost)}, which snapshots do not cover: retcon cannot bring ${it} back.`)
  }

  /** Reported once per session. */
  async function tellBudget(): Promise<void> {
    const usage = await files.workspace?.usage().catch(() => undefined)
    if (usage === undefined || usage.bytes <= usage.budget || told.has(OVER_BUDGET)) return
    told.add(OVER_BUDGET)
    const above = `Snapshots of this folder take ${bytes(usage.bytes)}, above the budget of ${bytes(usage.budget)}.`
    deps.problem(above, FREE_SPACE)
  }

  async function close(call: string): Promise<SnapshotChange[]> {
    const span = open.get(call)
    open.delete(call)
    let found: SnapshotChange[] = []
    const closed = async () => {
      if (span !== undefined) found = await files.closeSpan(span)
    }
    const problem = await problemOf(closed)
    if (problem !== undefined)
      deps.problem(
        `What this call changed is not covered, and undo cannot take it back: ${problem.text}`,
        problem.advice,
      )
    if (span !== undefined) tellLost()
    changed.set(call, [...(changed.get(call) ?? []), ...found])
    return found
  }

  return {
    begin(prompt) {
      if (files.unavailable !== undefined) {
        const { reason, advice } = files.unavailable
        if (owner === undefined) tell(`Files are not covered: ${reason}.`, advice)
        return
      }
      first = saveFirst(prompt)
      void first.saved.then((problem) => {
        if (problem !== undefined && !left)
          tell(
            `${NOT_SAVED}, so nothing that may change them will run until they can be: ${problem.text}`,
            problem.advice,
          )
      })
    },
    async before(entry, info) {
      const begun = first
      if (info.effects.effect === "reads" || begun === undefined) return undefined
      if ((await begun.saved) !== undefined && first === begun) first = saveFirst(begun.prompt)
      const failed = await first?.saved
      // It has since turned out that no file of this folder is ever covered, which was reported.
      if (first === undefined) return undefined
      const problem =
        failed ??
        (await problemOf(async () => {
          const span = await files.openSpan(callFor(root, entry, info, owner))
          if (span !== undefined) open.set(info.call, span)
        }))
      return problem === undefined
        ? undefined
        : `This call was not made. ${NOT_SAVED} before it, so it could not be undone: ${problem.text} ${adviceText(problem.advice)}`
    },
    async after(info) {
      const job = deps.jobs().findLast((each) => each.call === info.call && each.ended === undefined)
      const span = open.get(info.call)
      if (job === undefined || span === undefined) return close(info.call)
      open.delete(info.call)
      background.keep(job, span)
      return []
    },
    changes: (call) => changed.get(call) ?? [],
    mark: () => background.mark(),
    async end(prompt) {
      for (const call of open.keys()) await close(call)
      await background.mark()
      if (owner !== undefined || first === undefined || (await first.saved) !== undefined) return
      const problem = await problemOf(() => files.markRound(prompt, "after"))
      if (problem !== undefined) tell(`${NOT_SAVED} after this turn: ${problem.text}`, problem.advice)
      else if (!told.has(OVER_BUDGET)) await tellBudget()
    },
    leave() {
      left = true
    },
  }
}

const NOT_SAVED = "The files could not be saved"
const OVER_BUDGET = "over budget"
const FREE_SPACE: Advice = [
  "Free unused space with: ",
  { do: "gc" },
  ". Allow more with: ",
  { do: "config", key: "workspace.budget", value: "BYTES" },
]
const MOST_NAMED = 5

function listed(paths: readonly string[]): string {
  const named = (paths.length > MOST_NAMED + 1 ? paths.slice(0, MOST_NAMED) : paths).map(sanitiseLine)
  const rest = paths.length - named.length
  const all = rest === 0 ? named : [...named, `${rest} more`]
  return all.length < 2 ? all.join("") : `${all.slice(0, -1).join(", ")} and ${all.at(-1)}`
}

/**
 * Whether the folder is too large, or nobody allowed snapshots of it. The person is told, and can work there anyway.
 */
function isNeverCovered(error: unknown): boolean {
  return error instanceof RetconError && ["too-many-files", "no-workspace"].includes(error.code)
}

/** Catches unexpected errors too: a snapshot that runs during the answer must end neither the turn nor the process. */
export function reasonOf(error: unknown): Reason {
  if (!(error instanceof RetconError))
    return { text: error instanceof Error ? error.message : String(error), advice: "" }
  const { message, advice } = wordsFor(error.failure)
  return { text: message, advice }
}

function callFor(root: string, entry: EntryId, info: ToolInfo, owner: Owner | undefined) {
  const place =
    owner === undefined ? { entry, call: info.call } : { entry: owner.entry, call: `${owner.call}/${info.call}` }
  if (info.effects.anywhere) return place
  return { ...place, paths: pathsInside(root, info.effects.paths) }
}
