// What a host needs, grouped by what it gives access to. Only the command line knows the machine; it passes these in.
import type { Tool, WorkRoot } from "../../agent/port/tool.ts"
import type { Jobs } from "../../agent/process/jobs.ts"
import type { PromptFile } from "../../agent/prompt/prompt-files.ts"
import type { CommandSandbox } from "../../agent/sandbox/port.ts"
import type { Sandbox } from "../../agent/sandbox/sandbox.ts"
import type { NamedCheckpoint } from "../../agent/tools/backtrack.ts"
import type { RunTask } from "../../agent/tools/task.ts"
import type { SessionId } from "../../model/id.ts"
import type { PermissionMode } from "../../model/permission-mode.ts"
import type { SessionRecord } from "../../model/record/record.ts"
import type { ThinkingLevel } from "../../model/thinking.ts"
import type { Trace } from "../../model/trace.ts"
import type { AgentProgram } from "../../programs/port.ts"
import type { ReadingRow } from "../../protocol/shapes.ts"
import type { FactsById } from "../../provider/catalogue/models.ts"
import type { Model } from "../../provider/port/port.ts"
import type { WindowLimits } from "../../runner/window/threshold.ts"
import type { EarlierFiles, SessionOptions } from "../../session/state/open-session.ts"
import type { LocalState } from "../../store/local.ts"
import type { SessionLog, SessionStore } from "../../store/port.ts"
import type { Workspace } from "../../workspace/port.ts"
import type { ConfiguredRules } from "../config/configured-rules.ts"

export interface ToolDeps {
  jobs: Jobs
  runTask?: RunTask
  checkpoints?: () => readonly NamedCheckpoint[]
  sandbox?: CommandSandbox
}

export interface SystemAbout {
  tools: readonly { name: string }[]
  agent: "main" | "sub-agent"
}

/** Where sessions and snapshots are stored. */
export interface HostStorage {
  store: SessionStore
  /** Opens the session in a file, wherever that is. Contract: throws as `store.open` does. */
  openFile?(path: string): Promise<SessionLog>
  /** Opens the session with this name, as a person types it. Contract: throws `not-found`, `ambiguous`, or as `store.open` does. */
  openNamed?(name: string): Promise<SessionLog>
  session: Omit<SessionOptions, "workspace">
  made: SessionRecord["made"]
  /**
   * `store`: the id of the store with its snapshots; the directory's own by default.
   * Contract: does not throw if the folder cannot be covered by snapshots; `unavailable` says why.
   */
  openWorkspace(cwd: string, session: SessionId, store?: string): Promise<Workspace>
  /** What belongs to the session on this machine alone. */
  local(log: SessionLog): LocalState
  /** For the next agent in this folder. */
  leaveNote?(cwd: string, text: string): void
  /** Another agent's copies of files, in its own session. */
  earlier?(log: SessionLog): Promise<EarlierFiles | undefined>
}

/** The model and its tools. */
export interface HostAgent {
  /** `name`: provider/name; undefined for the configured model or the first one found. Throws RetconError `invalid`. */
  model(name: string | undefined): Promise<Model>
  /** Contract: the same dependencies give the same tools in the same order. */
  tools(deps: ToolDeps, cwd: string): Promise<readonly Tool[]>
  /** For a new conversation. Depends on the tools, and on whom the agent reports to. */
  systemPrompt(cwd: string, about: SystemAbout): Promise<string>
  /** What it reads of people's own files. Absent: nothing. */
  reading?(cwd: string): Promise<ReadingRow[]>
  /** The skills and commands among it that may be used. */
  promptFiles?(cwd: string): readonly PromptFile[]
  /** Whether the agent can go back on its own. */
  backtrack: boolean
  maxSteps: number
}

/** Other agents' own programs, which run turns in their own sessions. */
export interface HostPrograms {
  /** Undefined if retcon cannot continue that agent's sessions. `missing`: why it cannot right now, in a sentence. */
  program?(agent: string, cwd: string): AgentProgram | { missing: string } | undefined
}

/** The machine that the agent works on. */
export interface HostMachine {
  /** Milliseconds since 1970. */
  now: () => number
  workRoot(cwd: string, session: SessionId): WorkRoot
  /** For the agent's commands. Without it they run unconfined. */
  sandbox?(root: WorkRoot, mode: () => PermissionMode): Sandbox
  /** The environment of commands, without the providers' keys; and those keys, so that they can be hidden in output. */
  env: Readonly<Record<string, string>>
  secrets: readonly string[]
}

/** How much fits into the model's window. */
export interface HostBudget {
  tokens: (text: string) => number
  /** Called with the real size of a context as a provider reported it, so that estimates improve. */
  learn?: (estimated: number, reported: number) => void
  /** What the person has configured about models, such as prices. */
  modelFacts?: FactsById | undefined
  limits: WindowLimits
}

/** What the person has configured or asked for on the command line. */
export interface HostSettings {
  /** Rules from the person's configuration and, if trusted, the workspace's. */
  rules(cwd: string): ConfiguredRules
  mode: PermissionMode
  /** From the command line: overrides the session's own setting until it is set again. */
  askedMode?: PermissionMode
  /** The same for the thinking level. */
  askedThinking?: ThinkingLevel
}

/** Callbacks about what happens. */
export interface HostObservers {
  /** Calls back with news that the person should know, such as a failing MCP server. Returns how to stop. */
  onNotice?: (listener: (text: string) => void) => () => void
  /** Milliseconds between checks of the list of sessions, while anyone listens for changes. */
  lookEvery?: number
  /** Receives every event except the pieces of streams. */
  trace?: Trace
}

export interface HostDeps
  extends HostStorage,
    HostAgent,
    HostPrograms,
    HostMachine,
    HostBudget,
    HostSettings,
    HostObservers {}
