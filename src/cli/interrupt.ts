// Ctrl-C goes to every process of the terminal. While a pager runs it belongs to the pager.
let ignoring = 0

export function interruptsIgnored(): boolean {
  return ignoring > 0
}

export async function ignoringInterrupts<Value>(work: () => Promise<Value>): Promise<Value> {
  ignoring++
  try {
    return await work()
  } finally {
    ignoring--
  }
}
