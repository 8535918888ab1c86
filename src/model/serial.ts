// A queue: each job starts when the one before it has ended.

export interface Serial {
  /**
   * Runs `work` after everything queued before it, even if some of that failed. Contract: `work` is queued before it
   * starts, so whatever is queued meanwhile comes after it. Work that waits for its own queue waits forever.
   */
  run<Value>(work: () => Value | Promise<Value>): Promise<Value>
  /** Nothing is running or queued. */
  readonly idle: boolean
  /** Resolves when everything queued so far has ended; never rejects. */
  settled(): Promise<void>
}

export function serial(): Serial {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0
  const ended = () => {
    waiting--
  }
  return {
    run(work) {
      waiting++
      const done = last.then(work)
      last = done.then(ended, ended)
      return done
    },
    get idle() {
      return waiting === 0
    },
    settled: () => last,
  }
}
