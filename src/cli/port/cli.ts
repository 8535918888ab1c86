// What every command gets: where things are, where output goes, and how wide it may be. Nothing else reads the machine.
import type { AnyStore } from "../../foreign/any-store.ts"
import type { SessionOptions } from "../../session/state/open-session.ts"
import type { Settings } from "./settings.ts"

export interface Cli {
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
  in: Input
  out: Output
  err: Output
  /** Environment variables a command may need, read once (PAGER, EDITOR, …). */
  env: Readonly<Record<string, string | undefined>>
}

export interface Input {
  /** Whether a person can be asked. */
  isTerminal: boolean
  /** Whether there is input that does not come from a keyboard. */
  isPiped: boolean
  /** All bytes until the end, at most `limit` of them; undefined if there are more. */
  readAll(limit: number): Promise<Uint8Array | undefined>
  /** The person's answer to a question, on one line; empty at the end of input, or if the question is withdrawn. */
  ask(question: string, signal?: AbortSignal): Promise<string>
}

export interface Output {
  /** Text, or bytes to be written unchanged. */
  write(text: string | Uint8Array): void
  /** Whether it is a terminal, for paging, colours and animation. */
  isTerminal: boolean
  /** Columns. */
  width: number
  /** In lines, if there is a screen. */
  height?: number | undefined
  colours: boolean
}
