// The lines that a person types, as they arrive.

export async function* withFirst(first: string | undefined, lines: AsyncIterable<string>): AsyncGenerator<string> {
  if (first !== undefined) yield first
  yield* lines
}

/** The lines until `left` resolves, even while waiting for the next one. */
export async function* until(left: Promise<undefined>, lines: AsyncIterable<string>): AsyncGenerator<string> {
  const all = lines[Symbol.asyncIterator]()
  try {
    for (;;) {
      const next = await Promise.race([left, all.next()])
      if (next === undefined || next.done === true) return
      yield next.value
    }
  } finally {
    // Not awaited: a line that never comes must not block.
    void all.return?.()
  }
}
