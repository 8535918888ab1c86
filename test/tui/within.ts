// A wait with an end: what does not happen fails with what was seen instead, long before the test's own limit.
const LONGEST = 20_000

/** The same promise; rejects with what `seen` answers when it is not settled in time. */
export async function within<Value>(wait: Promise<Value>, seen: () => string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`It did not happen in ${LONGEST / 1000} s. Seen: ${seen()}`)), LONGEST)
  })
  return Promise.race([wait, late]).finally(() => clearTimeout(timer))
}

/** Looks again at each turn of the event loop. */
export async function until(happened: () => boolean, seen: () => string = () => String(happened)): Promise<void> {
  const end = performance.now() + LONGEST
  while (!happened()) {
    if (performance.now() > end) throw new Error(`It did not happen in ${LONGEST / 1000} s. Seen: ${seen()}`)
    await new Promise((next) => setImmediate(next))
  }
}
