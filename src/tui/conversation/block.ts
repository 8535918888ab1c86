// One thing in the conversation, as lines: final ones are returned once, those that may change are drawn every frame.

/**
 * Contract: `settle` returns each line once, in order; a block that is done has settled everything and has no live
 * lines. Lines contain styles, but no other control characters.
 */
export interface Block {
  /** Blocks of the same kind have no blank line between them: tool calls stay together. */
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
    // After something that is still running it cannot settle, but it can still be read.
    live: (width) => (given ? [] : lines(width)),
    finish: () => undefined,
  }
}
