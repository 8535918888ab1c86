// The Host port: everything a front end can ask. In process, over HTTP or by voice, it is the same.

import type { ContextMessage } from "../history/context/message.ts"
import type { History, Row } from "../history/tree/tree.ts"
import type { Approval } from "../model/approval.ts"
import type { Advice } from "../model/failure/advice.ts"
import type { Failure } from "../model/failure/failure.ts"
import type { EntryId, SessionId } from "../model/id.ts"
import type { Json } from "../model/json.ts"
import type { FilesMode, MoveResult } from "../model/move/moved.ts"
import type { PermissionMode } from "../model/permission-mode.ts"
import type { Part } from "../model/record/part.ts"
import type { ThinkingLevel } from "../model/thinking.ts"
import type { HostEvent } from "./event.ts"
import type { Permissions, SessionListing, Status } from "./shapes.ts"

export interface Host {
  /** Newest first. Sub-agents' sessions have `from.as === "task"`. `agents`: those of other agents too. */
  list(query?: { cwd?: string; agents?: "all" }): Promise<SessionListing[]>
  create(request: { cwd: string }): Promise<HostSession>
  /** A session that leaves nothing behind: what a person looks at before their first prompt, which needs a real one. */
  draft(request: { cwd: string }): Promise<HostSession>
  /**
   * Another agent's session can be looked at, moved in and split; what would add to it throws `read-only`. To go on here:
   * `openToWork`.
   * Contract: throws RetconError `not-found`, `ambiguous`, `not-a-session`, `format-newer`.
   */
  open(session: SessionId): Promise<HostSession>
  close(): Promise<void>
}

/** What a person sends: the text with pastes expanded, what they typed, and images. */
export interface PromptInput {
  text: string
  /** What the editor showed, when pastes stood for more. */
  display?: string
  /** Images and files, in order. */
  media?: Part[]
  /** A `!command` of the person: run here, shown to the model with the next prompt. */
  shell?: boolean
}

export interface MoveRequest {
  files?: FilesMode
  dryRun?: boolean
  onConflict?: "theirs" | "ours" | "write-conflicts"
  /** Of the files that come along: these stay as they are, and what is below them. */
  keep?: string[]
  /** What changed while a command ran stays too: somebody else may have changed it. */
  onlyCertain?: boolean
  /** In another agent's session: also when nothing tells whether that agent has it open. */
  evenIfRunning?: boolean
}

export interface HostSession {
  readonly id: SessionId
  /** The agent whose session it is; undefined: it is one of ours. */
  readonly agent?: string | undefined
  /** The command that continues it in that agent. */
  readonly resume?: readonly string[] | undefined
  readonly cwd: string
  readonly file: string | undefined
  /** The tree. It grows as events come in; positions in it are rows of this process. */
  readonly history: History
  readonly head: Row
  on(listener: (event: HostEvent) => void): () => void

  /**
   * Starts a turn, and resolves when it has ended. While one runs: steers it, and resolves when that was recorded, or as
   * `withdrawn` when it was taken back or the turn ended badly before.
   */
  send(input: PromptInput): Promise<SendAnswer>
  /** Takes back a steering message that was not given to the model yet. Returns its text. */
  unsend(): Promise<PromptInput | undefined>
  /** Stops the turn. Before any visible output the prompt is withdrawn, and comes back. */
  stop(): Promise<{ stopped: boolean; withdrawn?: PromptInput }>
  answer(approval: string, answer: Approval): void

  back(request?: MoveRequest & { rounds?: number }): Promise<MoveResult>
  goto(entry: string | null, request?: MoveRequest & { summarise?: boolean }): Promise<MoveResult>
  undo(request?: MoveRequest): Promise<MoveResult>
  redo(request?: MoveRequest): Promise<MoveResult>
  restore(entry: string, request?: MoveRequest & { paths?: string[] }): Promise<MoveResult>
  /** `cwd`: where the copy works when the folder of this session is not known. */
  split(entry?: string, cwd?: string): Promise<{ session: SessionId; prompt: { id: EntryId; text: string } | null }>
  label(entry: string, name: string): Promise<EntryId>
  labels(): Map<EntryId, string>
  title(text: string): Promise<void>
  compact(focus?: string): Promise<CompactAnswer>
  /** Differences of files between two entries, or an entry and now, as unified text. */
  diff(request?: { from?: string; to?: string; paths?: string[] }): Promise<DiffAnswer>
  /** The prompts of the path with what each round changed, oldest first. */
  rounds(): RoundAnswer[]

  /** What may happen without asking, what never, and rules that can never apply. */
  permissions(): Permissions
  /** Allows one more rule in this session. Throws RetconError `invalid` for what is no rule. */
  allow(rule: string): Promise<void>
  /** Takes back a rule of this session, `Write` and `Edit` of the same files together. False when it has no such rule. */
  revoke(rule: string): Promise<boolean>

  setModel(model: string): Promise<void>
  /** From here on the path says so: going back brings the level of before. Undefined: the model's own again. */
  setThinking(level: ThinkingLevel | undefined): Promise<void>
  /**
   * Goes on without the images and files of a message, or without its text when it has none: the log keeps them.
   * Contract: throws RetconError `not-found`, `ambiguous`, `invalid`.
   */
  omit(entry: string): Promise<{ entry: EntryId; parts: "media" | "all" }>
  setMode(mode: PermissionMode): Promise<void>
  config(): Map<string, Json>
  state(key: string): Json | undefined
  status(): Status
  context(): ContextMessage[]
  /** What was typed but not sent when the session was last left. The caller who takes it must show it, to be sent or kept. */
  takeDraft(): PromptInput | undefined
  /**
   * Stops what runs. What is queued, and `typed` after it, is kept as the draft; returns that, if there is any.
   * A draft that nobody took stays.
   */
  close(typed?: PromptInput): Promise<Unsent | undefined>
}

export interface Unsent {
  draft: PromptInput
  without?: "images"
  /** Why it could not be kept: the person should see it once more. */
  problem?: string
}

export type SendAnswer =
  | { outcome: "done" | "steered"; entry: EntryId }
  /** `entry`: its prompt, unless it was stopped before that was recorded. */
  | { outcome: "stopped"; entry: EntryId | null }
  | { outcome: "withdrawn"; input: PromptInput }
  | { outcome: "failed"; message: string; advice: Advice }

export type CompactAnswer =
  | { outcome: "compacted"; entry: EntryId; messages: number; missing: string[] }
  | { outcome: "refused"; failure: Failure }

export type DiffAnswer =
  | { outcome: "diff"; patch: string; files: { path: string; change: string; added?: number; removed?: number }[] }
  | { outcome: "refused"; failure: Failure }

export interface RoundAnswer {
  prompt: EntryId
  row: Row
  text: string
  at: string
  round: number
  files: { path: string; change: string }[]
  /** What was typed while the agent worked on it, in order. */
  steer: SteerAnswer[]
}

export interface SteerAnswer {
  entry: EntryId
  text: string
  at: string
}
