// What belongs to a session on this machine alone: the person's consent, what they have typed but not sent, and what has arrived of
// an answer. It is not in the log, because a log may be copied, sent to somebody else or restored on another machine.
import type { Json } from "../model/json.ts"

export type LocalName = "consent" | "draft" | "answer"

export interface LocalState {
  /**
   * Identifies this log on this machine. A copy of the log, or of retcon's whole home elsewhere, has another identity. Undefined if it
   * cannot be told now.
   */
  identity(): string | undefined
  /** What was written last, by any process; undefined if there is nothing, or nothing that can be read. */
  read(name: LocalName): Json | undefined
  /**
   * Contract: after a crash the old or the new value is there, unless it `may be lost` in a power cut. Undefined removes it.
   * Throws RetconError.
   */
  write(name: LocalName, value: Json | undefined, how?: "may be lost"): void
  /** Calls back when another process may have written, until the returned function is called. Only a hint. */
  watch(listener: () => void): () => void
}

/** For a session without a file. */
export function memoryLocal(): LocalState {
  const values = new Map<LocalName, Json>()
  return {
    identity: () => "",
    read: (name) => values.get(name),
    write(name, value) {
      if (value === undefined) values.delete(name)
      else values.set(name, value)
    },
    watch: () => () => undefined,
  }
}
