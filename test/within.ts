// A wait with an end: what does not happen fails with what was seen instead, before the test's own limit.

/** A guard against waiting for ever, never a measure of speed: also a slow and busy machine is done long before. */
export const LONGEST = 60_000

/** The same promise; rejects with what `seen` answers when it is not settled in time. */
export async function within<Value>(wait: Promise<Value>, seen: () => string): Promise<Value> {
  // Made here, so that it names the line that waits.
  const late = new Error()
  let timer: NodeJS.Timeout | undefined
  const end = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      late.message = `It did not happen in ${LONGEST / 1000} s. Seen: ${seen()}`
      reject(late)
    }, LONGEST)
  })
  return Promise.race([wait, end]).finally(() => clearTimeout(timer))
}

/** Looks again at each turn of the event loop. */
export async function until(happened: () => boolean): Promise<void> {
  const given = new AbortController()
  const looking = async () => {
    while (!given.signal.aborted && !happened()) await new Promise((next) => setImmediate(next))
  }
  await within(looking(), () => `not ${happened.toString()}`).finally(() => given.abort())
}
