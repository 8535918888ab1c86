// A session's labels and settings, updated as records arrive, because they are needed before any other body is loaded.
import type { Row } from "../history/tree/tree.ts"
import type { EntryId } from "../model/id.ts"
import type { Json } from "../model/json.ts"
import type { LogRecord } from "../model/record/record.ts"

export class SessionSettings {
  #labels = new Map<EntryId, string>()
  #config = new Map<string, Json>()

  get labels(): Map<EntryId, string> {
    return new Map(this.#labels)
  }

  get config(): Map<string, Json> {
    return new Map(this.#config)
  }

  startOver({ labels, config }: { labels: Record<string, string>; config: Record<string, Json> }): void {
    this.#labels = new Map(Object.entries(labels)) as Map<EntryId, string>
    this.#config = new Map(Object.entries(config))
  }

  take(record: LogRecord | undefined): void {
    if (record?.type === "label") {
      // The newest label comes first, as in process.
      this.#labels.delete(record.entry)
      if (record.name !== "") this.#labels = new Map([[record.entry, record.name], ...this.#labels])
    }
    if (record?.type !== "config") return
    if (record.value === null) this.#config.delete(record.key)
    else this.#config.set(record.key, record.value)
  }
}

/** The rows that an event brought. */
export function rowsFrom(from: Row | undefined, count: number): Row[] {
  return from === undefined ? [] : Array.from({ length: count }, (_, i) => from + i)
}
