// A session with an agent in it, for every front end.

import { outputFile } from "../agent/port/output.ts"
import { createJobs } from "../agent/process/jobs.ts"
import { directoryOf } from "../history/tree/directory.ts"
import type { EntryId } from "../model/id.ts"
import { PERMISSION_MODES, type PermissionMode } from "../model/permission-mode.ts"
import type { ThinkingLevel } from "../model/thinking.ts"
import type { HostSession, PromptInput, SendAnswer } from "../protocol/host.ts"
import { makeBackground } from "../runner/background.ts"
import { reasonOf } from "../runner/coverage.ts"
import { learnedWindows } from "../runner/learned-window.ts"
import { makeMeter } from "../runner/meter.ts"
import { makeSteering } from "../runner/steering.ts"
import type { Session } from "../session/session.ts"
import { makeApprovals } from "./approvals.ts"
import { compactSession } from "./compact-session.ts"
import { diffOf } from "./diff.ts"
import type { HostDeps } from "./host-deps.ts"
import { makeListeners } from "./listeners.ts"
import { makeTurnDeps } from "./make-turn-deps.ts"
import { chooseOnPath } from "./model-choice.ts"
import { makeMoves } from "./moves.ts"
import { warning } from "./notice.ts"
import { roundsOf } from "./rounds.ts"
import { makeRunning } from "./running.ts"
import { watchSandbox } from "./sandbox-state.ts"
import { runShell } from "./shell.ts"
import { statusOf } from "./status.ts"
import { makeDraft } from "./unsent.ts"

/** What was asked for on the command line, until the person sets it again: then also for sessions that are opened later. */
export interface StartChoices {
  model: string | undefined
  mode: PermissionMode | undefined
  thinking: ThinkingLevel | undefined
}

/** The session is open already, with its files. */
type SessionDeps = Omit<HostDeps, "openWorkspace">

/** What was asked for applies; otherwise what the path or the session says, then what is configured. */
export async function hostSession(deps: SessionDeps, session: Session, asked: StartChoices): Promise<HostSession> {
  const { emit, on } = makeListeners((event) =>
    deps.trace?.({ type: "event", session: session.id, event: event as never }),
  )
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
  const meter = makeMeter()
  const windows = learnedWindows()
  let commands = 0
  const running = makeRunning({ session, steering, meter, emit, turnDeps: () => ownTurn() })
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
  const turnDeps = makeTurnDeps({
    deps,
    session,
    cwd,
    jobs,
    background,
    sandbox: confinement.sandbox,
    choice,
    windows,
    approvals,
    steering,
    meter,
  })
  const ownTurn = () => turnDeps(session, 0, emit)
  session.on((event) => {
    if (event.type === "appended" || event.type === "changed") emit(event)
    if (event.type === "moved") emit({ type: "moved", kind: event.kind, by: event.by, from: event.from, to: event.to })
    if (event.type === "turn-stopped") void running.stop({ others: "go on" })
  })

  async function send(input: PromptInput): Promise<SendAnswer> {
    draft.sent()
    if (input.shell === true) return shell(input)
    if (!running.active) return running.start(input)
    const recorded = steering.add(input)
    emit({ type: "steer-queued", text: input.display ?? input.text })
    return recorded
  }

  /** While a turn runs, the output waits: there is no place for it between a call and its result. */
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

  return {
    id: session.id,
    agent: session.log.agent,
    resume: session.log.resume,
    cwd,
    file: session.log.file,
    history: session.history,
    get head() {
      return session.headRow
    },
    on,
    send,
    unsend: async () => steering.takeBack(),
    stop: () => running.stop(),
    answer: (approval, answer) => approvals.answer(approval, answer),
    ...makeMoves({ session, running, background, jobs, choice, turnDeps: ownTurn }),
    async split(entry, folder) {
      const { session: copy, prompt } = await session.split(entry, deps.made, folder)
      await copy.close()
      return { session: copy.id, prompt }
    },
    label: (entry, name) => session.label(entry, name),
    labels: () => session.labels(),
    title: (text) => session.configure("title", text),
    compact: (focus) => compactSession(session.log, running, ownTurn, focus),
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

function parseMode(value: unknown): PermissionMode | undefined {
  return PERMISSION_MODES.find((mode) => mode === value)
}
