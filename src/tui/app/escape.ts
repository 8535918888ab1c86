// Esc has one meaning at a time: while the agent works it stops it; otherwise, twice in a row opens the rewind list.

export type EscapeMeaning = "stop" | "armed" | "rewind"

export interface Escape {
  press(running: boolean): EscapeMeaning
  /** Call for any other key in between. */
  disarm(): void
  readonly armed: boolean
}

export const DOUBLE_MS = 600

export function makeEscape(now: () => number): Escape {
  let first: number | undefined
  return {
    press(running) {
      if (running) {
        first = undefined
        return "stop"
      }
      const at = now()
      if (first !== undefined && at - first <= DOUBLE_MS) {
        first = undefined
        return "rewind"
      }
      first = at
      return "armed"
    },
    disarm() {
      first = undefined
    },
    get armed() {
      return first !== undefined && now() - first <= DOUBLE_MS
    },
  }
}
