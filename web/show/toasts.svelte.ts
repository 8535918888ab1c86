// Short messages about what happened. One with a button stays longer; a problem stays until it is closed.

export interface Toast {
  id: number
  kind: "done" | "problem"
  text: string
  /** What to do next, or more about what happened. */
  detail?: string
  actions?: { label: string; run: () => void }[]
}

const SHORT = 6_000
const LONG = 12_000

export class Toasts {
  list = $state.raw<readonly Toast[]>([])
  #next = 1

  add(toast: Omit<Toast, "id">): number {
    const id = this.#next++
    this.list = [...this.list.filter(({ text }) => text !== toast.text).slice(-3), { ...toast, id }]
    if (toast.kind === "done") setTimeout(() => this.remove(id), toast.actions === undefined ? SHORT : LONG)
    return id
  }

  remove(id: number): void {
    this.list = this.list.filter((each) => each.id !== id)
  }

  clear(): void {
    this.list = []
  }
}
