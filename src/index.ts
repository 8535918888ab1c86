// The library: the engine without a model, a screen or an opinion. Every name here is a promise.
export { type ContextMessage, type ContextOptions, contextAt } from "./history/context.ts"
export { type Comparison, commonAncestor, compare, entries, isOnPath, path, prompts } from "./history/path.ts"
export { COMPACTION_LIMITS, type CompactionLimits, type CompactionPlan } from "./history/plan-compact.ts"
export { checkpoints, nextCheckpoint, stateAt } from "./history/state.ts"
export { type History, NONE, type Row, type Tree } from "./history/tree.ts"
export { type Failure, type FailureCode, RetconError } from "./model/failure.ts"
export { type Words, wordsFor } from "./model/failure-words.ts"
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
export type { Origin, Role } from "./model/origin.ts"
export { type Part, plainText } from "./model/part.ts"
export { isPrompt } from "./model/prompt.ts"
export type {
  Entry,
  LogRecord,
  MessageRecord,
  OperationKind,
  SessionRecord,
  SnapshotChange,
  WritableRecord,
} from "./model/record.ts"
export { parseRecord } from "./model/record-parse.ts"
export { printRecord } from "./model/record-print.ts"
export type { AppendOptions } from "./session/append.ts"
export type { SessionParts } from "./session/desk.ts"
export { answerDraft, type EntryDraft, promptDraft, toolDraft } from "./session/draft.ts"
export type { SessionEvent } from "./session/events.ts"
export type { SessionFiles } from "./session/files/session-files.ts"
export type { MoveOptions } from "./session/move.ts"
export type { Moved, MoveResult } from "./session/moved.ts"
export { createSession, type NewSession, openSession, type Session, sessionOn } from "./session/session.ts"
export { type GitWorkspaceOptions, gitWorkspace } from "./session/system.ts"
export type { Turn } from "./session/turn.ts"
export { type FileStore, type FileStoreOptions, fileStore } from "./store/file/file-store.ts"
export { type LineHistory, lineHistory, listed, readHeader, recordLines } from "./store/line-history.ts"
export { memoryStore } from "./store/memory/memory-store.ts"
export type { Lease, SessionLog, SessionStore, SessionSummary } from "./store/port.ts"
export { type LogSummary, newestFirst } from "./store/summary.ts"
export { openNoWorkspace as noWorkspace } from "./workspace/none/open.ts"
export type {
  Action,
  Conflict,
  FileChange,
  FileState,
  PlanRequest,
  Recovered,
  Restored,
  RestorePlan,
  Snapshot,
  SnapshotId,
  Step,
  Workspace,
} from "./workspace/port.ts"
export { parseSnapshotId } from "./workspace/port.ts"
