// A queue: each piece of work begins when the one asked for before it has ended.

export interface Serial {
  /**
   * Runs `work` after all that was asked for before it, even if some of that failed. Contract: `work` is in the queue
   * before it begins, so what is asked for meanwhile comes after it. Work that waits for its own queue waits forever.
   */
  run<Value>(work: () => Value | Promise<Value>): Promise<Value>
  /** Nothing is running or waiting. */
  readonly idle: boolean
  /** Resolves when all that was asked for so far has ended; never rejects. */
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
