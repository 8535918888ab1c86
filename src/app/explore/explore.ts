// Explores: several attempts at one prompt, each a session of its own in a copy of the folder. When an attempt ends, its branch is
// taken into the tree of the session that it was made for. Nothing of that session or its folder changes before.

import type { Approval } from "../../model/approval.ts"
import type { Advice } from "../../model/failure/failure.ts"
import { wordsFor } from "../../model/failure/failure-words.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { failureOf } from "../../model/failure/system-failure.ts"
import type { SessionId } from "../../model/id.ts"
import type { PermissionMode } from "../../model/permission-mode.ts"
import { oneLine } from "../../model/text/one-line.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { HostEvent } from "../../protocol/event.ts"
import type { AttemptState, ExploreAnswer, ExploreRequest, SessionAttempts } from "../../protocol/explore.ts"
import type { HostSession, Work } from "../../protocol/host.ts"
import type { Question } from "../../protocol/numbered-event.ts"
import { workIn } from "../../protocol/open-to-work.ts"
import { openSession, type Session } from "../../session/session.ts"
import { removeCopy } from "../../workspace/git/copy/remove-copy.ts"
import type { SnapshotId, Workspace } from "../../workspace/port.ts"
import type { EmitEvent } from "../port/event-feed.ts"
import type { HostDeps } from "../port/host-deps.ts"
import { guardedAmong } from "./guarded-files.ts"
import { isHeld, runInCopy } from "./in-copy.ts"
import { cleanAttempts, keepAttempt, keptAttempts, nextLetter } from "./kept-attempts.ts"

const ATTEMPTS = 3
const MOST_ATTEMPTS = 20

export interface ExploreDeps {
  deps: Omit<HostDeps, "openWorkspace">
  session: Session
  emit: EmitEvent
  mode: () => PermissionMode
  attempts: AttemptHost
}

/** Opens what attempts work with. */
export interface AttemptHost {
  open(session: SessionId, choices: { model: string | undefined; mode: PermissionMode }): Promise<HostSession>
  openWorkspace: HostDeps["openWorkspace"]
}

export interface Explore extends SessionAttempts, Pick<Work, "explore"> {
  /** False: it is no question of an attempt. */
  answer(approval: string, answer: Approval): Promise<boolean>
  /** The open questions of attempts. */
  questions(): Question[]
  /** Ends all attempts that run. False: none does. */
  stop(): boolean
  /** Resolves when none runs any more. */
  settled(): Promise<void>
}

/** An attempt while it runs here. */
interface Attempt {
  state: AttemptState
  handle?: HostSession
  end?: AttemptState["ended"]
}

export function makeExplore({ deps, session, emit, mode, attempts: host }: ExploreDeps): Explore {
  const running = new Map<SessionId, Attempt>()
  const explorations = new Set<{ controller: AbortController; ended: Promise<unknown> }>()
  const asked = new Map<string, { handle: HostSession; question: Question }>()
  const { store } = deps

  const tell = (attempt: Attempt, change: Partial<AttemptState>) => {
    Object.assign(attempt.state, change)
    emit({ type: "attempt", state: { ...attempt.state } })
  }

  /** Events of an attempt: what it does, and its questions, which name it. */
  function follow(attempt: Attempt, handle: HostSession, event: HostEvent): void {
    const { label, session: id } = attempt.state
    const from = { label, session: id }
    if (event.type === "approval-start") {
      const question: Question = { ...event, attempt: from }
      asked.set(event.approval, { handle, question })
      emit(question)
    } else if (event.type === "approval-end") {
      asked.delete(event.approval)
      emit({ ...event, attempt: from })
    } else if (event.type === "tool-start") tell(attempt, { doing: sanitiseLine(event.title) })
    else if (event.type === "step-end" && event.task === undefined)
      tell(attempt, { steps: attempt.state.steps + 1, cost: handle.status().totals.cost ?? null })
    else if (event.type === "notice" && event.level === "warning") emit({ ...event, text: `${label}: ${event.text}` })
  }

  async function explore(request: ExploreRequest, signal: AbortSignal): Promise<ExploreAnswer> {
    const workspace = filesOf(session)
    const known = await keptAttempts(store, session.id)
    session.look()
    const base = await workspace.snapshot()
    const count = request.attempts ?? (request.models === undefined ? ATTEMPTS : request.models.length)
    const letter = nextLetter([...session.labels().values(), ...known.map(({ label }) => label)])
    const wanted = Array.from({ length: count }, (_, i) => ({
      label: `${letter}${i + 1}`,
      model: request.models?.[i % request.models.length],
    }))
    const shared: Shared = {
      request,
      base: base.id,
      workspace,
      signal,
      left: new Set(),
      spent: newSpending(request.budget),
    }
    let began = () => {}
    const first = new Promise<void>((settle) => (began = settle))
    const made: Attempt[] = []
    const jobs = limited(request.jobs ?? count)
    const [one, ...others] = wanted
    const attempts = [one, ...others].map(async (each, i) => {
      if (each === undefined) return
      // The first one's request fills the provider's cache for the others.
      if (i > 0) await first
      await jobs(async () => {
        if (signal.aborted && i > 0) return
        const attempt = await prepare(each, shared)
        made[i] = attempt
        await work(attempt, each.model, shared, i === 0 ? began : () => {})
      })
    })
    const ends = await Promise.allSettled(attempts.map((each, i) => (i === 0 ? each.finally(began) : each)))
    const failed = ends.find((end) => end.status === "rejected")
    if (failed !== undefined && made.every((each) => each === undefined)) throw failed.reason
    if (failed !== undefined)
      emit({ type: "notice", level: "warning", text: `An attempt failed: ${problemOf(failed.reason)}` })
    const checked = await beforeToo(
      made.flatMap((each) => each ?? []),
      shared,
    )
    const now = await workspace.snapshot()
    const changed = (await workspace.diff(base.id, now.id)).map(({ path }) => path)
    return {
      outcome: "explored",
      attempts: checked.map(({ state }) => state),
      changed,
      held: shared.held !== false,
      left: [...shared.left],
    }
  }

  /** Its session and its copy. Contract: nothing is left of it if that fails. */
  async function prepare(each: { label: string; model: string | undefined }, shared: Shared): Promise<Attempt> {
    const { session: split } = await session.split("head", deps.made, "", "attempt")
    const { id } = split
    const state: AttemptState = {
      label: each.label,
      session: id,
      folder: null,
      model: each.model ?? "",
      state: "preparing",
      doing: "making a copy of the folder",
      steps: 0,
      cost: null,
      seconds: 0,
      checks: [],
      guarded: [],
      tip: null,
    }
    const attempt: Attempt = { state }
    running.set(id, attempt)
    tell(attempt, {})
    try {
      const { folder, left } = await shared.workspace.copy({ snapshot: shared.base, name: id, signal: shared.signal })
      for (const path of left) shared.left.add(path)
      state.folder = folder
      await split.configure("cwd", folder)
      await split.configure("title", `${each.label}: ${oneLine(shared.request.prompt, 80)}`)
      await keepAttempt(split, state)
      await split.close()
      shared.held ??= await heldIn(folder, id, shared)
      return attempt
    } catch (error) {
      running.delete(id)
      tell(attempt, { state: "ended", ended: "failed", problem: problemOf(error) })
      await split.close()
      if (state.folder !== null && store.home !== undefined) removeCopy(store.home, id, deps.now())
      await (store.discard?.(id) ?? store.remove(id))
      throw error
    }
  }

  async function heldIn(folder: string, id: SessionId, { request }: Shared): Promise<boolean> {
    const held = await isHeld(deps, folder, id)
    if (held !== true && (request.mode ?? mode()) === "yolo") {
      const problem = `Commands of an attempt cannot be kept out of your folder here, because ${held}.`
      throw new RetconError({
        code: "invalid",
        problem,
        advice: "Use another mode, in which you are asked about each: --mode default",
      })
    }
    return held === true
  }

  async function work(attempt: Attempt, model: string | undefined, shared: Shared, began: () => void): Promise<void> {
    const { request, signal } = shared
    const { state } = attempt
    const { session: id, label } = state
    const folder = state.folder ?? ""
    const since = deps.now()
    const seconds = () => Math.round((deps.now() - since) / 1000)
    const at = { folder, session: id, label, signal }
    try {
      let start = shared.base
      if (request.setup !== undefined) {
        tell(attempt, { doing: request.setup })
        const { code, output } = await runInCopy(deps, request.setup, at)
        if (code !== 0)
          throw new RetconError({
            code: "invalid",
            problem: `${request.setup} failed in the copy: ${lastLine(output)}`,
            advice: "",
          })
        start = await snapshotIn(folder, id)
      }
      const end = await converse(attempt, model, shared, began)
      tell(attempt, { seconds: seconds(), ...end })
      const after = await snapshotIn(folder, id)
      const changes = await shared.workspace.diff(start, after)
      const files = changes.map(({ path, added, removed }) => {
        return { path, ...(added !== undefined && { added }), ...(removed !== undefined && { removed }) }
      })
      const guarded = guardedAmong(
        files.map(({ path }) => path),
        request.checks ?? [],
      )
      tell(attempt, { files, guarded })
      await takenIn(attempt)
      if (end.ended !== "stopped") await check(attempt, shared)
    } catch (error) {
      tell(attempt, { ended: signal.aborted ? "stopped" : "failed", problem: problemOf(error), seconds: seconds() })
      await takenIn(attempt)
    } finally {
      tell(attempt, { state: "ended", doing: "", seconds: seconds() })
      await kept(state)
      running.delete(id)
    }
  }

  /** The prompt, in the attempt's own session, until the agent has ended or a limit is reached. */
  async function converse(
    attempt: Attempt,
    model: string | undefined,
    { request, signal, spent }: Shared,
    began: () => void,
  ): Promise<Pick<AttemptState, "ended" | "problem">> {
    const { state } = attempt
    const handle = await host.open(state.session, { model, mode: request.mode ?? mode() })
    let why: AttemptState["ended"]
    const stop = (because: AttemptState["ended"]) => {
      why ??= because
      void handle.stop()
    }
    const onAbort = () => stop("stopped")
    signal.addEventListener("abort", onAbort, { once: true })
    const late = request.time === undefined ? undefined : setTimeout(() => stop("time"), request.time * 60_000)
    const unheard = handle.on(({ event }) => {
      follow(attempt, handle, event)
      if (event.type === "text-delta" || event.type === "reasoning-delta" || event.type === "tool-start") began()
      if (event.type !== "step-end") return
      if (spent.add(state.session, handle.status().totals.cost ?? 0)) stop("budget")
    })
    try {
      tell(attempt, { state: "running", doing: "", model: handle.status().model })
      if (signal.aborted) return { ended: "stopped" }
      const answer = await workIn(handle).send({ text: request.prompt })
      if (why !== undefined && answer.outcome !== "done") return { ended: why }
      if (answer.outcome === "failed") return { ended: "failed", problem: answer.message }
      return { ended: answer.outcome === "done" ? "done" : "stopped" }
    } finally {
      clearTimeout(late)
      signal.removeEventListener("abort", onAbort)
      unheard()
      tell(attempt, { cost: handle.status().totals.cost ?? null })
      await handle.close()
      began()
    }
  }

  async function check(attempt: Attempt, { request, signal }: Shared): Promise<void> {
    const { state } = attempt
    for (const command of request.checks ?? []) {
      tell(attempt, { state: "checking", doing: command })
      const at = { folder: state.folder ?? "", session: state.session, label: state.label, signal }
      state.checks.push(await runInCopy(deps, command, at))
    }
  }

  /** What failed in an attempt may have failed before: that is tried once, in a copy that nothing was changed in. */
  async function beforeToo(made: Attempt[], { request, base, workspace, signal }: Shared): Promise<Attempt[]> {
    const failing = (request.checks ?? []).filter((command) =>
      made.some(({ state }) => state.checks.some((each) => each.command === command && each.code !== 0)),
    )
    if (failing.length === 0 || signal.aborted || store.home === undefined) return made
    const id = deps.session.ids.session()
    try {
      const { folder } = await workspace.copy({ snapshot: base, name: id, signal })
      const at = { folder, session: id, label: "", signal }
      if (request.setup !== undefined) await runInCopy(deps, request.setup, at)
      for (const command of failing) {
        const { code } = await runInCopy(deps, command, at)
        for (const { state } of made) for (const each of state.checks) if (each.command === command) each.before = code
      }
      removeCopy(store.home, id, deps.now())
    } catch (error) {
      emit({
        type: "notice",
        level: "warning",
        text: `The check could not be tried on the files as they were: ${problemOf(error)}`,
      })
    }
    for (const { state } of made) await kept(state)
    return made
  }

  /** Its branch, in this tree. */
  async function takenIn({ state }: Attempt): Promise<void> {
    const log = await store.open(state.session)
    try {
      const { tips } = await session.takeIn([{ log, label: state.label }])
      state.tip = tips[0] ?? null
    } finally {
      await log.close()
    }
  }

  async function kept(state: AttemptState): Promise<void> {
    const attempt = await openSession(store, state.session, deps.session)
    await keepAttempt(attempt, state)
    await attempt.close()
  }

  async function snapshotIn(folder: string, id: SessionId): Promise<SnapshotId> {
    const files = await host.openWorkspace(folder, id)
    try {
      return (await files.snapshot()).id
    } finally {
      await files.close()
    }
  }

  const all = async () => {
    const here = new Map([...running].map(([id, { state }]) => [id, { ...state }]))
    const others = (await keptAttempts(store, session.id)).filter((each) => !here.has(each.session))
    return [...others, ...here.values()]
  }

  return {
    async explore(request) {
      mustBePossible(session, request)
      const controller = new AbortController()
      const ended = explore(request, controller.signal)
      const exploration = { controller, ended: ended.catch(() => undefined) }
      explorations.add(exploration)
      try {
        return await ended
      } catch (error) {
        const failure = failureOf(error)
        if (failure === undefined) throw error
        return { outcome: "refused", failure }
      } finally {
        explorations.delete(exploration)
      }
    },
    attempts: all,
    async finishAttempts() {
      const left = (await all()).filter((each) => each.state === "ended" && each.ended === undefined)
      for (const state of left) {
        const attempt: Attempt = { state }
        await takenIn(attempt)
        state.ended = "interrupted"
        await kept(state)
        emit({ type: "attempt", state })
      }
      return left
    },
    cleanAttempts: async (request = {}) => cleanAttempts({ store, attempts: await all(), now: deps.now() }, request),
    async answer(approval, answer) {
      const from = asked.get(approval)
      return from !== undefined && workIn(from.handle).answer(approval, answer)
    },
    questions: () => [...asked.values()].map(({ question }) => question),
    stop() {
      for (const { controller } of explorations) controller.abort()
      return explorations.size > 0
    },
    async settled() {
      await Promise.all([...explorations].map(({ ended }) => ended))
    },
  }
}

/** What all attempts of one exploration share. */
interface Shared {
  request: ExploreRequest
  base: SnapshotId
  workspace: Workspace
  signal: AbortSignal
  left: Set<string>
  spent: Spent
  held?: boolean
}

interface Spent {
  /** What an attempt has cost so far. True: another step as dear as the dearest so far would not fit any more. */
  add(session: SessionId, cost: number): boolean
}

function newSpending(budget: number | undefined): Spent {
  const costs = new Map<SessionId, number>()
  let largest = 0
  return {
    add(session, cost) {
      largest = Math.max(largest, cost - (costs.get(session) ?? 0))
      costs.set(session, cost)
      const sum = [...costs.values()].reduce((all, each) => all + each, 0)
      return budget !== undefined && sum + largest > budget
    },
  }
}

/** Runs at most so many at the same time; the others wait in order. */
function limited(most: number): (work: () => Promise<void>) => Promise<void> {
  let free = most
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free === 0) await new Promise<void>((settle) => waiting.push(settle))
    else free--
    try {
      await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) free++
      else next()
    }
  }
}

function filesOf(session: Session): Workspace {
  const { workspace, unavailable } = session.files
  if (unavailable !== undefined) throw new RetconError({ code: "no-workspace", ...unavailable })
  if (workspace === undefined) throw new RetconError({ code: "no-workspace", reason: "The session has no folder." })
  return workspace
}

function mustBePossible(session: Session, { prompt, attempts = 1, models }: ExploreRequest): void {
  const refuse = (problem: string, advice: Advice) => {
    throw new RetconError({ code: "invalid", problem, advice })
  }
  if (prompt.trim() === "") refuse("There is no prompt.", "Say what the attempts are to do.")
  if (!Number.isInteger(attempts) || attempts < 1 || attempts > MOST_ATTEMPTS)
    refuse(`${attempts} is no number of attempts.`, `Use a number from 1 to ${MOST_ATTEMPTS}.`)
  if (models?.length === 0) refuse("No model is named.", "Name one, or leave out the models.")
  if (session.log.header.from?.as === "attempt")
    refuse("This session is an attempt itself.", "Pick it in the session that it was made for, and explore there.")
  if (session.log.agent !== undefined)
    refuse("Another agent's program works in this session.", [
      "Continue in a copy of retcon's own: ",
      { do: "split", to: "retcon" },
    ])
}

function problemOf(error: unknown): string {
  const failure = failureOf(error)
  return failure === undefined ? (error instanceof Error ? error.message : String(error)) : wordsFor(failure).message
}

function lastLine(output: string): string {
  return sanitiseLine(output.trim().split("\n").at(-1) ?? "")
}
