// What the application gets from whoever starts it: where things are on this machine, and what its person has set. Nothing here
// reads the environment by itself.
import type { AnyStore } from "../../foreign/any-store.ts"
import type { SessionOptions } from "../../session/state/open-session.ts"
import type { Settings } from "../config/settings.ts"

export interface AppDeps {
  /** retcon's own home. */
  home: string
  /** The real path of the working directory. */
  cwd: string
  /** Our sessions, and those of other agents. */
  store: AnyStore
  sessionOptions: SessionOptions
  /** The values of retcon's own config.json, with defaults for what it omits. */
  settings: Settings
  /** What created a session: name and version of this program. */
  made: { name: string; version: string }
  /** Milliseconds since 1970, for ages. */
  now: () => number
  /** Environment variables that may be needed, read once (PAGER, EDITOR, …). */
  env: Readonly<Record<string, string | undefined>>
  /** Tells the person of something that went wrong and does not stop what they asked for. A sentence. */
  warn(text: string): void
  /** Returns a name that nothing else has. */
  newName: () => string
  /** From 0 up to 1. */
  random: () => number
  /** Removes these variables from what the programs that this process starts inherit. */
  forgetKeys(names: readonly string[]): void
}
