// A session with an agent in it, for every front end.
import { outputFile } from "../../agent/port/output.ts"
import { createJobs } from "../../agent/process/jobs.ts"
import { promptOf } from "../../agent/prompt/prompt-files.ts"
import { directoryOf } from "../../history/tree/directory.ts"
import { agentTitle } from "../../model/agent-title.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import type { AgentChoice, Offers } from "../../model/offers.ts"
import { narrowerMode, type PermissionMode } from "../../model/permission-mode.ts"
import type { SandboxState } from "../../model/sandbox-state.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { ThinkingLevel } from "../../model/thinking.ts"
import type { AgentProgram } from "../../programs/port.ts"
import type { HostEvent } from "../../protocol/event.ts"
import type { Draft, PromptInput, SendAnswer, SendRequest, Unsent, WorkSession } from "../../protocol/host.ts"
import { makeLive } from "../../protocol/live-turn.ts"
import type { Status } from "../../protocol/shapes.ts"
import { inputDraft } from "../../runner/drafts.ts"
import { makeBackground } from "../../runner/port/background.ts"
import { reasonOf } from "../../runner/port/coverage.ts"
import { makeSteering } from "../../runner/port/steering.ts"
import type { TurnOutcome } from "../../runner/round.ts"
import { learnedWindows } from "../../runner/window/learned-window.ts"
import { makeMeter } from "../../runner/window/meter.ts"
import type { Session } from "../../session/session.ts"
import { type AttemptHost, makeExplore } from "../explore/explore.ts"
import { type EmitEvent, type EventCount, makeEventFeed, newEventCount } from "../port/event-feed.ts"
import type { HostDeps } from "../port/host-deps.ts"
import { warning } from "../port/notice.ts"
import { makeApprovals } from "../turn/approvals.ts"
import { foreignCoverage } from "../turn/foreign-coverage.ts"
import { foreignQuestions } from "../turn/foreign-questions.ts"
import { foreignRules } from "../turn/foreign-rules.ts"
import { foreignTurn, type UnrecordedPrompt } from "../turn/foreign-turn.ts"
import { type BegunAgent, holdAgent } from "../turn/live-agent.ts"
import { makeTurnDeps } from "../turn/make-turn-deps.ts"
import { chooseOnPath } from "../turn/model-choice.ts"
import { withNamedImages } from "../turn/named-images.ts"
import { makeRunning } from "../turn/running.ts"
import { sessionConsent } from "../turn/session-consent.ts"
import { recordCommand, runShell } from "../turn/shell.ts"
import { lostWords, unrecordedAnswer } from "../turn/unrecorded.ts"
import { keptDraft } from "../turn/unsent.ts"
import { accessTo } from "./access.ts"
import { compactSession } from "./compact-session.ts"
import { compareIn } from "./compare.ts"
import { diffOf } from "./diff.ts"
import { examineOpen } from "./examine-open.ts"
import { makeMoves } from "./moves.ts"
import { roundsOf } from "./rounds.ts"
import { watchSandbox } from "./sandbox-state.ts"
import { searchSession } from "./search-session.ts"
import { statusOf } from "./status.ts"
import { tellStatus } from "./tell-status.ts"

/** Choices from the command line. What the person sets later replaces them, for all who share this object. */
export interface StartChoices {
  model: string | undefined
  mode: PermissionMode | undefined
  /**
   * A mode from the command line that was replaced: it grants nothing any more, and later sessions get no wider one.
   */
  atMost: PermissionMode | undefined
  thinking: ThinkingLevel | undefined
}

export interface SessionStart {
  asked: StartChoices
  /** Where the numbering of its events continues. */
  count?: EventCount
  /** What happened before it was open, one sentence each, for the first listener. */
  first?: readonly string[]
  /** A program of another agent has begun it, and works on its first prompt. */
  begun?: BegunAgent
  attempts: AttemptHost
}

/** A session that several front ends may hold open at once. `work` is itself, as each of them holds it. */
export interface OpenHostSession extends WorkSession {
  /** One of several front ends leaves: its typed text is kept, and nothing stops. */
  keep(typed: Draft): Promise<Unsent | undefined>
  /** Tells every listener that the host is closing. */
  tellClosing(): void
}

type ChangedEvent = Extract<HostEvent, { type: "changed" }>

/** An open session, with its files. */
type SessionDeps = Omit<HostDeps, "openWorkspace">

/** Each setting comes from the command line, else from the path or the session, else from the configuration. */
export async function hostSession(
  deps: SessionDeps,
  session: Session,
  { asked, count = newEventCount(), first = [], begun, attempts }: SessionStart,
): Promise<OpenHostSession> {
  const live = makeLive()
  const feed = makeEventFeed({
    session: session.id,
    head: () => session.headRow,
    generation: () => session.log.generation,
    count,
    trace: (event) => deps.trace?.({ type: "event", session: session.id, event }),
    before(event, late) {
      if (!late) live.follow(event)
      if (!late && session.log.agent === undefined) unrecorded.follow(event)
      changes.after(event)
    },
    passed: () => live.clear(),
  })
  const { emit, on } = feed
  const changes = tellStatus(
    () => (feed.isHeard ? status(confinement.known()) : undefined),
    (now) => emit({ type: "status", status: now }),
  )
  for (const text of first) emit(warning(text))
  const unheard = deps.onNotice?.((text) => emit(warning(text)))
  const cwd = directoryOf(session.log)
  const jobs = createJobs()
  const background = makeBackground(session.files, jobs, (error) => {
    const { text, advice } = reasonOf(error)
    const covers = "Snapshots do not cover what background commands change"
    emit(warning(`${covers}: ${text}`, advice))
  })
  const steering = makeSteering()
  const local = deps.local(session.log)
  const draft = keptDraft(local)
  const unrecorded = unrecordedAnswer(local, () => ({ head: session.head, model: choice.model.id }))
  const meter = makeMeter()
  const windows = learnedWindows()
  let commands = 0
  const running = makeRunning({ session, steering, meter, feed, turn })
  let [askedMode, atMost] = [asked.mode, asked.atMost]
  const consented = sessionConsent(session, local)
  if (consented.told !== undefined) emit(warning(consented.told))
  const lost = session.log.lease.holder() === undefined ? unrecorded.lost(session.head) : undefined
  if (lost !== undefined) emit(warning(lostWords(lost.text)))
  const mode = (): PermissionMode => askedMode ?? narrowerMode(consented.mode(deps.mode), atMost)
  const root = deps.workRoot(cwd, session.id)
  const sandbox = deps.sandbox?.(root, mode)
  const confinement = watchSandbox(sandbox, emit)
  const approvals = makeApprovals({
    consented,
    mode,
    rules: () => deps.rules(root.origin ?? cwd),
    newId: () => deps.session.ids.record(),
  })
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
  const explored = makeExplore({ deps, session, emit, mode, attempts })
  const program = session.log.agent === undefined ? undefined : deps.program?.(session.log.agent, cwd)
  const theirs = program === undefined || "missing" in program ? undefined : foreign(program)
  const rules = theirs?.rules ?? approvals
  const ownTurn = (tell = feed.emitOf(feed.turn)) => turnDeps(session, 0, tell)
  /** In another agent's session that its program continues, the model is the one that it names. */
  const status = (sandboxed: SandboxState | undefined): Status => ({
    ...statusOf({
      session,
      model: windows.known(choice.model),
      thinking: choice.thinking,
      mode: mode(),
      running: running.active,
      waiting: approvals.open().length > 0,
      totals: meter.totals(),
      limits: deps.limits,
      tokens: (text) => deps.tokens(text),
      sandbox: theirs === undefined ? sandboxed : undefined,
    }),
    ...(theirs !== undefined && theirStatus(theirs.agent.offers)),
  })
  const title = agentTitle(session.log.agent ?? "")
  const theirStatus = (offers: Offers | undefined) => ({
    model: offers?.model ?? title,
    thinking: undefined,
    program: {
      ...(offers?.mode !== undefined && { mode: offers.mode }),
      ...(offers?.effort !== undefined && { effort: offers.effort }),
    },
  })
  const unwatched = local.watch(() => {
    approvals.recheck()
    changes.look()
  })
  session.on((event) => {
    if (event.type === "appended") emit(event)
    if (event.type === "changed") changedElsewhere(event)
    if (event.type === "labelled" || event.type === "configured") emit(event)
    if (event.type === "moved") emit({ type: "moved", kind: event.kind, by: event.by, from: event.from, to: event.to })
    if (event.type === "turn-stopped") void running.stop({ others: "go on" })
  })

  /** In a turn that another agent's program runs for us, what it appends is no news. */
  function changedElsewhere(event: ChangedEvent): void {
    const { did: _, followed: __, ...rest } = event
    emit(running.active && session.log.agent !== undefined ? rest : event)
    if (event.followed !== true || running.active) return
    // The model and the thinking level are those of the path, wherever others have moved it.
    choice.follow().then(
      () => changes.look(),
      (error: unknown) => emit(warning(error instanceof Error ? error.message : String(error))),
    )
  }

  async function turn(
    input: PromptInput,
    tell: EmitEvent,
    signal: AbortSignal,
    request: SendRequest,
  ): Promise<TurnOutcome | UnrecordedPrompt> {
    if (theirs !== undefined) return foreignTurn({ session, ...theirs }, input, tell, signal, request)
    // Loaded by the first turn: a session is shown without it.
    const { runTurn } = await import("../../runner/turn.ts")
    const own = { ...(await ownTurn(tell)), lostAnswer: (head: EntryId | null) => unrecorded.take(head) }
    return runTurn(own, [inputDraft(input, "prompt")], signal, request)
  }

  function foreign(program: AgentProgram) {
    const rules = foreignRules(consented)
    const agent = holdAgent({
      session,
      program,
      cwd,
      ...(begun !== undefined && { begun }),
      allowed: () => rules.allowed(),
      told: (event) => (event.type === "notice" ? emit(event) : changes.look()),
    })
    const told = new Set<string>()
    return {
      agent,
      rules,
      ask: (emit: EmitEvent) => foreignQuestions(approvals, deps.workRoot(cwd, session.id), emit),
      cover: (emit: EmitEvent) => foreignCoverage(session, { root: cwd, emit, told }),
    }
  }

  /**
   * `/name words`: the text of a skill or a command file. Anything else that begins with a slash is a prompt. Another agent's program
   * reads its own files.
   */
  function fromFile(sent: PromptInput): PromptInput {
    const [, name, typed = ""] = /^\/([\w:-]+)(?:\s+([\s\S]*))?$/.exec(sent.text.trim()) ?? []
    const files = name === undefined || theirs !== undefined ? [] : (deps.promptFiles?.(cwd) ?? [])
    const file = files.find((each) => each.name === name)
    if (file === undefined) return sent
    const { text, unrun } = promptOf(file, typed.trim())
    for (const command of unrun)
      emit(warning(`/${file.name} names a command that retcon did not run: ${sanitiseLine(command)}`))
    return { ...sent, text, display: sent.display ?? sent.text }
  }

  async function send(asked: PromptInput, request: SendRequest = {}): Promise<SendAnswer> {
    draft.sent()
    if (asked.shell === true) return shell(asked)
    const sent = asked.text.startsWith("/") ? fromFile(theirs === undefined ? asked : verbatim(asked)) : asked
    const input = withImages(sent)
    // What the program has begun the session with comes first, even if nobody sends it here.
    if (begun !== undefined && theirs?.agent.isBeginning === true && !running.active && input.text !== begun.input.text)
      void running.start(begun.input)
    if (!running.active) return running.start(input, request)
    const recorded = steering.add(input)
    emit({ type: "steer-queued", text: input.display ?? input.text })
    return recorded
  }

  /** Another agent's program reads what a prompt names by itself. */
  function withImages(sent: PromptInput): PromptInput {
    if (theirs !== undefined) return sent
    const { input, problems } = withNamedImages(sent, deps.workRoot(cwd, session.id))
    for (const problem of problems) emit(warning(problem))
    return input
  }

  async function choose(what: AgentChoice, value: string): Promise<void> {
    if (theirs === undefined) throw noProgram(what)
    await theirs.agent.choose(what, value)
    changes.look()
  }

  /** During a turn, ours or that of another process, the output waits: it cannot be recorded between a call and its result. */
  async function shell(input: PromptInput): Promise<SendAnswer> {
    const busy = session.log.lease.holder()
    if (busy !== undefined) throw new RetconError({ code: "session-busy", session: session.id, pid: busy.pid })
    const call = `shell-${++commands}`
    const file = outputFile(deps.workRoot(cwd, session.id).scratch, call)
    const draft = await running.during(
      (signal) =>
        background.own(call, running.active, () =>
          runShell({ command: input.text, cwd, env: deps.env, file, signal, emit, call }),
        ),
      "own",
    )
    return { outcome: "done", entry: await recordCommand({ session, running, emit }, draft) }
  }

  const open: OpenHostSession = {
    id: session.id,
    agent: session.log.agent,
    resume: session.log.resume,
    cwd,
    file: session.log.file,
    get access() {
      return accessTo(session.log, program)
    },
    get work() {
      return this.access.can === "all" ? this : undefined
    },
    history: session.history,
    get head() {
      return session.headRow
    },
    look: () => session.look(),
    load: async () => undefined,
    search: (text, limit, signal) => searchSession(session, { text, limit, signal }),
    on,
    live() {
      const now = live.now(running.active)
      const queued = steering.queued().map(({ display, text }) => display ?? text)
      return now && { turn: feed.turn, ...now, approvals: [...approvals.open(), ...explored.questions()], queued }
    },
    send,
    async unsend() {
      const taken = steering.takeBack()
      if (taken !== undefined) emit({ type: "steer-withdrawn", text: taken.display ?? taken.text })
      return taken
    },
    async stop() {
      const stopped = explored.stop()
      const answer = await running.stop()
      return { ...answer, stopped: stopped || answer.stopped }
    },
    answer: async (approval, answer) => approvals.answer(approval, answer) || (await explored.answer(approval, answer)),
    explore: (request) => explored.explore(request),
    attempts: () => explored.attempts(),
    finishAttempts: () => explored.finishAttempts(),
    cleanAttempts: (request) => explored.cleanAttempts(request),
    ...makeMoves({
      session,
      running,
      background,
      jobs,
      choice,
      agent: theirs?.agent,
      turnDeps: () => ownTurn(),
      leaveNote: (text) => deps.leaveNote?.(cwd, text),
    }),
    async split(entry, folder) {
      const { session: copy, prompt } = await session.split(entry, deps.made, folder)
      await copy.close()
      return { session: copy.id, prompt }
    },
    label: (entry, name) => session.label(entry, name),
    labels: () => session.labels(),
    title: (text) => session.configure("title", text),
    archive: (archived) => session.configure("archived", archived),
    compact: (focus) => compactSession(session.log, running, () => ownTurn(), focus),
    diff: (request = {}) => diffOf(session, request),
    compare: (request) => compareIn(session, request, { open: deps.openNamed, prices: deps.modelFacts }),
    doctor: () => examineOpen(session.log, session.headRow, deps.now),
    rounds: async (request = {}) => roundsOf(session, request),
    offers: async () => theirs?.agent.offered(),
    choose,
    async setModel(name) {
      if (theirs !== undefined) return choose("model", name)
      await choice.set(name)
      asked.model = undefined
      changes.look()
    },
    async setThinking(level) {
      if (theirs !== undefined) return choose("effort", level ?? "default")
      await choice.think(level ?? undefined)
      asked.thinking = undefined
      changes.look()
    },
    omit: (entry) => session.omit(entry),
    permissions: async () => rules.permissions(),
    allow: (rule) => rules.allow(rule),
    revoke: (rule) => rules.revoke(rule),
    async setMode(next) {
      if (theirs !== undefined) return choose("mode", next)
      await consented.setMode(next)
      ;[askedMode, atMost] = [undefined, undefined]
      asked.atMost ??= asked.mode
      asked.mode = undefined
      approvals.recheck()
      changes.look()
    },
    config: () => session.config(),
    state: async (key) => session.state(key),
    status: () => status(confinement.current()),
    context: async () => session.context(),
    reading: async () => (theirs === undefined ? ((await deps.reading?.(cwd)) ?? []) : []),
    takeDraft: () => draft.take(),
    draft: async () => draft.read(),
    keepDraft: async (text, media) => draft.put(text, media),
    keep: async (typed) => draft.keep([typed]),
    tellClosing: () => emit({ type: "host-closing" }),
    async close(typed) {
      unheard?.()
      unwatched()
      const queued = steering.takeAll()
      explored.stop()
      await running.stop({ prompt: "stays" })
      await explored.settled()
      await theirs?.agent.release()
      await jobs.close()
      confinement.close()
      changes.close()
      unrecorded.close()
      sandbox?.close()
      await background.settled()
      const unsent = draft.keep(typed === undefined ? queued : [...queued, typed])
      await session.close()
      return unsent
    },
  }
  return open
}

/** `//name`: a command of another agent's program, even if there is one of ours with that name. */
function verbatim({ text, display, ...more }: PromptInput): PromptInput {
  const bare = (typed: string) => typed.replace(/^\/(?=\/[\w:-])/, "")
  return { text: bare(text), ...(display !== undefined && { display: bare(display) }), ...more }
}

function noProgram(what: AgentChoice): RetconError {
  const problem = "No program of another agent works in this session."
  return new RetconError({ code: "invalid", problem, advice: `Choose the ${what} of retcon's own agent instead.` })
}
