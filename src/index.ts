// The library: the engine, without a model, a screen or an opinion on either. Every name exported here is a promise.
export { type AgentsStoreOptions, agentsStore } from "./foreign/agents-store.ts"
export { type ContextOptions, contextAt } from "./history/context/context.ts"
export type { ContextMessage } from "./history/context/message.ts"
export { COMPACTION_LIMITS, type CompactionLimits, type CompactionPlan } from "./history/plan/plan-compact.ts"
export { type Branches, branchesOf } from "./history/tree/branches.ts"
export { checkpoints, nextCheckpoint, stateAt } from "./history/tree/state.ts"
export {
  type Comparison,
  commonAncestor,
  compare,
  entries,
  entriesOf,
  type History,
  isOnPath,
  NONE,
  path,
  prompts,
  type Row,
  type Tree,
} from "./history/tree/tree.ts"
export type { Failure, FailureCode } from "./model/failure/failure.ts"
export { type Advice, type AdviceStep, adviceText } from "./model/failure/failure.ts"
export { type Words, wordsFor } from "./model/failure/failure-words.ts"
export { RetconError } from "./model/failure/retcon-error.ts"
export {
  type EntryId,
  type Ids,
  makeIds,
  parseEntryId,
  parseSessionId,
  type RecordId,
  type SessionId,
} from "./model/id.ts"
export type { Json, JsonObject } from "./model/json.ts"
export type { Conflict } from "./model/move/file-outcomes.ts"
export type { Moved, MoveResult } from "./model/move/moved.ts"
export type { Origin, Role } from "./model/record/origin.ts"
export { isPrompt } from "./model/record/prompt.ts"
export type {
  Entry,
  LogRecord,
  MessageRecord,
  OperationKind,
  SessionRecord,
  SnapshotChange,
  WritableRecord,
} from "./model/record/record.ts"
export { type Part, plainText } from "./model/record/record.ts"
export { parseRecord } from "./model/record/record-parse.ts"
export { printRecord } from "./model/record/record-print.ts"
export type { SessionFiles } from "./session/files/session-files.ts"
export type { GotoOptions, MoveOptions } from "./session/operations/move.ts"
export {
  createSession,
  type NewSession,
  type OpenOptions,
  openSession,
  type Session,
  sessionOn,
} from "./session/session.ts"
export type { AppendOptions } from "./session/state/append.ts"
export { answerDraft, type EntryDraft, promptDraft, toolDraft } from "./session/state/draft.ts"
export type { SessionOptions } from "./session/state/open-session.ts"
export type { SessionEvent } from "./session/state/session-events.ts"
export { type GitWorkspaceOptions, gitWorkspace } from "./session/state/system.ts"
export type { Turn } from "./session/state/turn.ts"
export { type FileStore, type FileStoreOptions, fileStore } from "./store/file/file-store.ts"
export { type LineHistory, lineHistory, listed, readHeader, recordLines } from "./store/line-history.ts"
export { type LogSummary, newestFirst } from "./store/log-summary.ts"
export { memoryStore } from "./store/memory/memory-store.ts"
export type { Lease, LinePart, SessionLog, SessionStore, SessionSummary } from "./store/port.ts"
export { openNoWorkspace as noWorkspace } from "./workspace/none/no-workspace.ts"
export type {
  FileBytes,
  FileChange,
  FileState,
  PlanRequest,
  Recovered,
  RestoreAction,
  Restored,
  RestorePlan,
  Snapshot,
  SnapshotId,
  Step,
  Unavailable,
  Workspace,
} from "./workspace/port.ts"
export { parseSnapshotId } from "./workspace/port.ts"
