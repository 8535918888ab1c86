// What the terminal UI needs. Only the command line knows the machine; it passes these in.
import type { EntryId, SessionId } from "../../model/id.ts"
import type { Part } from "../../model/record/record.ts"
import type { SessionContents } from "../../protocol/host.ts"
import type { ModelItem, SessionListing, Totals } from "../../protocol/shapes.ts"
import type { CommandServices } from "../commands/command.ts"
import type { CompletionDeps } from "../editor/editor-completion.ts"
import type { SearchContents } from "../overlay/sessions/contents.ts"
import type { Keys } from "../terminal/key-map.ts"
import type { Terminal } from "../terminal/port.ts"

export type Start = { kind: "new" } | { kind: "continue" } | { kind: "resume"; id?: SessionId }

/** How it starts. */
export interface StartOptions {
  start: Start
  /** Sent as soon as the session is open. */
  prompt?: string
  /** The agent whose own program begins a new session; retcon's own if absent. */
  agent?: string
  /** Shown once, at the start: problems with the configuration. */
  notices?: readonly string[]
  /** Something worth knowing about this terminal, shown once in a new session. */
  advice?: () => Promise<string | undefined>
  /** Nobody chose the practice model: there is no key for another. */
  noKey?: boolean
}

/** The terminal, and the process in it. */
export interface TerminalDeps {
  terminal: Terminal
  /** Milliseconds since 1970, for ages. */
  now: () => number
  /** Milliseconds since some moment, for everything that is measured: unlike `now`, it never steps back or ahead. */
  elapsed: () => number
  colours: boolean
  /** How to tell a person who looks elsewhere that the agent is done or asks something. */
  notify: "bell" | "desktop" | "none"
  keys?: Partial<Keys>
  /** Stops the whole process until it is continued. */
  suspend?: () => void
  /** Calls back when the process must end; returns how to stop listening. */
  onEnd?: (end: () => void) => () => void
  /** Runs another agent's program on this terminal until it ends. */
  runThere?: (command: readonly string[], cwd: string) => Promise<void>
  /** Calls back when the process continues after being suspended. */
  onContinue?: (go: () => void) => () => void
}

/** Where the editor gets texts and images from. */
export interface EditorSources {
  /** Matching paths of the workspace, for `@`. */
  completeFiles?: CompletionDeps["files"]
  /** What was typed in the sessions of this folder, oldest first. */
  pastPrompts?: () => Promise<readonly string[]>
  /** The image that a pasted text names. */
  readImage?: (path: string) => Promise<{ part: Part; name: string } | undefined>
  clipboardImage?: () => Promise<{ part: Part; name: string } | undefined>
  /** Opens the person's own editor on a text; undefined if they have none. */
  editText?: (text: string) => Promise<string | undefined>
}

/** What the command line knows about sessions and models beyond the host. */
export interface SessionServices extends CommandServices {
  /** Models that can be chosen, and those without a key. */
  models?: () => Promise<ModelItem[]>
  /** For the list of sessions: a search of their contents, and the end of one. */
  searchContents?: SearchContents
  previewSession?: (session: Pick<SessionListing, "id">, entry?: EntryId) => Promise<string>
  /** What a session had cost before it was opened. */
  spentBefore?: (session: SessionContents) => Promise<Totals | undefined>
}

export interface TuiDeps extends StartOptions, TerminalDeps, EditorSources, SessionServices {}
