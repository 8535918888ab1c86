// What is typed in a session and not sent: kept by the server, by this tab until the server has it, and the same in every tab.
import type { Part } from "../../src/model/record/record.ts"
import { serial } from "../../src/model/serial.ts"
import type { HostSession } from "../../src/protocol/host.ts"

export interface Typed {
  text: string
  media: readonly Part[]
}

interface TypedElsewhere {
  session: string
  typed: Typed
}

export interface DraftPlaces {
  /** Of this tab: survives a reload. Contract: never throws. */
  storage: { read(key: string): string | null; write(key: string, text: string | null): void }
  /** The other tabs of this browser. */
  channel: (hear: (told: TypedElsewhere) => void) => { tell(what: TypedElsewhere): void; close(): void }
}

export function browserPlaces(): DraftPlaces {
  return {
    storage: {
      read: (key) => sessionStorage.getItem(key),
      write(key, text) {
        if (text === null) sessionStorage.removeItem(key)
        else if (text.length < MOST_IN_TAB) sessionStorage.setItem(key, text)
      },
    },
    channel(hear) {
      const channel = new BroadcastChannel("retcon-drafts")
      channel.addEventListener("message", ({ data }) => hear(data as TypedElsewhere))
      return {
        // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has no other origins
        tell: (what) => channel.postMessage(what),
        close: () => channel.close(),
      }
    },
  }
}

/** A tab can store some five million characters. */
const MOST_IN_TAB = 1_000_000

type DraftSession = Pick<HostSession, "draft" | "keepDraft"> & { readonly id: string }

/** Milliseconds without a key after which the server is told. */
const PAUSE = 300

const NOTHING: Typed = { text: "", media: [] }

export class DraftKeeper {
  readonly #session: DraftSession
  readonly #storage: DraftPlaces["storage"]
  readonly #channel: ReturnType<DraftPlaces["channel"]>
  readonly #show: (typed: Typed) => void
  readonly #key: string
  readonly #saving = serial()
  #typed = NOTHING
  #saved: Typed = NOTHING
  #timer: ReturnType<typeof setTimeout> | undefined
  #closed = false

  /** `show`: puts it into the field. */
  constructor(session: DraftSession, { storage, channel }: DraftPlaces, show: (typed: Typed) => void) {
    this.#session = session
    this.#storage = storage
    this.#channel = channel((told) => this.#hear(told))
    this.#show = show
    this.#key = `retcon-draft ${session.id}`
  }

  /** Shows what was typed before. What the person has typed meanwhile stays, below it. */
  async load(): Promise<void> {
    const unsaved = this.#storage.read(this.#key)
    const { text = "", media = [] } = (await this.#session.draft().catch(() => undefined)) ?? {}
    if (this.#closed) return
    this.#saved = { text, media }
    const before = unsaved ?? text
    const since = this.#typed.text
    const typed = {
      text: since === "" || since === before ? before : [before, since].filter((part) => part !== "").join("\n\n"),
      media: [...media, ...this.#typed.media],
    }
    this.#typed = typed
    this.#show(typed)
    if (!isSame(typed, this.#saved)) this.#later()
  }

  /** Call whenever the field has changed, no matter how. */
  changed(typed: Typed): void {
    if (isSame(typed, this.#typed)) return
    this.#typed = typed
    this.#storage.write(this.#key, typed.text)
    this.#channel.tell({ session: this.#session.id, typed })
    this.#later()
  }

  /** Tells the server now, for example because the page is left. Contract: never rejects; what failed is tried again. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#saving.run(async () => {
      const typed = this.#typed
      if (isSame(typed, this.#saved)) return this.#forget(typed)
      const media = isSameMedia(typed, this.#saved) ? undefined : [...typed.media]
      const answer = await this.#session.keepDraft(typed.text, media).catch(() => "no answer" as const)
      if (answer === "no answer") return
      this.#saved = typed
      this.#forget(typed)
    })
  }

  async close(): Promise<void> {
    this.#closed = true
    this.#channel.close()
    await this.flush()
  }

  #later(): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(() => void this.flush(), PAUSE)
  }

  #forget(saved: Typed): void {
    if (isSame(saved, this.#typed)) this.#storage.write(this.#key, null)
  }

  /** What another tab shows; that one tells the server. */
  #hear({ session, typed }: TypedElsewhere): void {
    if (session !== this.#session.id || isSame(typed, this.#typed)) return
    clearTimeout(this.#timer)
    this.#typed = typed
    this.#saved = typed
    this.#storage.write(this.#key, null)
    this.#show(typed)
  }
}

function isSame(a: Typed, b: Typed): boolean {
  return a.text === b.text && isSameMedia(a, b)
}

function isSameMedia(a: Typed, b: Typed): boolean {
  return a.media.length === b.media.length && a.media.every((part, at) => part === b.media[at])
}
