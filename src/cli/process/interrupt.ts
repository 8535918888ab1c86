// What ends the program from outside: Ctrl-C, a signal, a reader of our output that went away.

/** As in a shell: 128 plus the number of the signal. */
export const STOPPED = { SIGHUP: 129, SIGINT: 130, SIGPIPE: 141, SIGTERM: 143 } as const

type Stop = (exit: number) => void

let ignoring = 0

/** Ctrl-C goes to every process of the terminal. While a pager runs it belongs to the pager. */
export async function ignoringInterrupts<Value>(work: () => Promise<Value>): Promise<Value> {
  ignoring++
  try {
    return await work()
  } finally {
    ignoring--
  }
}

const stops: Stop[] = []
/** Nobody reads the output any more. */
let readerLeft = false
let hungUp = false

/**
 * The next thing that would end the program calls back with the exit code, so that it can end in order. After that a
 * signal ends it. Returns how to cancel this.
 */
export function onStop(stop: Stop): () => void {
  stops.push(stop)
  const signals = (["SIGHUP", "SIGTERM"] as const).map((signal) => {
    const listener = () => taken(STOPPED[signal])
    process.once(signal, listener)
    return () => process.off(signal, listener)
  })
  return () => {
    for (const forget of signals) forget()
    const at = stops.indexOf(stop)
    if (at !== -1) stops.splice(at, 1)
  }
}

/** A signal waits until `whole` is done, such as a restore of files; outside of it, a signal ends the program at once. */
export interface Completing {
  whole: <Value>(work: () => Promise<Value>) => Promise<Value>
  /** Whether a signal waits for the work to end. */
  isStopped: () => boolean
}

/**
 * Runs work with parts that must not end halfway. A signal during such a part calls `told`, and ends the program when all
 * work is done; a second one ends it at once. A reader of our output that leaves changes nothing.
 */
export async function completing<Value>(told: () => void, work: (parts: Completing) => Promise<Value>): Promise<Value> {
  let exit: number | undefined
  let isWhole = false
  let cancel = onStop(stop)
  function stop(code: number): void {
    if (code === STOPPED.SIGPIPE) {
      cancel()
      cancel = onStop(stop)
      return
    }
    if (!isWhole) process.exit(code)
    exit = code
    told()
  }
  const whole: Completing["whole"] = async (part) => {
    isWhole = true
    try {
      return await part()
    } finally {
      isWhole = false
    }
  }
  try {
    return await work({ whole, isStopped: () => exit !== undefined })
  } finally {
    cancel()
    if (exit !== undefined) process.exit(exit)
  }
}

/** Whether a handler takes care of this Ctrl-C. */
export function interrupted(): boolean {
  return taken(STOPPED.SIGINT) || ignoring > 0
}

/** The reader of our output is gone. Returns whether a handler takes care of that, for everything still to be written. */
export function readerGone(): boolean {
  return taken(STOPPED.SIGPIPE) || readerLeft
}

function taken(exit: number): boolean {
  const stop = stops.pop()
  if (stop === undefined) return false
  if (exit === STOPPED.SIGHUP || exit === STOPPED.SIGPIPE) left()
  stop(exit)
  return true
}

/** The kernel, the shell and a failing write may each report the same closed terminal: once is enough. */
function left(): void {
  readerLeft = true
  if (hungUp) return
  hungUp = true
  process.on("SIGHUP", () => undefined)
}
