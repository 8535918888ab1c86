// A session with an agent in it, for every front end.

import { outputFile } from "../agent/port/output.ts"
import { createJobs } from "../agent/process/jobs.ts"
import { returnsAt } from "../history/plan/plan-backtrack.ts"
import { directoryOf } from "../history/tree/directory.ts"
import type { Advice } from "../model/failure/advice.ts"
import type { EntryId } from "../model/id.ts"
import { PERMISSION_MODES, type PermissionMode } from "../model/permission-mode.ts"
import { plainText } from "../model/record/part.ts"
import type { ThinkingLevel } from "../model/thinking.ts"
import type { HostEvent } from "../protocol/event.ts"
import type { HostSession, MoveRequest, PromptInput, SendAnswer } from "../protocol/host.ts"
import { makeBackground } from "../runner/background.ts"
import { type Compacted, compactNow, hasToCompact } from "../runner/compaction.ts"
import { makeCoverage, type Owner, reasonOf } from "../runner/coverage.ts"
import { learnedWindows } from "../runner/learned-window.ts"
import { makeMeter } from "../runner/meter.ts"
import { makeSteering } from "../runner/steering.ts"
import { DEEPEST_TASK, makeRunTask } from "../runner/task.ts"
import type { TurnDeps } from "../runner/turn-deps.ts"
import { filesAsked } from "../session/files/restore.ts"
import type { MoveOptions } from "../session/operations/move.ts"
import { createSession, openSession, type Session } from "../session/session.ts"
import { makeApprovals } from "./approvals.ts"
import { diffOf } from "./diff.ts"
import type { HostDeps } from "./host-deps.ts"
import { withRunning } from "./left-running.ts"
import { MAKE_WAY, makeWay, PLAN, roundsTo, type Wish } from "./make-way.ts"
import { chooseOnPath } from "./model-choice.ts"
import { roundsOf } from "./rounds.ts"
import { makeRunning } from "./running.ts"
import { watchSandbox } from "./sandbox-state.ts"
import { runShell } from "./shell.ts"
import { statusOf } from "./status.ts"
import { summariseLeft } from "./summarise-left.ts"
import { makeDraft } from "./unsent.ts"

/** What was asked for on the command line. Setting it anew ends that, for sessions that are opened later too. */
export interface StartChoices {
  model: string | undefined
  mode: PermissionMode | undefined
  thinking: ThinkingLevel | undefined
}

/** A session is opened already, with its files. */
type SessionDeps = Omit<HostDeps, "openWorkspace">

/** What was asked for counts; else what the path or the session says, else what is configured. */
export async function hostSession(deps: SessionDeps, session: Session, asked: StartChoices): Promise<HostSession> {
  const listeners = new Set<(event: HostEvent) => void>()
  /** Notices that came before anybody listened. */
  let early: HostEvent[] = []
  const emit = (event: HostEvent) => {
    if (!event.type.endsWith("-delta")) deps.trace?.({ type: "event", session: session.id, event: event as never })
    if (listeners.size === 0 && event.type === "notice") early.push(event)
    for (const listener of listeners) listener(event)
  }
  const unheard = deps.onNotice?.((text) => emit(warning(text)))
  const cwd = directoryOf(session.log)
  const jobs = createJobs()
  const background = makeBackground(session.files, jobs, (error) => {
    const { text, advice } = reasonOf(error)
    const covers = "Changes that commands in the background make to files are not covered"
    emit(warning(`${covers}: ${text}`, advice))
  })
  const steering = makeSteering()
  const draft = makeDraft(session)
  const told = new Set<string>()
  const meter = makeMeter()
  const windows = learnedWindows()
  let commands = 0
  const running = makeRunning({ session, steering, meter, emit, turnDeps: () => turnDeps(session, 0, emit) })
  let askedMode = asked.mode
  const mode = (): PermissionMode => askedMode ?? parseMode(session.config().get("mode")) ?? deps.mode
  const sandbox = deps.sandbox?.(deps.workRoot(cwd, session.id), mode)
  const confinement = watchSandbox(sandbox, emit)
  const approvals = makeApprovals({ session, mode, rules: () => deps.rules(cwd), emit })
  const choice = await chooseOnPath({
    session,
    model: (name) => deps.model(name),
    asked: asked.model,
    askedThinking: asked.thinking,
    notice: (text, advice) => emit(warning(text, advice)),
  })
  session.on((event) => {
    if (event.type === "appended" || event.type === "changed") emit(event)
    if (event.type === "moved") emit({ type: "moved", kind: event.kind, by: event.by, from: event.from, to: event.to })
    if (event.type === "turn-stopped") void running.stop({ others: "go on" })
  })

  /** What a turn in `own` is run with; a sub-agent's has an owner and no Backtrack. */
  async function turnDeps(
    own: Session,
    depth: number,
    tell: (event: HostEvent) => void,
    owner?: Owner,
  ): Promise<TurnDeps> {
    if (depth === 0) {
      await choice.follow()
      await choice.ready()
    }
    const backtrack = deps.backtrack && depth === 0
    const runTask = depth < DEEPEST_TASK ? await taskRunner(own, depth + 1, tell, owner) : undefined
    const tools = await deps.tools(
      {
        jobs,
        ...(confinement.sandbox === undefined ? {} : { sandbox: confinement.sandbox }),
        ...(runTask === undefined ? {} : { runTask }),
        ...(backtrack ? { checkpoints: () => returnsAt(own.history, own.headRow) } : {}),
      },
      cwd,
    )
    return {
      session: own,
      model: windows.known(choice.model),
      windows,
      tools,
      root: deps.workRoot(cwd, own.id),
      env: deps.env,
      secrets: deps.secrets,
      consent: approvals,
      jobs,
      coverage: makeCoverage({
        files: session.files,
        root: cwd,
        jobs: () => jobs.list(),
        background,
        ...(owner === undefined ? {} : { owner }),
        problem: (text, advice) => tell(warning(text, advice)),
        notCovered: (files) => tell({ type: "not-covered", files }),
        told,
      }),
      steering: depth === 0 ? steering : makeSteering(),
      meter,
      emit: tell,
      now: () => deps.now(),
      tokens: (text: string) => deps.tokens(text),
      learn: (estimated: number, reported: number) => deps.learn?.(estimated, reported),
      limits: deps.limits,
      backtrack,
      systemPrompt: () => deps.systemPrompt(cwd, { tools, agent: depth === 0 ? "main" : "sub-agent" }),
      maxSteps: deps.maxSteps,
    }
  }

  async function taskRunner(own: Session, depth: number, tell: (event: HostEvent) => void, owner: Owner | undefined) {
    return makeRunTask({
      parent: own,
      depth,
      ...(owner === undefined ? {} : { owner }),
      create: (from) =>
        createSession(deps.store, { cwd, made: deps.made, from: { ...from, as: "task" } }, deps.session),
      open: (id) => openSession(deps.store, id, deps.session),
      turnDeps: (child, from, childDepth, tellChild) => turnDeps(child, childDepth, tellChild, from),
      emit: tell,
    })
  }

  async function send(input: PromptInput): Promise<SendAnswer> {
    draft.sent()
    if (input.shell === true) return shell(input)
    if (!running.active) return running.start(input)
    const recorded = steering.add(input)
    emit({ type: "steer-queued", text: input.display ?? input.text })
    return recorded
  }

  /** While a turn runs its output waits: between a call and its result there is no place for it. */
  async function shell(input: PromptInput): Promise<SendAnswer> {
    const call = `shell-${++commands}`
    const file = outputFile(deps.workRoot(cwd, session.id).scratch, call)
    const draft = await running.during(
      (signal) =>
        background.own(call, running.active, () =>
          runShell({ command: input.text, cwd, env: deps.env, file, signal, emit, call }),
        ),
      "own",
    )
    await running.idle()
    const [entry] = await session.append(draft, { durable: true })
    return { outcome: "done", entry: entry as EntryId }
  }

  /** Can be stopped from the first moment on, for as long as `work` heeds its signal. */
  const moving = (wish: Wish, request: MoveRequest = {}) =>
    running.during(async (signal) => {
      const { plan } = wish
      const way = request.dryRun === true ? {} : await makeWay(session, running, { plan, request, by: signal })
      if (way.answer !== undefined) return way.answer
      await background.mark()
      const answer = withRunning(session.history, jobs.list(), await wish.make(signal, way.planned))
      if (request.dryRun !== true) await background.mark()
      await choice.follow()
      return answer
    })

  return {
    id: session.id,
    cwd,
    file: session.log.file,
    history: session.history,
    get head() {
      return session.headRow
    },
    on(listener) {
      listeners.add(listener)
      for (const event of early) listener(event)
      early = []
      return () => listeners.delete(listener)
    },
    send,
    unsend: async () => steering.takeBack(),
    stop: () => running.stop(),
    answer: (approval, answer) => approvals.answer(approval, answer),
    back: ({ rounds = 1, ...request } = {}) =>
      moving(
        {
          plan: () => session.back({ ...PLAN, rounds }),
          make: (_, planned) => session.back({ ...options(request), rounds: roundsTo(session, planned) ?? rounds }),
        },
        request,
      ),
    goto: (entry, request = {}) =>
      moving(
        {
          plan: () => session.goto(entry, PLAN),
          async make(signal) {
            const summary =
              request.summarise === true && request.dryRun !== true
                ? await summariseLeft(await turnDeps(session, 0, emit), targetText(session, entry), signal)
                : undefined
            return session.goto(entry, { ...options(request), ...(summary === undefined ? {} : { summary }) })
          },
        },
        request,
      ),
    undo: (request = {}) =>
      moving({ plan: () => session.undo(PLAN), make: () => session.undo(options(request)) }, request),
    redo: (request = {}) =>
      moving({ plan: () => session.redo(PLAN), make: () => session.redo(options(request)) }, request),
    restore: (entry, request = {}) =>
      moving(
        {
          plan: async () => void session.resolve(entry),
          make: () => session.files.restore(entry, options(request)),
        },
        request,
      ),
    async split(entry) {
      const { session: copy, prompt } = await session.split(entry)
      await copy.close()
      return { session: copy.id, prompt }
    },
    label: (entry, name) => session.label(entry, name),
    labels: () => session.labels(),
    title: (text) => session.configure("title", text),
    async compact(focus) {
      const compacted = await running.during(async (signal): Promise<Compacted> => {
        await running.begun()
        if (running.active) {
          if (!hasToCompact(await turnDeps(session, 0, emit))) return { outcome: "nothing" }
          await running.stop({ ...MAKE_WAY, by: signal })
        }
        const wish = { cause: "person" as const, ...(focus === undefined ? {} : { focus }) }
        return compactNow(await turnDeps(session, 0, emit), wish, signal)
      })
      if (compacted.outcome === "compacted") {
        const { result, messages, missing } = compacted
        return { outcome: "compacted", entry: result.entry, messages, missing }
      }
      if (compacted.outcome === "nothing") return { outcome: "refused", failure: { code: "nothing-to-compact" } }
      const advice: Advice = ["Try again, or choose another model with ", { do: "model" }, "."]
      return {
        outcome: "refused",
        failure: { code: "invalid", problem: `The conversation was not compacted: ${compacted.problem}`, advice },
      }
    },
    diff: (request = {}) => diffOf(session, request),
    rounds: () => roundsOf(session),
    async setModel(name) {
      await choice.set(name)
      asked.model = undefined
    },
    async setThinking(level) {
      await choice.think(level)
      asked.thinking = undefined
    },
    omit: (entry) => session.omit(entry),
    permissions: () => approvals.permissions(),
    allow: (rule) => approvals.allow(rule),
    revoke: (rule) => approvals.revoke(rule),
    async setMode(next) {
      askedMode = undefined
      asked.mode = undefined
      await session.configure("mode", next)
      approvals.recheck()
    },
    config: () => session.config(),
    state: (key) => session.state(key),
    status: () =>
      statusOf({
        session,
        model: windows.known(choice.model),
        thinking: choice.thinking,
        mode: mode(),
        running: running.active,
        waiting: approvals.waiting,
        totals: meter.totals(),
        limits: deps.limits,
        tokens: (text) => deps.tokens(text),
        sandbox: confinement.current(),
      }),
    context: () => session.context(),
    takeDraft: () => draft.take(),
    async close(typed) {
      unheard?.()
      const queued = steering.takeAll()
      await running.stop({ prompt: "stays" })
      await jobs.close()
      confinement.close()
      sandbox?.close()
      await background.settled()
      const unsent = await draft.keep(typed === undefined ? queued : [...queued, typed])
      await session.close()
      return unsent
    },
  }
}

function options(request: MoveRequest & { paths?: string[] }): MoveOptions {
  const { files, dryRun } = request
  return {
    ...(files === undefined ? {} : { files }),
    ...(dryRun === undefined ? {} : { dryRun }),
    ...filesAsked(request),
  }
}

function parseMode(value: unknown): PermissionMode | undefined {
  return PERMISSION_MODES.find((mode) => mode === value)
}

function targetText(session: Session, entry: string | null): string {
  if (entry === null) return "(the beginning)"
  const record = session.history.record(session.history.rowOf(session.resolve(entry)))
  return record?.type === "message" ? plainText(record.content) : "(an earlier point)"
}

function warning(text: string, advice: Advice = ""): HostEvent {
  return { type: "notice", level: "warning", text, ...(advice.length === 0 ? {} : { advice }) }
}
