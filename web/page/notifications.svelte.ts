// The browser's own notifications of sessions that wait, if the person asks for them.
import type { SessionId } from "../../src/model/id.ts"
import type { SessionListing } from "../../src/protocol/shapes.ts"

const WANTED = "retcon-notifications"

export class Notifications {
  wanted = $state(false)
  /** Why there can be none; undefined if there can. */
  readonly blocked = "Notification" in globalThis ? undefined : "This browser has no notifications."
  readonly #go: (session: SessionId) => void
  #told: ReadonlySet<SessionId> = new Set()

  /** `go`: opens a session, when its notification is clicked. */
  constructor(go: (session: SessionId) => void) {
    this.#go = go
    this.wanted =
      this.blocked === undefined && Notification.permission === "granted" && localStorage.getItem(WANTED) === "yes"
  }

  /** Contract: asks the person only because they asked for it. */
  async toggle(): Promise<void> {
    if (this.wanted || this.blocked !== undefined) {
      this.wanted = false
      localStorage.removeItem(WANTED)
      return
    }
    this.wanted = (await Notification.requestPermission()) === "granted"
    if (this.wanted) localStorage.setItem(WANTED, "yes")
  }

  /** One for each that has begun to wait, unless the person sees the page. Only the title: others may see the screen. */
  tell(waiting: readonly SessionListing[]): void {
    const before = this.#told
    this.#told = new Set(waiting.map(({ id }) => id))
    if (!this.wanted || (!document.hidden && document.hasFocus())) return
    for (const { id, title } of waiting) {
      if (before.has(id)) continue
      const shown = new Notification("The agent waits for your answer", { body: title, tag: id })
      shown.addEventListener("click", () => {
        shown.close()
        this.#go(id)
      })
    }
  }
}

/** Whether a hidden tab must go on listening. */
export function listensWhileHidden(): boolean {
  return "Notification" in globalThis && Notification.permission === "granted" && localStorage.getItem(WANTED) === "yes"
}
