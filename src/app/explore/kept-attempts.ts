// What is known of a session's attempts between runs: their own sessions say it, in the setting `attempt`.
import { config } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId, SessionId } from "../../model/id.ts"
import { isObject, type Json } from "../../model/json.ts"
import type { AttemptEnd, AttemptState, CheckResult, CleanAnswer } from "../../protocol/explore.ts"
import type { Session } from "../../session/session.ts"
import type { SessionStore } from "../../store/port.ts"
import { copyAt } from "../../workspace/git/copy/copied-folder.ts"
import { commitsOnlyIn, removeCopy } from "../../workspace/git/copy/remove-copy.ts"

const KEY = "attempt"

/** Contract: written to the attempt's own session, never to that which it was made for. */
export async function keepAttempt(attempt: Pick<Session, "configure">, state: AttemptState): Promise<void> {
  const { label, model, steps, cost, seconds, ended, problem, checks, files, guarded, tip } = state
  const kept = { label, model, steps, cost, seconds, ended, problem, checks, files, guarded, tip }
  await attempt.configure(KEY, kept as unknown as Json)
}

/** Oldest first. Those that cannot be read are left out. */
export async function keptAttempts(store: SessionStore, session: SessionId): Promise<AttemptState[]> {
  const listed = (await store.list()).filter(({ from }) => from?.as === "attempt" && from.session === session)
  const found: AttemptState[] = []
  for (const { id, cwd } of listed) {
    const log = await store.open(id).catch(() => undefined)
    if (log === undefined) continue
    const kept = config(log.history).get(KEY)
    const busy = log.lease.holder() !== undefined
    await log.close()
    if (isObject(kept)) found.push({ ...stateOf(id, kept, busy), folder: copyOf(store, cwd) })
  }
  return found.sort((a, b) => byLabel(a.label, b.label))
}

function copyOf({ home }: SessionStore, folder: string): string | null {
  return home !== undefined && copyAt(home, folder) !== undefined ? folder : null
}

function stateOf(session: SessionId, kept: { [key: string]: Json }, busy: boolean): AttemptState {
  const number = (value: Json | undefined) => (typeof value === "number" ? value : 0)
  const text = (value: Json | undefined) => (typeof value === "string" ? value : "")
  const list = (value: Json | undefined) => (Array.isArray(value) ? value : [])
  return {
    label: text(kept.label),
    session,
    folder: null,
    model: text(kept.model),
    state: kept.ended === undefined && busy ? "running" : "ended",
    doing: "",
    steps: number(kept.steps),
    cost: typeof kept.cost === "number" ? kept.cost : null,
    seconds: number(kept.seconds),
    ...(typeof kept.ended === "string" && { ended: kept.ended as AttemptEnd }),
    ...(typeof kept.problem === "string" && { problem: kept.problem }),
    checks: list(kept.checks) as unknown as CheckResult[],
    ...(Array.isArray(kept.files) && { files: kept.files as unknown as NonNullable<AttemptState["files"]> }),
    guarded: list(kept.guarded).filter((path) => typeof path === "string"),
    tip: typeof kept.tip === "string" ? (kept.tip as EntryId) : null,
  }
}

function byLabel(a: string, b: string): number {
  return a.localeCompare(b, "en", { numeric: true })
}

/** `a` for the first exploration of a session, then `b`. A name that is in use, for whatever, is not given again. */
export function nextLetter(used: readonly string[]): string {
  const taken = new Set(used.flatMap((name) => /^([a-z]+)\d+$/.exec(name)?.[1] ?? []))
  for (let n = 0; ; n++) {
    const letter = String.fromCharCode(97 + (n % 26)).repeat(1 + Math.floor(n / 26))
    if (!taken.has(letter)) return letter
  }
}

interface CleanDeps {
  store: SessionStore
  attempts: readonly AttemptState[]
  now: number
}

/** Contract: removes nothing of an attempt that runs, that is not in the tree, or whose commits exist nowhere else. */
export async function cleanAttempts(
  { store, attempts, now }: CleanDeps,
  { label, force = false }: { label?: string; force?: boolean },
): Promise<CleanAnswer> {
  const wanted = attempts.filter((each) => label === undefined || each.label === label)
  if (label !== undefined && wanted.length === 0) {
    const problem = `There is no attempt ${label} whose copy is still there.`
    const advice = ["See those that are there with: ", { do: "attempts", way: "list" }] as const
    throw new RetconError({ code: "invalid", problem, advice })
  }
  const answer: CleanAnswer = { cleaned: [], kept: [] }
  for (const each of wanted) {
    const because = whyKept(each, store, force)
    if (because !== undefined) answer.kept.push({ label: each.label, because })
    else {
      const { home } = store
      if (each.folder !== null && home !== undefined) removeCopy(home, each.session, now)
      await store.remove(each.session)
      answer.cleaned.push(each.label)
    }
  }
  return answer
}

function whyKept({ state, ended, folder }: AttemptState, { home }: SessionStore, force: boolean): string | undefined {
  if (state !== "ended") return "It is still running."
  if (ended === undefined) return "It was interrupted, and what it did has not been taken in yet."
  const copy = home === undefined || folder === null ? undefined : copyAt(home, folder)
  const [commit] = copy === undefined || force ? [] : commitsOnlyIn(copy)
  if (commit === undefined) return undefined
  return `Commits of ${commit.name} are only in this copy. Fetch them with: git fetch ${commit.from} ${commit.name}`
}
