// Ctrl-C goes to every process of the terminal. While a pager runs it belongs to the pager.
let ignoring = 0

export async function ignoringInterrupts<Value>(work: () => Promise<Value>): Promise<Value> {
  ignoring++
  try {
    return await work()
  } finally {
    ignoring--
  }
}

const listeners: (() => void)[] = []

/** The next Ctrl-C calls back instead of ending the program; the one after it ends it. Answers how to forget it. */
export function onInterrupt(listener: () => void): () => void {
  listeners.push(listener)
  return () => {
    const at = listeners.indexOf(listener)
    if (at !== -1) listeners.splice(at, 1)
  }
}

/** Whether somebody takes care of this Ctrl-C. */
export function interrupted(): boolean {
  const listener = listeners.pop()
  listener?.()
  return listener !== undefined || ignoring > 0
}
