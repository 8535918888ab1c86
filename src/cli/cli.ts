// What every command gets: where things are, where output goes, and how wide it may be. Nothing else reads the machine.
import type { SessionParts } from "../session/desk.ts"
import type { FileStore } from "../store/file/file-store.ts"

export interface Cli {
  /** retcon's own home. */
  home: string
  /** The real path of the working directory. */
  cwd: string
  store: FileStore
  parts: SessionParts
  /** What made a session: name and version of this program. */
  made: { name: string; version: string }
  /** Milliseconds since 1970, for ages. */
  now: () => number
  out: Output
  err: Output
  /** Environment variables a command may need, read once (PAGER, EDITOR, …). */
  env: Readonly<Record<string, string | undefined>>
}

export interface Output {
  write(text: string): void
  /** A person is looking: page, colour, animate. */
  isTerminal: boolean
  /** Columns. */
  width: number
  colours: boolean
}
