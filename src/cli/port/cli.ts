// What every command gets: where things are, where output goes, and how wide it may be. Nothing else reads the machine.
import type { AppDeps } from "../../app/port/app-deps.ts"

export interface Cli extends AppDeps {
  in: Input
  out: Output
  err: Output
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
