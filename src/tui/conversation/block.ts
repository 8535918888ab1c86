// One thing in the conversation, as lines: what is final is given once, what may still change is drawn every frame.

/**
 * Contract: `settle` gives each line once, in order; a block that is done has settled everything and has no live lines.
 * Lines have styles and no other control characters.
 */
export interface Block {
  /** No blank line between this block and one of the same kind: tool calls stay together. */
  readonly kind: string
  readonly done: boolean
  settle(width: number): string[]
  live(width: number): string[]
  /** Nothing more will come: what is live becomes final as it is. */
  finish(): void
}

/** A block that is complete from the start. */
export function finished(kind: string, lines: (width: number) => string[]): Block {
  let given = false
  return {
    kind,
    get done() {
      return given
    },
    settle(width) {
      if (given) return []
      given = true
      return lines(width)
    },
    // After something that still runs it cannot settle, but can be read all the same.
    live: (width) => (given ? [] : lines(width)),
    finish: () => undefined,
  }
}
