// The Host in process: what `retcon`, `retcon run` and the server are built on.
import { setTimeout as passed } from "node:timers/promises"
import { sessionIdIn } from "../formats/ids.ts"
import { directoryOf, snapshotStoreOf } from "../history/tree/directory.ts"
import { agentTitle } from "../model/agent-title.ts"
import { closeOnFailure } from "../model/close-on-failure.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { SessionId } from "../model/id.ts"
import type { ProgramEnd } from "../programs/port.ts"
import type { Host, HostSession, PromptInput, SessionPage, WorkSession } from "../protocol/host.ts"
import { recoverAll } from "../session/files/session-files.ts"
import { createLog, sessionOn } from "../session/session.ts"
import { memoryStore } from "../store/memory/memory-store.ts"
import type { SessionLog } from "../store/port.ts"
import type { AttemptHost } from "./explore/explore.ts"
import { listSessions } from "./library/list-sessions.ts"
import { watchList } from "./library/list-watch.ts"
import { hostSession, type OpenHostSession, type StartChoices } from "./open/host-session.ts"
import { makeSharedSessions } from "./open/shared-sessions.ts"
import { type EventCount, newEventCount } from "./port/event-feed.ts"
import type { HostDeps } from "./port/host-deps.ts"
import { type BegunAgent, beginAgent } from "./turn/live-agent.ts"

/** Milliseconds between checks of the list of sessions. */
const LOOK_EVERY = 2000

/** Milliseconds between looks for the file of a session that another agent begins. */
const FILE_EVERY = 20

export interface HostOptions {
  /**
   * `together` (the default): what the person sets in one session also ends what the command line asked for in those opened later,
   * because one person sits at one terminal. `apart`: only in that session, because several people and scripts use the others.
   */
  sessions?: "together" | "apart"
}

/** `model`: from the command line, for all sessions of this host until the person sets another. */
export function makeHost(deps: HostDeps, model?: string, { sessions = "together" }: HostOptions = {}): Host {
  const atStart: StartChoices = { model, mode: deps.askedMode, atMost: undefined, thinking: deps.askedThinking }
  /** By session, even while it is closed: what was set in it stays set. */
  const askedOf = new Map<SessionId, StartChoices>()
  const shared = makeSharedSessions()
  const counts = new Map<SessionId, EventCount>()
  const watched = watchList({
    list: async () => withTurns(await listSessions(deps.store, { agents: "all" })).sessions,
    every: deps.lookEvery ?? LOOK_EVERY,
    now: () => performance.now(),
  })

  /** The listing says where a turn of ours runs, and where one waits for an answer. */
  function withTurns(page: SessionPage): SessionPage {
    const turns = new Map<SessionId, "running" | "waiting">()
    for (const session of shared.all()) {
      const live = session.live()
      if (live !== undefined) turns.set(session.id, live.approvals.length > 0 ? "waiting" : "running")
    }
    if (turns.size === 0) return page
    const sessions = page.sessions.map((listing) => {
      const turn = turns.get(listing.id)
      return turn === undefined ? listing : { ...listing, turn }
    })
    return { ...page, sessions }
  }

  function choicesOf(id: SessionId): StartChoices {
    if (sessions === "together") return atStart
    const asked = askedOf.get(id) ?? { ...atStart }
    askedOf.set(id, asked)
    return asked
  }

  function countOf(id: SessionId): EventCount {
    const count = counts.get(id) ?? newEventCount()
    counts.set(id, count)
    return count
  }

  /** Opens the session with its files. Finishes first what a killed restore left undone. */
  async function covered(
    log: SessionLog,
    own: HostDeps = deps,
    begun?: BegunAgent,
    asked = choicesOf(log.id),
  ): Promise<OpenHostSession> {
    const opened: { close(): Promise<unknown> }[] = [log]
    const close = () => Promise.all(opened.map((each) => each.close()))
    if (begun !== undefined) opened.push({ close: () => begun.live.release() })
    return closeOnFailure({ close }, async () => {
      const workspace = await deps.openWorkspace(directoryOf(log), log.id, snapshotStoreOf(log.history))
      opened.push(workspace)
      const earlier = await deps.earlier?.(log)
      const given = { ...deps.session, workspace, ...(earlier !== undefined && { earlier }) }
      const session = sessionOn(own.store, log, given)
      opened.push(session)
      const first = await recoverAll(session, { store: deps.store })
      session.on(() => watched.look())
      const how = { asked, count: countOf(log.id), first, attempts, ...(begun !== undefined && { begun }) }
      return hostSession(own, session, how)
    })
  }

  /** An attempt has its own model and mode, whatever the person sets in other sessions. */
  const attempts: AttemptHost = {
    openWorkspace: (cwd, session) => deps.openWorkspace(cwd, session),
    open: (id, { model, mode }) => {
      const own = choicesOf(id)
      const asked = { model: model ?? own.model, mode, atMost: undefined, thinking: own.thinking }
      return shared.share(id, async () => covered(await deps.store.open(id), deps, undefined, asked))
    },
  }

  /** Begins a session of another agent with its own program. Its file appears with the first prompt. */
  async function begin(cwd: string, agent: string, input: PromptInput): Promise<WorkSession> {
    const program = deps.program?.(agent, cwd)
    if (program === undefined || "missing" in program) throw cannotBegin(agent, program?.missing)
    const begun = await beginAgent(program, cwd, input)
    const id = sessionIdIn(agent, begun.live.session)
    let over: ProgramEnd | undefined
    void begun.ended.then((end) => (over = end))
    for (;;) {
      const last = over
      const log = await deps.store.open(id).catch(() => undefined)
      if (log !== undefined) return shared.share(id, () => covered(log, deps, begun))
      if (last !== undefined) {
        await begun.live.release()
        throw cannotBegin(agent, last.message)
      }
      await passed(FILE_EVERY)
    }
  }

  /** A copy of a session at another path has the same id but is a different session. */
  async function openFile(path: string): Promise<HostSession> {
    if (deps.openFile === undefined) throw new RetconError({ code: "not-found", what: "session", name: path })
    const log = await deps.openFile(path)
    const open = shared.keyOf(log.id, log.file)
    if (open === undefined) return shared.share(`${log.id} ${log.file ?? ""}`, () => covered(log))
    await log.close()
    return shared.share(open, async () => covered(await deps.store.open(log.id)))
  }

  return {
    async list(query = {}) {
      await watched.ready()
      return withTurns(await listSessions(deps.store, query))
    },
    async create({ cwd, agent, prompt }) {
      if (agent !== undefined && agent !== "retcon") return begin(cwd, agent, prompt ?? { text: "" })
      const log = await createLog(deps.store, { cwd, made: deps.made }, deps.session)
      return shared.share(log.id, () => covered(log))
    },
    async draft({ cwd }) {
      const store = memoryStore()
      const log = await createLog(store, { cwd, made: deps.made }, deps.session)
      return shared.share(log.id, () => covered(log, { ...deps, store }))
    },
    async open(which) {
      if (typeof which === "string") return shared.share(which, async () => covered(await deps.store.open(which)))
      return openFile(which.path)
    },
    on: (listener) => watched.on(listener),
    async close() {
      for (const session of shared.all()) session.tellClosing()
      watched.tell({ type: "host-closing" })
      watched.close()
      await shared.closeAll()
    },
  }
}

function cannotBegin(agent: string, problem = `retcon cannot start ${agentTitle(agent)}.`): RetconError {
  return new RetconError({ code: "invalid", problem, advice: "Leave out the agent to work with retcon's own." })
}
