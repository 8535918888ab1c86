// A stream of numbered events with many readers: each event is encoded once, and many are sent in one chunk.

/** How many events, and how many characters of them, to keep for readers that reconnect. */
const MOST_EVENTS = 4096
const MOST_KEPT = 4 * 1024 * 1024
/** How many events to drop at a time: one by one would cost more than it saves. */
const FORGOTTEN = 256
/** A reader with more unread bytes than this is disconnected; it reconnects and resumes. */
const MOST_WAITING = 1024 * 1024
const PAUSE = 30

const encoder = new TextEncoder()

/** Makes the first event for a reader that cannot resume: everything it needs to start over. */
export type StartOver = () => { type: string; data: unknown }

interface Kept {
  seq: number
  text: string
}

interface Reader {
  controller: ReadableStreamDefaultController<Uint8Array>
  left: () => void
}

export interface BroadcastOptions {
  /** Unique to this stream, even across restarts, because another stream's numbers are invalid here. */
  generation: string
  snapshot: StartOver
  /** Called when the number of readers changes. */
  changed?: (readers: number) => void
}

export class Broadcast {
  #generation: string
  readonly #snapshot: StartOver
  readonly #changed: (readers: number) => void
  readonly #readers = new Set<Reader>()
  #kept: Kept[] = []
  #size = 0
  #seq = 0
  #pending: string[] = []
  #pause: NodeJS.Timeout | undefined
  #closed = false

  constructor({ generation, snapshot, changed = () => undefined }: BroadcastOptions) {
    this.#generation = generation
    this.#snapshot = snapshot
    this.#changed = changed
  }

  get generation(): string {
    return this.#generation
  }

  /** The number of the last event. */
  get seq(): number {
    return this.#seq
  }

  get readers(): number {
    return this.#readers.size
  }

  /** Contract: `seq` is one more than that of the event before. */
  publish(seq: number, type: string, data: unknown): void {
    const text = eventText(type, data, `${this.#generation}.${seq}`)
    this.#seq = seq
    this.#kept.push({ seq, text })
    this.#size += text.length
    if (this.#kept.length > MOST_EVENTS + FORGOTTEN || this.#size > MOST_KEPT) this.#forget()
    this.#pending.push(text)
    if (this.#pause !== undefined) return
    queueMicrotask(() => this.flush())
    this.#rest()
  }

  /** Makes readers start over, because earlier events have become invalid. */
  startOver(generation: string): void {
    this.flush()
    this.#generation = generation
    this.#kept = []
    this.#size = 0
    this.#send(this.#first())
  }

  /** `last`: the id of the last event that the reader has. Without it, or if it is too old, the reader starts over. */
  read(last: string | null): ReadableStream<Uint8Array> {
    let reader: Reader
    return new ReadableStream<Uint8Array>(
      {
        start: (controller) => {
          reader = { controller, left: () => this.#drop(reader) }
          if (this.#closed) {
            controller.close()
            return
          }
          // Pending events are among the kept ones too, and must not be sent twice.
          this.flush()
          controller.enqueue(encoder.encode(this.#missed(last) ?? this.#first()))
          this.#readers.add(reader)
          this.#changed(this.#readers.size)
        },
        cancel: () => reader.left(),
      },
      { highWaterMark: MOST_WAITING, size: allButFirst() },
    )
  }

  /** Sends a comment, so that no proxy takes the connection for dead. */
  beat(): void {
    if (this.#readers.size > 0) this.#send(": beat\n\n")
  }

  flush(): void {
    if (this.#pending.length === 0) return
    const text = this.#pending.join("")
    this.#pending = []
    this.#send(text)
  }

  /** Sends this last event, then ends all streams. */
  close(type: string, data: unknown): void {
    if (this.#closed) return
    this.flush()
    this.#send(eventText(type, data))
    this.#closed = true
    clearTimeout(this.#pause)
    for (const reader of this.#readers) {
      reader.left()
      reader.controller.close()
    }
  }

  #send(text: string): void {
    if (this.#readers.size === 0) return
    const bytes = encoder.encode(text)
    for (const reader of this.#readers) {
      if ((reader.controller.desiredSize ?? 0) > 0) reader.controller.enqueue(bytes)
      else {
        reader.left()
        reader.controller.error(new Error("too slow"))
      }
    }
  }

  #rest(): void {
    this.#pause = setTimeout(() => {
      this.#pause = undefined
      if (this.#pending.length === 0) return
      this.flush()
      this.#rest()
    }, PAUSE)
    this.#pause.unref()
  }

  /** Drops old events, but never the newest. */
  #forget(): void {
    let count = Math.max(0, this.#kept.length - MOST_EVENTS)
    let size = this.#size
    for (const { text } of this.#kept.slice(0, count)) size -= text.length
    while (size > MOST_KEPT && count < this.#kept.length - 1) size -= this.#kept[count++]?.text.length ?? 0
    this.#kept.splice(0, count)
    this.#size = size
  }

  #first(): string {
    const { type, data } = this.#snapshot()
    return eventText(type, data, `${this.#generation}.${this.#seq}`)
  }

  /** The events after this one; undefined if it is no longer kept. */
  #missed(last: string | null): string | undefined {
    const at = last?.lastIndexOf(".") ?? -1
    if (last === null || at === -1 || last.slice(0, at) !== this.#generation) return undefined
    const digits = last.slice(at + 1)
    const seq = /^\d{1,15}$/.test(digits) ? Number(digits) : Number.NaN
    const missed = this.#seq - seq
    if (!(missed >= 0) || missed > MOST_EVENTS || missed > this.#kept.length) return undefined
    return missed === 0
      ? ": nothing new\n\n"
      : this.#kept
          .slice(-missed)
          .map(({ text }) => text)
          .join("")
  }

  #drop(reader: Reader): void {
    if (this.#readers.delete(reader)) this.#changed(this.#readers.size)
  }
}

/** Counts bytes. What a reader missed may be longer than what may wait: only what comes after it counts. */
function allButFirst(): (bytes?: Uint8Array) => number {
  let first = true
  return (bytes) => {
    const counted = first ? 0 : (bytes?.byteLength ?? 0)
    first = false
    return counted
  }
}

/** JSON has no line breaks, so one line of data is enough. */
export function eventText(type: string, data: unknown, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}event: ${type}\ndata: ${JSON.stringify(data)}\n\n`
}

export const EVENT_STREAM = { "content-type": "text/event-stream; charset=utf-8", "cache-control": "no-store" } as const
