// What the terminal UI is made of. Only the command line knows the machine; it passes these in.

import type { SessionId } from "../../model/id.ts"
import type { Part } from "../../model/record/part.ts"
import type { Host, HostSession } from "../../protocol/host.ts"
import type { SessionListing, Totals } from "../../protocol/shapes.ts"
import type { CompletionDeps } from "../editor/completion.ts"
import type { ModelItem } from "../overlay/models.ts"
import type { SearchContents } from "../overlay/sessions/contents.ts"
import type { Keys } from "../terminal/key-map.ts"
import type { Terminal } from "../terminal/port.ts"

export type Start = { kind: "new" } | { kind: "continue" } | { kind: "resume"; id?: SessionId }

export interface TuiDeps {
  host: Host
  terminal: Terminal
  cwd: string
  start: Start
  /** Sent as soon as the session is open. */
  prompt?: string
  /** Milliseconds since 1970. */
  now: () => number
  colours: boolean
  /** How the person is told that a turn ended while they look elsewhere. */
  notify: "bell" | "desktop" | "none"
  keys?: Partial<Keys>
  /** Said once, at the start: problems of the configuration. */
  notices?: readonly string[]
  /** Something about this terminal that is good to know, said once in a new session. */
  advice?: () => Promise<string | undefined>
  /** Paths of the workspace that fit, for `@`. */
  completeFiles?: CompletionDeps["files"]
  /** What was typed in the sessions of this folder, oldest first. */
  pastPrompts?: () => Promise<readonly string[]>
  /** The image that a pasted text names. */
  readImage?: (path: string) => Promise<{ part: Part; name: string } | undefined>
  clipboardImage?: () => Promise<{ part: Part; name: string } | undefined>
  /** Opens the person's own editor on a text; undefined when they have none. */
  editText?: (text: string) => Promise<string | undefined>
  /** Models that can be chosen, and those that lack a key. */
  models?: () => Promise<ModelItem[]>
  /** Nobody chose the practice model: there is no key for another. */
  noKey?: boolean
  /** For the list of sessions: what their contents hold, and the end of one. */
  searchContents?: SearchContents
  previewSession?: (session: SessionListing) => Promise<string>
  /** Writes the path as a file; answers its name. */
  exportSession?: (session: HostSession, argument: string) => Promise<string>
  /** What a session had cost before it was opened. */
  spentBefore?: (session: HostSession) => Promise<Totals | undefined>
  /** Looks for damage; answers what to print. */
  doctor?: (session: HostSession) => Promise<(width: number) => string[]>
  /** Stops the whole process until it is continued. */
  suspend?: () => void
  /** Calls back when the process is told to end; answers how to stop listening. */
  onEnd?: (end: () => void) => () => void
  /** Calls back when the process goes on after it was suspended. */
  onContinue?: (go: () => void) => () => void
}
