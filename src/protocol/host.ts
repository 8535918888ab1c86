// The Host port: everything that a front end can ask for, the same in process, over HTTP and by voice.
import type { BranchFacts } from "../history/compare/branch-facts.ts"
import type { ComparedFile } from "../history/compare/branch-files.ts"
import type { ContextMessage } from "../history/context/message.ts"
import type { History, Row } from "../history/tree/tree.ts"
import type { Approval } from "../model/approval.ts"
import type { Advice, Failure } from "../model/failure/failure.ts"
import type { EntryId, SessionId } from "../model/id.ts"
import type { Json } from "../model/json.ts"
import type { FilesMode, MoveResult } from "../model/move/moved.ts"
import type { AgentChoice, Offers } from "../model/offers.ts"
import type { PermissionMode } from "../model/permission-mode.ts"
import type { FrontEnd, Part } from "../model/record/record.ts"
import type { UnreadablePlace } from "../model/text/unreadable-words.ts"
import type { ThinkingLevel } from "../model/thinking.ts"
import type { ExploreAnswer, ExploreRequest, SessionAttempts } from "./explore.ts"
import type { HostListEvent, Live, NumberedEvent } from "./numbered-event.ts"
import type { DoctorAnswer, Permissions, ReadingRow, SessionListing, Status } from "./shapes.ts"

export interface Host {
  /** Newest first. Sub-agents' sessions have `from.as === "task"`. */
  list(query?: SessionQuery): Promise<SessionPage>
  /** With `agent`: that agent's own program begins one of its own with this prompt, whose answer `send` of the same prompt gives. */
  create(request: CreateRequest): Promise<WorkSession>
  /** A session that leaves nothing on disk: what a person sees before their first prompt, which creates a real one. */
  draft(request: { cwd: string }): Promise<WorkSession>
  /**
   * Another agent's session can be viewed, moved in and split; `work` is there only if it can be continued here.
   * Contract: everyone who opens the same session shares it: one head, one turn, one stream of events. It closes when the last of
   * them closes it. Throws RetconError `not-found`, `ambiguous`, `not-a-session`, `format-newer`.
   */
  open(session: SessionId | { path: string }): Promise<HostSession>
  /** Calls back when sessions appear, disappear or change. */
  on(listener: (event: HostListEvent) => void): () => void
  /** Contract: sends `host-closing`, stops and settles whatever runs, and closes every open session. Idempotent. */
  close(): Promise<void>
}

export interface CreateRequest {
  cwd: string
  agent?: string
  prompt?: PromptInput
}

export interface SessionQuery {
  cwd?: string
  /** Include other agents' sessions. */
  agents?: "all"
  /** Only sessions of this agent, such as `claude-code`; `retcon`: only ours. */
  agent?: string
  /** Only sessions whose title, folder or name contains this, ignoring case. */
  text?: string
  /** To get the next page: the `next` of the one before. */
  after?: string
  /** The most sessions on a page; all of them by default. */
  limit?: number
}

export interface SessionPage {
  sessions: SessionListing[]
  /** To pass as `after`; null on the last page. */
  next: string | null
  /** Other agents' files and folders that may not be read: sessions may be missing. Absent: there are none. */
  unreadable?: UnreadablePlace[]
}

/**
 * What a person can do in a session: everything; only move, label and split; or only look. `because`: a sentence to show. `failure`:
 * how anything that would add to it is refused.
 */
export type SessionAccess = { can: "all" } | { can: "move" | "look"; because: string; failure: Failure }

/** An entry that contains the text, with the words around it. */
export interface SearchHit {
  row: Row
  entry: EntryId
  /** Who or what said it: you, agent, tool, note, … */
  where: string
  before: string
  match: string
  after: string
}

/** What a person sends: the text with pastes expanded, the text as typed, and images. */
export interface PromptInput {
  text: string
  /** What the editor showed, if placeholders stood for longer pastes. */
  display?: string
  /** Images and files, in order. */
  media?: Part[]
  /** A person's own `!command`: run here, and shown to the model with the next prompt. */
  shell?: boolean
}

export interface MoveRequest {
  files?: FilesMode
  dryRun?: boolean
  onConflict?: "theirs" | "ours" | "write-conflicts"
  /** If files are restored: leave these, and everything below them, alone. */
  keep?: string[]
  /** Also leave files that someone else may have changed while a command ran. */
  onlyCertain?: boolean
  /** In another agent's session: go ahead even if retcon cannot tell whether that agent has it open. */
  evenIfRunning?: boolean
  /**
   * The head that the front end shows. If another one has moved it since, the answer is the refusal `moved-elsewhere`, with the head
   * as it is now and a plan from there; asking again with that head is the person's consent.
   */
  expects?: EntryId | null
  /** Through what it was asked for, for those who see it elsewhere. By default as the host was started. */
  via?: FrontEnd
}

export interface BringRequest extends MoveRequest {
  /** Of an entry on another branch: only the file changes of its round. */
  onlyRound?: boolean
  /** The findings in the person's words, in place of the branch's last answer; false: only the files. */
  note?: string | false
  /** The model sums up what was found; with `dryRun` the answer has it, to be edited and passed as `note`. */
  summarise?: boolean
}

export interface SendRequest {
  /** The head that the front end shows. Contract: rejects with `moved-elsewhere` if a new turn would begin at another one. */
  expects?: EntryId | null
}

/** What a session is, and what is in it. */
export interface SessionContents {
  readonly id: SessionId
  /** The agent whose session it is; undefined if it is one of ours. */
  readonly agent?: string | undefined
  /** The command that continues it in that agent. */
  readonly resume?: readonly string[] | undefined
  readonly cwd: string
  readonly file: string | undefined
  readonly access: SessionAccess
  /** The tree. It grows as events arrive; row numbers are valid until its `generation` changes. */
  readonly history: History
  readonly head: Row
  /** Reads what other processes have appended, even if the system has not told of it yet, or tells of no change at all. */
  look(): void
  /** Fetches the bodies of rows, so that `history.record` returns them. Unreadable ones stay undefined. */
  load(rows: Iterable<Row>): Promise<void>
  /** Entries that contain the text, ignoring case, newest first. Their bodies need not be loaded. Ends early if the signal aborts. */
  search(text: string, limit: number, signal?: AbortSignal): Promise<SearchHit[]>
  on(listener: (told: NumberedEvent) => void): () => void
  /** What runs now, for a front end that joins late; undefined if nothing does. */
  live(): Live | undefined
  labels(): Map<EntryId, string>
  config(): Map<string, Json>
  state(key: string): Promise<Json | undefined>
  /** Contract: synchronous; the same as in the last `status` event, which is sent on every change. */
  status(): Status
  context(): Promise<ContextMessage[]>
  /** Which files of people's own the agent reads here, which not, and why: instructions, skills, commands, rules. */
  reading(): Promise<ReadingRow[]>
  /** What is allowed without asking, what is never allowed, and rules that can never apply. */
  permissions(): Promise<Permissions>
  /**
   * What the program of another agent offers that works in this session; it is started if need be. Undefined: no such program does.
   * Contract: throws RetconError `invalid` if it cannot be started, `session-busy`.
   */
  offers(): Promise<Offers | undefined>
  /** How files differ between two entries, or between an entry and now, as a unified diff. */
  diff(request?: { from?: string; to?: string; paths?: string[] }): Promise<DiffAnswer>
  /** How two branches differ since they parted: what was said, done and spent on each, and which files each changed. */
  compare(request: CompareRequest): Promise<CompareAnswer>
  /** Reads every line. */
  doctor(): Promise<DoctorAnswer>
  /** The person's prompts with what each round changed, oldest first. `limit`: only this many, from the end. */
  rounds(request?: { limit?: number }): Promise<RoundAnswer[]>
}

/** The agent in a session: messages to it, its questions, and what it may use. */
export interface Work {
  /**
   * Starts a turn, and resolves when it has ended. While a turn runs, steers it, and resolves when the message is recorded, or as
   * `withdrawn` if it was taken back or the turn ended badly first.
   */
  send(input: PromptInput, request?: SendRequest): Promise<SendAnswer>
  /** Takes back a steering message that the model has not received yet. Returns its text. */
  unsend(): Promise<PromptInput | undefined>
  /** False if the question is no longer open. */
  answer(approval: string, answer: Approval): Promise<boolean>
  /**
   * Continues without the images and files of a message, or without its text if it has none. The log keeps them.
   * Contract: throws RetconError `not-found`, `ambiguous`, `invalid`.
   */
  omit(entry: string): Promise<{ entry: EntryId; parts: "media" | "all" }>
  /** Adds a rule to this session. Throws RetconError `invalid` if it is not a valid rule. */
  allow(rule: string): Promise<void>
  /** Removes a rule from this session; `Write` and `Edit` of the same files go together. False if there is no such rule. */
  revoke(rule: string): Promise<boolean>
  /** Where another agent's program works, this, the thinking level and the mode are its own: see `choose`. */
  setModel(model: string): Promise<void>
  /** Recorded on the path from here on, so going back restores the earlier level. Null: the model's own default again. */
  setThinking(level: ThinkingLevel | null): Promise<void>
  setMode(mode: PermissionMode): Promise<void>
  /** Something that another agent's program offers, by id or name, until the session is closed. Throws RetconError `invalid`. */
  choose(what: AgentChoice, value: string): Promise<void>
  /**
   * Several attempts at a prompt, each in a copy of the folder. Resolves when all have ended and are branches of this tree; `stop`
   * ends them early.
   */
  explore(request: ExploreRequest): Promise<ExploreAnswer>
}

/** Operations on the tree and the files. Each is recorded, and can be undone. */
export interface SessionMoves {
  back(request?: MoveRequest & { rounds?: number }): Promise<MoveResult>
  goto(entry: string | null, request?: MoveRequest & { summarise?: boolean }): Promise<MoveResult>
  undo(request?: MoveRequest): Promise<MoveResult>
  redo(request?: MoveRequest): Promise<MoveResult>
  restore(entry: string, request?: MoveRequest & { paths?: string[] }): Promise<MoveResult>
  /** Takes back the file changes of these rounds, and leaves those of later ones. The conversation stays; the model is told. */
  revert(rounds: string[], request?: MoveRequest): Promise<MoveResult>
  /**
   * Makes the file changes of these rounds again: the opposite of `revert`. One entry on another branch: brings what was found and
   * changed on it since it parted, or since it was brought the last time, and stays here.
   */
  bring(what: string[], request?: BringRequest): Promise<MoveResult>
  /** Goes to a branch with its files: `goto` with files. */
  pick(branch: string, request?: MoveRequest): Promise<MoveResult>
  /** `cwd`: where the copy works if this session's folder is unknown. */
  split(entry?: string, cwd?: string): Promise<{ session: SessionId; prompt: { id: EntryId; text: string } | null }>
  compact(focus?: string): Promise<CompactAnswer>
  /** Stops what runs: a turn, or a move that takes its time. If nothing was visible yet, the prompt is withdrawn and returned. */
  stop(): Promise<{ stopped: boolean; withdrawn?: PromptInput; returned?: string[] }>
}

/** What a session is called, and where it is listed. */
export interface SessionNames {
  label(entry: string, name: string): Promise<EntryId>
  title(text: string): Promise<void>
  /** Whether lists leave it out. */
  archive(archived: boolean): Promise<void>
}

/** An open session. A caller that needs only one side of it asks for that interface. */
export interface HostSession extends SessionContents, SessionMoves, SessionNames, SessionAttempts {
  /** This session, with the agent in it. Undefined if nobody can add to it here: `access` says why. */
  readonly work: WorkSession | undefined
  /** What was typed but not sent when the session was last closed. The caller must show it, so that it is sent or kept again. */
  takeDraft(): Draft | undefined
  /** The same, which stays kept: for a front end that others may be beside, such as two tabs of a browser. */
  draft(): Promise<Draft | undefined>
  /** What is typed now, in the place of what was kept. Without `media`, the images and files that were kept stay. */
  keepDraft(text: string, media?: Part[]): Promise<void>
  /**
   * Leaves the session; the last one to leave stops whatever runs. Queued messages, followed by `typed`, are kept as the draft and
   * returned. A draft that nobody took stays. Contract: idempotent.
   */
  close(typed?: Draft): Promise<Unsent | undefined>
}

/** An open session that can be continued here. */
export interface WorkSession extends HostSession, Work {}

/** What a person typed and has not sent. */
export interface Draft extends PromptInput {
  /** A move gave it back, and the person has not changed it: the conversation has it, too. */
  inLog?: true
}

export interface Unsent {
  draft: Draft
  /** Why it could not be kept. Show the text to the person once more. */
  problem?: string
}

export type SendAnswer =
  | { outcome: "done" | "steered"; entry: EntryId }
  /** `entry`: the turn's prompt, unless it was stopped before the prompt was recorded. */
  | { outcome: "stopped"; entry: EntryId | null }
  | { outcome: "withdrawn"; input: PromptInput }
  | { outcome: "failed"; message: string; advice: Advice }

export type CompactAnswer =
  | { outcome: "compacted"; entry: EntryId; messages: number; missing: string[] }
  | { outcome: "refused"; failure: Failure }

export type DiffAnswer =
  | { outcome: "diff"; patch: string; files: { path: string; change: string; added?: number; removed?: number }[] }
  | { outcome: "refused"; failure: Failure }

/** Each an entry, another session that has entries in common with this one, or SESSION:ENTRY. */
export interface CompareRequest {
  a: string
  /** By default the head. */
  b?: string
  /** Also how the files differ between the two ends, as a unified diff. */
  patch?: boolean
}

export type CompareAnswer =
  | {
      outcome: "compared"
      /** The last entry that both have, and the number of its round; null and 0: they begin apart. */
      common: EntryId | null
      round: number
      sides: [ComparedSide, ComparedSide]
      files: ComparedFile[]
      patch?: string
    }
  | { outcome: "refused"; failure: Failure }

/** A branch since the other one parted from it. */
export interface ComparedSide extends BranchFacts {
  /** Its label, or a name by which it can be asked for. */
  name: string
  session: SessionId
  /** Whether it ends at the head of the session in which it was asked for. */
  isHead: boolean
  /** Rounds of which it is not known what they did to files. */
  uncovered: number
}

export interface RoundAnswer {
  prompt: EntryId
  row: Row
  text: string
  at: string
  /** Its number on its path. */
  round: number
  /** The agent's Backtrack left it behind: it is on another path, and can be named only by its id. */
  passed?: boolean
  files: { path: string; change: string }[]
  /** What the person typed while the agent worked on this round, in order. */
  steer: SteerAnswer[]
}

export interface SteerAnswer {
  entry: EntryId
  text: string
  at: string
}
