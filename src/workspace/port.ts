// The Workspace port: snapshots of a workspace's files, differences between them, and restores that can be undone.
// Plain data only. Paths are relative to the workspace, "/" between names; for names that are not UTF-8 see
// model/text/path-bytes.ts.
import type { Advice } from "../model/failure/failure.ts"
import { RetconError } from "../model/failure/retcon-error.ts"
import type { Conflict, Kept, NotCovered } from "../model/move/file-outcomes.ts"
import type { NamedCommit } from "../model/move/moved.ts"
import { isEscaped, pathBytes } from "../model/text/path-bytes.ts"

/**
 * The state of all covered files at one moment, with the names of what was left out. Can be stored in a log; equal
 * files and equal names give equal ids.
 */
export type SnapshotId = string & { readonly brand: "SnapshotId" }

const SNAPSHOT_ID = /^[0-9a-f]{40}$/

export function parseSnapshotId(text: unknown): SnapshotId | undefined {
  return typeof text === "string" && SNAPSHOT_ID.test(text) ? (text as SnapshotId) : undefined
}

/** A repository in or around the workspace, read as data. `branch` is undefined if HEAD is detached. */
export type Repository = { path: string; branch: string | undefined; commit: string | undefined }

export type CommitsRequest = {
  /** The repository, as a snapshot names it, and its commits then and now. */
  path: string
  from: string | undefined
  to: string
  /** In milliseconds. Older commits were not made in between. */
  since: number
  most: number
}
/** Two commits of the repository that the workspace is in. */
export type CommitRange = { from: string; to: string }
/** Newest first. `more`: how many more there are. */
export type NewCommits = { commits: NamedCommit[]; more: number }

export type Snapshot = {
  id: SnapshotId
  /** Paths that differ from this session's previous snapshot; all paths for a first one. */
  changed: string[]
  notCovered: NotCovered[]
  /** What snapshots leave out, existed at this session's previous snapshot, and is gone: it cannot be restored. */
  lost: string[]
  repositories: Repository[]
}

/** Null: the file did not exist. `perm`: by default those on disk. */
export type FileBytes = { path: string; bytes: Uint8Array | null; perm?: number }

export type ChangeKind = "added" | "modified" | "deleted" | "mode" | "type"

/** One file, link or empty folder that differs. Counts are lines; undefined for binary content. */
export type FileChange = {
  path: string
  change: ChangeKind
  kind: "file" | "link" | "folder"
  binary: boolean
  added: number | undefined
  removed: number | undefined
  oldOid: string | undefined
  newOid: string | undefined
  oldMode: number | undefined
  newMode: number | undefined
}

/** Which commits the repositories were at when a step began and when it ended; `at` in milliseconds. */
export type Heads = {
  /** Absent if the step is applied again: then it does not matter what git did. */
  began?: { at: number; repositories: Repository[] }
  ended: { at: number; repositories: Repository[] }
}

/** A change by the agent to take back. `before` and `after` are the snapshots around it. */
export type Step = {
  before: SnapshotId
  after: SnapshotId
  /** Only these paths are the agent's, each named individually; if absent, all that differ. */
  paths?: string[]
  /** A command made it, which may have changed anything. */
  command?: true
  /** There is a reason to think that someone else changed these while the command ran. Taken back, but named. */
  uncertain?: string[]
  /** Changed during a call while another session was working too. Kept, and named. */
  shared?: string[]
  /** Changed while the person's own command ran. Kept, and named. */
  own?: string[]
  /** Separates the agent's changes from git's: what a switch or a pull brought into the files is kept, and named. */
  heads?: Heads
}

export type OnConflict = "refuse" | "theirs" | "ours" | "write-conflicts"

/** A file, link or folder in a snapshot. */
export type FileState =
  | { kind: "file"; oid: string; perm: number }
  | { kind: "link"; oid: string }
  | { kind: "folder"; perm: number }

/** What a restore does to one path: what must be there now, and what will be. Undefined: nothing. */
export type RestoreAction = { path: string; from: FileState | undefined; to: FileState | undefined }

export type RestorePlan = {
  /** What is on disk when the plan is made: the safety snapshot of the restore. */
  now: SnapshotId
  actions: RestoreAction[]
  /** The actions for people, without folders that merely come with their files. */
  files: (FileChange & { split?: true })[]
  kept: Kept[]
  /** For each of those paths, the requested steps that were not taken back, numbered from 0. */
  untaken: { path: string; steps: number[] }[]
  /** Paths among `files` that may not be the agent's. */
  uncertain: string[]
  /** What `onConflict` could not settle. If there is any, `restore` touches nothing. */
  conflicts: Conflict[]
  notCovered: NotCovered[]
  /** As they are when the plan is made. */
  repositories: Repository[]
}

export type PlanRequest = {
  steps: Step[]
  /** The snapshot of the target moment: what it left out and is gone now is named. */
  since?: SnapshotId
  /**
   * Only these, and everything below them. With `onConflict: "theirs"` they get the bytes of that moment in any case.
   */
  paths?: string[]
  /** These, and everything below them, are left alone. */
  keep?: string[]
  /** Also leave alone what someone else may have changed while a command ran. */
  onlyCertain?: boolean
  onConflict?: OnConflict
}

export type Restored =
  | { outcome: "restored"; id: string; before: SnapshotId; after: SnapshotId; files: FileChange[]; kept: Kept[] }
  | { outcome: "refused"; because: "conflicts"; conflicts: Conflict[] }
  /** These files were written after the plan was made. Nothing was touched, or everything was put back. */
  | { outcome: "refused"; because: "changed"; paths: string[] }

export type Recovered =
  | { outcome: "nothing" }
  | {
      outcome: "rolled-back" | "completed"
      id: string
      /** Whose restore it was; empty if unknown. */
      session: string
      /** The workspace of that restore, absolute, if it is above or below this one: paths are relative to it. */
      folder?: string
      files: string[]
      /** Changed in between, or out of reach: left alone. */
      left: string[]
    }

export type RecoverRequest = {
  /** Whether a restore is in the log of its session. */
  recorded?: (restore: { id: string; session: string }) => boolean | Promise<boolean>
  /** The session that asks; by default the one the workspace was opened for. */
  by?: string
}

export type GcReport = {
  bytesBefore: number
  bytesAfter: number
  /** Named snapshots that were dropped to meet the budget, oldest first. Only with `drop`. */
  dropped: SnapshotId[]
  /** By how much what must be kept exceeds the budget; 0 if it does not. */
  overBudget: number
}

export type GcRequest = {
  /** Everything that any session still names, newest first. */
  keep: SnapshotId[]
  budget?: number
  dryRun?: boolean
  /** For how many milliseconds everything new is kept, named or not: another session may be about to name it. */
  grace?: number
  /** Drop the oldest of `keep` until the budget is met. */
  drop?: "oldest"
}

export type CopyRequest = {
  snapshot: SnapshotId
  /** A name that no copy has yet. */
  name: string
  /** The most bytes of ignored folders with dependencies, such as node_modules, to copy too. */
  dependencies?: number
  signal?: AbortSignal
}

export type CopyReport = {
  /** The copy, absolute. */
  folder: string
  files: number
  bytes: number
  /** Ignored files and folders that it has too. */
  carried: string[]
  /** Those that it does not have. */
  left: string[]
}

export type DiskUsage = { bytes: number; budget: number; objects: number }

export type WorkspaceSettings = {
  /** Untracked files above this many bytes are not covered. */
  maxFileSize: number
  /** More files than this need `allowAny`. */
  maxFiles: number
  /** The person agreed to cover a home directory, or a folder with very many files. */
  allowAny: boolean
  /** Patterns, as in a .gitignore, of files to cover even though they are ignored. */
  include: string[]
  /** Bytes on disk per workspace. */
  budget: number
}

export const DEFAULT_SETTINGS: WorkspaceSettings = {
  maxFileSize: 10_000_000,
  maxFiles: 100_000,
  allowAny: false,
  include: [],
  budget: 2_000_000_000,
}

export interface Unavailable {
  /** Completes "The files are not covered:", without a full stop. */
  reason: string
  advice?: Advice
}

export interface Workspace {
  /** Why files are not covered at all, or undefined if they are. */
  readonly unavailable: Unavailable | undefined

  /**
   * Contract: writes nothing in the workspace and runs nothing that the workspace names. With `paths`, it looks at
   * these only; the rest is as in this session's previous snapshot. Everything that is not covered is in the result.
   * Rejects with `too-many-files` before anything is stored.
   */
  snapshot(request?: { paths?: string[] }): Promise<Snapshot>

  /**
   * A snapshot of given bytes, such as another program's copies of files. Contract: covers these paths and nothing
   * else. Writes nothing in the workspace. Rejects with `unsafe-path`.
   */
  put(files: readonly FileBytes[]): Promise<SnapshotId>

  /** Contract: a path that the other side did not cover is neither added nor deleted. Sorted by path. */
  diff(from: SnapshotId, to: SnapshotId, request?: { paths?: string[] }): Promise<FileChange[]>

  /**
   * The same as a unified diff, with the bytes of the files: `git apply` accepts it. What is not text is only named.
   */
  patch(from: SnapshotId, to: SnapshotId, request?: { paths?: string[] }): Promise<Uint8Array>

  /** A file's bytes or a link's target; undefined if the snapshot has no such file. */
  blob(snapshot: SnapshotId, path: string): Promise<Uint8Array | undefined>

  /** Rejects with `snapshot-gone` if `gc` has dropped it. */
  check(snapshot: SnapshotId): Promise<void>

  /**
   * Contract: takes a snapshot of now, touches nothing else. Steps are newest first. To undo a restore, plan with the
   * single step { before: restored.before, after: restored.after }.
   */
  planRestore(request: PlanRequest): Promise<RestorePlan>

  /**
   * Contract: all or nothing, even if the process is killed. `record` runs when all files are in place and before the
   * restore is final: if it throws, everything is put back, and the failure is what it threw. Otherwise rejects
   * with `restore-failed`, which says whether everything was put back.
   */
  restore(
    plan: RestorePlan,
    request?: { record?: (restored: Restored) => Promise<void>; by?: string },
  ): Promise<Restored>

  /**
   * Contract: finishes what a killed restore left in this folder, above it or below it; one at a time, so call it until
   * the result is `nothing`. Completes it if `recorded` says so, otherwise puts everything back; files that someone
   * changed in between are left alone and are in `left`. Never writes through a link. Rejects with `session-busy` while
   * it still runs. What was finished for another session is returned again when that session asks.
   */
  recover(request?: RecoverRequest): Promise<Recovered>

  /**
   * A copy of the workspace in our own home. Contract: writes only there; complete, or removed again. It shares the objects of this
   * workspace, and nothing else: its journal and its index are its own, and so are the references of its repositories, which borrow
   * the objects of the originals.
   */
  copy(request: CopyRequest): Promise<CopyReport>

  gc(request: GcRequest): Promise<GcReport>
  usage(): Promise<DiskUsage>

  /** Contract: reads the repository's objects as data; what cannot be read is left out. */
  commits(request: CommitsRequest): Promise<NewCommits>

  /**
   * The content, in the first commit, of the files that differ between two commits; null: did not exist. Contract:
   * reads the repository's objects as data, without its filters; leaves out links and what cannot be read.
   */
  committedBefore(range: CommitRange): Promise<FileBytes[]>

  close(): Promise<void>
}

/**
 * Paths of workspace files: relative, "/" between names, and always well-formed text, whatever their bytes on disk.
 * What to pass to `fs`: text if that is exact, otherwise bytes.
 */
export function diskPath(root: string, path: string): string | Buffer {
  const joined = path === "" ? root : `${root}/${path}`
  return isEscaped(path) ? pathBytes(joined) : joined
}

export function parentOf(path: string): string {
  const slash = path.lastIndexOf("/")
  return slash < 0 ? "" : path.slice(0, slash)
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf("/") + 1)
}

/** All folders above a path, nearest first, excluding the root. */
export function foldersAbove(path: string): string[] {
  const folders: string[] = []
  for (let folder = parentOf(path); folder !== ""; folder = parentOf(folder)) folders.push(folder)
  return folders
}

// Characters that some file systems ignore in names: ".g<zero width>it" opens ".git" there.
const IGNORABLE = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** True for every spelling of `.git` that some file system treats as `.git`. */
export function isGitName(name: string): boolean {
  if (name.length < 4) return false
  const first = name.charCodeAt(0)
  if (first !== 46 && first !== 103 && first !== 71 && first < 0x80) return false
  const plain = name.replace(IGNORABLE, "").toLowerCase()
  return /^(\.git|git~1)[. ]*(:.*)?$/.test(plain)
}

/** Why we must never write a name; undefined if it is fine. */
export function unsafeName(name: string): string | undefined {
  if (name === "") return "an empty name"
  if (name === "." || name === "..") return "it leaves its folder"
  if (name.includes("/") || name.includes("\0")) return "a name with a separator"
  if (isGitName(name)) return "it is inside a .git folder"
  return undefined
}

/** Contract: throws `unsafe-path` for anything but a plain relative path below the root and outside every `.git`. */
export function checkPath(path: string): string {
  if (path.startsWith("/")) throw new RetconError({ code: "unsafe-path", path, problem: "it is not relative" })
  for (const name of path.split("/")) {
    const problem = unsafeName(name)
    if (problem !== undefined) throw new RetconError({ code: "unsafe-path", path, problem })
  }
  return path
}
