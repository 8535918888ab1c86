// One session: its operations on a log, each in a separate file. First durable, then visible.
import { type ContextOptions, growingContext } from "../history/context/context.ts"
import type { ContextMessage } from "../history/context/message.ts"
import { resolveEntry } from "../history/plan/resolve.ts"
import { directoryOf } from "../history/tree/directory.ts"
import { nextCheckpoint, PathStates } from "../history/tree/state.ts"
import { config, entriesOf, entryId, type History, labels, type Row } from "../history/tree/tree.ts"
import { closeOnFailure } from "../model/close-on-failure.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { EntryId, SessionId } from "../model/id.ts"
import type { Json } from "../model/json.ts"
import type { Moved, MoveResult } from "../model/move/moved.ts"
import type { Entry, SessionRecord } from "../model/record/record.ts"
import { FORMAT } from "../model/record/version.ts"
import { serial } from "../model/serial.ts"
import { discarded, type SessionLog, type SessionStore } from "../store/port.ts"
import type { Workspace } from "../workspace/port.ts"
import { promptText } from "./files/describe-move.ts"
import type { RestoreOptions } from "./files/only-files.ts"
import { recoverAll, type SessionFiles, sessionFiles } from "./files/session-files.ts"
import { type BacktrackOptions, type BacktrackResult, backtrack } from "./operations/backtrack.ts"
import { type BringOptions, bring } from "./operations/bring-branch.ts"
import { type CompactOptions, type CompactResult, compact } from "./operations/compact.ts"
import { setConfig, setLabel } from "./operations/label.ts"
import { back, type GotoOptions, goTo, type MoveOptions, redo, retract, undo } from "./operations/move.ts"
import { moveRounds } from "./operations/move-rounds.ts"
import { type Omitted, omit } from "./operations/omit.ts"
import { splitLog, splitPoint, splitTitle } from "./operations/split.ts"
import { type EndedAttempt, type TakenIn, takeIn } from "./operations/take-in.ts"
import { type AppendOptions, appendEntries } from "./state/append.ts"
import { type Damage, damageAt } from "./state/damage.ts"
import type { EntryDraft } from "./state/draft.ts"
import { movedElsewhere } from "./state/moved-elsewhere.ts"
import {
  aloneFor,
  betweenTurns,
  followSoon,
  inTurn,
  notice,
  type OpenSession,
  type SessionOptions,
  tellAppended,
} from "./state/open-session.ts"
import { type Listener, makeEvents } from "./state/session-events.ts"
import { SessionHead } from "./state/session-head.ts"
import { gitWorkspace, systemOptions } from "./state/system.ts"
import { abortTurn, beginTurn, stopTurn, type Turn, type TurnOptions } from "./state/turn.ts"

export interface Session {
  readonly id: SessionId
  readonly log: SessionLog
  readonly history: History
  /** Where the next message continues, or null for the empty conversation. */
  readonly head: EntryId | null
  /** The same, as a row of `history`. */
  readonly headRow: Row

  append(drafts: EntryDraft | readonly EntryDraft[], options?: AppendOptions): Promise<EntryId[]>
  /** The person's moves. A refusal is a value; then nothing was written. */
  back(options?: MoveOptions & { rounds?: number }): Promise<MoveResult>
  /** `entry`: an id, the end of one, a label, `@N`, `head`, `head~N`; null for the empty conversation. */
  goto(entry: string | null, options?: GotoOptions): Promise<MoveResult>
  undo(options?: MoveOptions): Promise<MoveResult>
  redo(options?: MoveOptions): Promise<MoveResult>
  retract(options?: MoveOptions): Promise<MoveResult>
  /** Takes back the file changes of these rounds, and leaves later ones. The conversation stays; the model is told. */
  revert(rounds: readonly string[], options?: RestoreOptions): Promise<MoveResult>
  /**
   * Makes the file changes of these rounds again: the opposite of `revert`. One entry on another branch: brings what was found and
   * changed on it since it parted, or since it was brought the last time.
   */
  bring(what: readonly string[], options?: BringOptions): Promise<MoveResult>
  backtrack(options: BacktrackOptions): Promise<BacktrackResult>
  /** The session can be used for anything else while the summary is being made. */
  compact(options: CompactOptions): Promise<CompactResult>
  /** What attempts did in sessions that were split off becomes branches of this tree. Neither the head nor files move. */
  takeIn(attempts: readonly EndedAttempt[]): Promise<TakenIn>
  /** Stops showing models what a provider refuses; the log keeps it. Throws unless it is a message on the path. */
  omit(entry: string): Promise<Omitted>
  /** A new session that starts as this path; by default up to the head. */
  split(
    entry?: string,
    made?: SessionRecord["made"],
    /** The directory of the new one, if that of this one is unknown. */
    cwd?: string,
    /** `attempt`: lists leave it out, and it is taken in when it ends. */
    as?: "split" | "attempt",
  ): Promise<{ session: Session; prompt: Moved["prompt"] }>
  /** What such a session would start with, without creating it: for formats of other programs. */
  beginning(entry?: string): Beginning
  /** An empty name removes the label. */
  label(entry: string, name: string): Promise<EntryId>
  labels(): Map<EntryId, string>
  configure(key: string, value: Json): Promise<void>
  config(): Map<string, Json>
  /** A value that follows the path, as it is at the head. */
  state(key: string): Json | undefined
  nextCheckpoint(): number
  context(options?: ContextOptions): ContextMessage[]
  /** What the context lacks because lines of the log cannot be read; empty if nothing is missing. */
  damage(since?: Row): Damage[]
  resolve(entry: string): EntryId

  readonly files: SessionFiles
  /** Contract: throws `session-busy`, or `moved-elsewhere` if the head is not where `expects` says. */
  beginTurn(options?: TurnOptions): Promise<Turn>
  /** Throws `moved-elsewhere` if the head, with what others have appended, is not where `expects` says. */
  mustBeAt(expects: EntryId | null | undefined): void
  /** Stops the turn of this process, if one is running. */
  stopTurn(): Promise<boolean>
  /**
   * With an own head: goes to where the log's replay ends, which another writer may have moved; runs after everything requested
   * before.
   */
  follow(): void
  /** Reads what others have appended, and tells listeners. */
  look(): void
  on(listener: Listener): () => void
  /** Finishes everything requested before, and refuses everything requested later. */
  close(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** A path as the beginning of another session. */
export interface Beginning {
  /** Root first. Read while the session is open. */
  entries: Iterable<Entry>
  /** The last of them, or null for the empty conversation. */
  head: EntryId | null
  /** The prompt to edit and send again. */
  prompt: Moved["prompt"]
  /** A title for a copy of the session, different from the original's; undefined if it has none. */
  title: string | undefined
}

export async function openSession(store: SessionStore, id: SessionId, options?: OpenOptions): Promise<Session> {
  const log = await store.open(id)
  return closeOnFailure(log, () => sessionWith(store, log, options))
}

export interface OpenOptions extends Omit<Partial<SessionOptions>, "files"> {
  /**
   * `true`: snapshots of the session's folder, kept in the store's home. Moves go with the files, and what a killed restore left
   * undone is finished first. Throws `no-workspace` if the folder cannot be covered.
   */
  files?: SessionOptions["files"] | true
}

async function sessionWith(
  store: SessionStore,
  log: SessionLog,
  { files, ...options }: OpenOptions = {},
): Promise<Session> {
  if (files !== true) return sessionOn(store, log, { ...options, ...(files !== undefined && { files }) })
  if (store.home === undefined) {
    const advice = "Use a store of files, or pass a workspace."
    throw new RetconError({ code: "invalid", problem: "This store has no place for snapshots.", advice })
  }
  const workspace = await gitWorkspace({ root: directoryOf(log), home: store.home, session: log.id })
  return closeOnFailure(workspace, async () => {
    const session = sessionOn(store, log, { ...options, workspace, files: "restore" }, workspace)
    await recoverAll(session)
    return session
  })
}

export interface NewSession {
  cwd: string
  made: SessionRecord["made"]
  from?: NonNullable<SessionRecord["from"]>
}

export async function createSession(
  store: SessionStore,
  wanted: NewSession,
  { files, ...options }: OpenOptions = {},
): Promise<Session> {
  const whole = systemOptions(options)
  const log = await createLog(store, wanted, whole)
  try {
    return await sessionWith(store, log, { ...whole, files })
  } catch (error) {
    return discarded(store, log, error)
  }
}

/** The log of a new session, for `sessionOn`. */
export async function createLog(
  store: SessionStore,
  wanted: NewSession,
  options = systemOptions(),
): Promise<SessionLog> {
  const { cwd, made, from } = wanted
  const base: SessionRecord = { id: options.ids.session(), type: "session", at: options.now(), ...FORMAT, cwd, made }
  return store.create(from === undefined ? base : { ...base, from })
}

/** A session on a log that is already open. Closing the session closes the log, and what it owns. */
export function sessionOn(
  store: SessionStore,
  log: SessionLog,
  given?: Partial<SessionOptions>,
  owns?: Pick<Workspace, "close">,
): Session {
  const settings = systemOptions(given)
  const follows = () => settings.head !== "own" && !open.running
  const own = new SessionHead(log, () => follows())
  const open: OpenSession = {
    store,
    log,
    history: log.history,
    events: makeEvents(),
    ids: settings.ids,
    durability: settings.durability ?? "sync",
    now: settings.now,
    via: settings.via,
    files: settings.workspace,
    filesMode: settings.files ?? "keep",
    earlier: settings.earlier,
    get head() {
      return own.row
    },
    set head(row) {
      own.row = row
    },
    follows,
    get lost() {
      return own.lost
    },
    known: { generation: log.generation, size: log.history.size },
    openCalls: undefined,
    epoch: 0,
    running: false,
    stopping: undefined,
    queue: serial(),
    closed: false,
  }
  const newContexts = () => ({ generation: log.generation, at: growingContext(open.history, "closely") })
  let contexts = newContexts()
  const states = new PathStates()
  let stopWatching: (() => void) | undefined
  /** Finds entries that others have appended, too. */
  const resolve = (entry: string): Row => {
    notice(open)
    const resolved = resolveEntry(open.history, open.head, entry)
    if (!resolved.ok) throw new RetconError(resolved.failure)
    return resolved.row
  }

  /** Computing where the head would go does not wait for the queue: a compacting turn is stopped only afterwards. */
  const moved = (options: MoveOptions, work: () => Promise<MoveResult>) =>
    options.dryRun === true && options.only === "head" ? work() : inTurn(open, work)

  /** Reading may show that the rows do not match the log. Then the rows are rebuilt, and the read is repeated. */
  const steady = <Value>(read: () => Value): Value => {
    for (;;) {
      const { generation } = log
      const value = read()
      if (log.generation === generation) return value
    }
  }

  const close = async () => {
    open.closed = true
    abortTurn(open)
    stopWatching?.()
    await open.queue.settled()
    try {
      await log.close()
    } finally {
      await owns?.close()
    }
  }

  return {
    id: log.id,
    log,
    history: log.history,
    get head() {
      return entryId(open.history, open.head)
    },
    get headRow() {
      return open.head
    },
    append: (drafts, options) =>
      inTurn(open, () => {
        const append = () => appendEntries(open, Array.isArray(drafts) ? drafts : [drafts as EntryDraft], options)
        return options?.between === undefined ? append() : betweenTurns(open, append)
      }),
    back: (options = {}) => moved(options, () => back(open, options.rounds ?? 1, options)),
    goto: (entry, options = {}) => moved(options, () => goTo(open, entry, options)),
    undo: (options = {}) => moved(options, () => undo(open, options)),
    redo: (options = {}) => moved(options, () => redo(open, options)),
    retract: (options = {}) => inTurn(open, () => retract(open, options)),
    revert: (rounds, options = {}) => inTurn(open, () => moveRounds(open, "revert", rounds, options)),
    bring: (what, options = {}) => inTurn(open, () => bring(open, what, options)),
    backtrack: (options) => inTurn(open, () => backtrack(open, options)),
    compact: (options) => compact(open, options),
    omit: (entry) => inTurn(open, () => aloneFor(open, {}, async () => omit(open, resolve(entry), entry))),
    takeIn: (attempts) => inTurn(open, () => takeIn(open, attempts)),
    split: (entry = "head", made = log.header.made, cwd = "", as = "split") =>
      inTurn(open, async () => {
        notice(open)
        const { to, prompt } = splitPoint(open, entry === "head" ? entry : resolve(entry), as)
        const session = sessionOn(store, await splitLog(open, to, { made, cwd, as }), settings)
        return { session, prompt: promptText(open.history, prompt) }
      }),
    beginning(entry = "head") {
      notice(open)
      const { to, prompt } = splitPoint(open, entry === "head" ? entry : resolve(entry))
      const [head, title] = [entryId(open.history, to), splitTitle(open, to)]
      return { entries: entriesOf(open.history, to), head, prompt: promptText(open.history, prompt), title }
    },
    label: (entry, name) => inTurn(open, async () => setLabel(open, resolve(entry), name)),
    labels: () => steady(() => labels(open.history)),
    configure: (key, value) => inTurn(open, () => setConfig(open, key, value)),
    config: () => steady(() => config(open.history)),
    state: (key) => steady(() => states.at(open.history, open.head, key)),
    nextCheckpoint: () => steady(() => nextCheckpoint(open.history, open.head)),
    context: (options) =>
      steady(() => {
        // Rebuilt rows may say something else about the same entries.
        if (contexts.generation !== log.generation) contexts = newContexts()
        return contexts.at(open.head, options)
      }),
    damage: (since) => steady(() => damageAt(log, open.head, since)),
    resolve: (entry) => open.history.id(resolve(entry)) as EntryId,
    files: sessionFiles(open),
    beginTurn: (options) => inTurn(open, () => beginTurn(open, options)),
    mustBeAt(expects) {
      notice(open)
      const failure = movedElsewhere(open, expects)
      if (failure !== undefined) throw new RetconError(failure)
    },
    stopTurn: async () => !open.closed && inTurn(open, () => stopTurn(open)),
    follow: () => followSoon(open),
    look: () => notice(open),
    on(listener) {
      stopWatching ??= log.watch(() => tellAppended(open))
      return open.events.on(listener)
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}
