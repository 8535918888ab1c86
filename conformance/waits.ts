// Waits that end with an event, or with what did not happen. The limit is for programs that hang, not for slow machines.
import { setTimeout as pause } from "node:timers/promises"

export const LONGEST_MS = 300_000
export const LOOK_MS = 50

/** `what`: what is awaited, as a sentence without a full stop. */
export async function within<Value>(wait: Promise<Value>, what: string): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not happen: ${what}`)), LONGEST_MS)
  })
  return Promise.race([wait, late]).finally(() => clearTimeout(timer))
}

/** Looks again and again. `what` is called if it does not happen. */
export async function until(happened: () => boolean, what: () => string): Promise<void> {
  for (const end = performance.now() + LONGEST_MS; !happened(); await pause(LOOK_MS))
    if (performance.now() > end) throw new Error(what())
}
