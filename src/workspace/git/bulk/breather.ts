// Keeps the process responsive during long stretches of synchronous work.

/** Lets other work run after a while. */
export function breather(): () => Promise<void> | undefined {
  let since = elapsed()
  return () => {
    if (elapsed() - since < 12) return undefined
    return new Promise((resolve) =>
      setImmediate(() => {
        since = elapsed()
        resolve()
      }),
    )
  }
}

/** Milliseconds. Not `performance`: a hook would load that for nothing else, and it takes 2 of them. */
function elapsed(): number {
  return Number(process.hrtime.bigint()) / 1e6
}
