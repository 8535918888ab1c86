// Events for front ends. An event is sent once the records it is about are durable.
import type { EntryId, RecordId } from "../../model/id.ts"
import type { Author, OperationKind } from "../../model/record/record.ts"
import type { DoneElsewhere } from "../../model/text/done-elsewhere.ts"

export type SessionEvent =
  | { type: "appended"; entries: EntryId[] }
  /** `prompt`: whose text it gave back. `files`: it went with the files. */
  | {
      type: "moved"
      operation: RecordId
      kind: OperationKind
      by: Author
      from: EntryId | null
      to: EntryId | null
      prompt?: EntryId
      files?: true
    }
  | { type: "labelled"; entry: EntryId; name: string }
  | { type: "configured"; key: string }
  /** The turn must stop now: it can no longer append anything. */
  | { type: "turn-stopped"; epoch: number }
  /**
   * Another process appended. `followed`: our head is now where it left the log. `apart`: ours stays, and its own differs. `did`:
   * the last move or prompt among what it appended.
   */
  | { type: "changed"; lines: number; head: EntryId | null; apart: boolean; followed?: boolean; did?: DoneElsewhere }

export type Listener = (event: SessionEvent) => void

export interface Events {
  emit(event: SessionEvent): void
  on(listener: Listener): () => void
}

/** Contract: a listener that throws does not affect the others; its error surfaces as unhandled. */
export function makeEvents(): Events {
  const listeners = new Set<Listener>()
  return {
    emit(event) {
      for (const listener of listeners) {
        try {
          listener(event)
        } catch (error) {
          queueMicrotask(() => {
            throw error
          })
        }
      }
    },
    on(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
  }
}
