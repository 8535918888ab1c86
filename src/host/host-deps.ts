// What a host is made of, by what it reaches. Only the command line knows the machine; it passes these in.

import type { Tool } from "../agent/port/tool.ts"
import type { WorkRoot } from "../agent/port/work-root.ts"
import type { Jobs } from "../agent/process/jobs.ts"
import type { CommandSandbox } from "../agent/sandbox/port.ts"
import type { Sandbox } from "../agent/sandbox/sandbox.ts"
import type { NamedCheckpoint } from "../agent/tools/backtrack.ts"
import type { RunTask } from "../agent/tools/task.ts"
import type { SessionId } from "../model/id.ts"
import type { PermissionMode } from "../model/permission-mode.ts"
import type { SessionRecord } from "../model/record/record.ts"
import type { ThinkingLevel } from "../model/thinking.ts"
import type { Trace } from "../model/trace.ts"
import type { Model } from "../provider/port/port.ts"
import type { WindowLimits } from "../runner/threshold.ts"
import type { EarlierFiles, SessionOptions } from "../session/state/open-session.ts"
import type { SessionLog, SessionStore } from "../store/port.ts"
import type { Workspace } from "../workspace/port.ts"

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

export interface ConfiguredRules {
  allow: readonly string[]
  deny: readonly string[]
  /** Allowed on the command line. */
  asked?: readonly string[]
}

/** Where sessions and snapshots are kept. */
export interface HostStorage {
  store: SessionStore
  session: Omit<SessionOptions, "workspace">
  made: SessionRecord["made"]
  /**
   * `store`: the id of the store with its snapshots; the directory's own by default.
   * Contract: never throws for a folder that cannot be covered: `unavailable` says why.
   */
  openWorkspace(cwd: string, session: SessionId, store?: string): Promise<Workspace>
  /** What another agent, whose session it is, kept of files. */
  earlier?(log: SessionLog): EarlierFiles | undefined
}

/** Who answers, and with what. */
export interface HostAgent {
  /** `name`: provider/name, or undefined for the one that is configured or found. Throws RetconError `invalid`. */
  model(name: string | undefined): Promise<Model>
  /** Contract: the same dependencies give the same tools in the same order. */
  tools(deps: ToolDeps, cwd: string): Promise<readonly Tool[]>
  /** For a new conversation: what it says depends on the tools, and on whom the agent reports to. */
  systemPrompt(cwd: string, about: SystemAbout): Promise<string>
  /** The agent can go back by itself. */
  backtrack: boolean
  maxSteps: number
}

/** The machine that the agent works on. */
export interface HostMachine {
  /** Milliseconds since 1970. */
  now: () => number
  workRoot(cwd: string, session: SessionId): WorkRoot
  /** For the agent's commands. Without it they see the machine as it is. */
  sandbox?(root: WorkRoot, mode: () => PermissionMode): Sandbox
  /** What commands get, without the keys of providers; and those keys, so that no output shows them. */
  env: Readonly<Record<string, string>>
  secrets: readonly string[]
}

/** How much fits into the model's window. */
export interface HostBudget {
  tokens: (text: string) => number
  /** A provider reported how large a context really was: estimates learn from it. */
  learn?: (estimated: number, reported: number) => void
  limits: WindowLimits
}

/** What the person has configured, and asked for on the command line. */
export interface HostSettings {
  /** Rules of the person's configuration and, where it is trusted, of the workspace. */
  rules(cwd: string): ConfiguredRules
  mode: PermissionMode
  /** From the command line: applies, whatever the session was set to, until it is set again. */
  askedMode?: PermissionMode
  /** Likewise. */
  askedThinking?: ThinkingLevel
}

/** Who wants to know what happens. */
export interface HostObservers {
  /** Calls back with what a person should know and nobody asked for, such as a server that fails; returns how to stop. */
  onNotice?: (listener: (text: string) => void) => () => void
  /** Receives everything that happens but the pieces of streams. */
  trace?: Trace
}

export interface HostDeps extends HostStorage, HostAgent, HostMachine, HostBudget, HostSettings, HostObservers {}
