// A terminal that only records when something was written, and how often.

export const [COLUMNS, ROWS] = [100, 40]

export interface Typist {
  /** Call when something was written to the terminal. */
  wrote(): void
  /** Writes since `start`. */
  readonly writes: number
  /** From each key to the first write after it, in milliseconds. */
  readonly latencies: number[]
  start(): void
  stop(): void
}

const EVERY_MS = 37

/** Presses a key now and then, as a person does while an answer streams in. */
export function makeTypist(press: (data: string) => void): Typist {
  let latencies: number[] = []
  let writes = 0
  let pressed: number | undefined
  let timer: NodeJS.Timeout | undefined
  let n = 0
  return {
    wrote() {
      writes++
      if (pressed !== undefined) latencies.push(performance.now() - pressed)
      pressed = undefined
    },
    get writes() {
      return writes
    },
    get latencies() {
      return latencies
    },
    start() {
      latencies = []
      writes = 0
      timer = setInterval(() => {
        pressed ??= performance.now()
        // A character and a backspace alternately, so that the text stays short.
        press(n++ % 2 === 0 ? "x" : "\u007f")
      }, EVERY_MS)
    },
    stop: () => clearInterval(timer),
  }
}

/** Calls `give` with each token when it is due. */
export async function pace(tokens: readonly string[], perSecond: number, give: (token: string) => void): Promise<void> {
  const start = performance.now()
  for (let n = 0; n < tokens.length; ) {
    const due = Math.min(tokens.length, Math.floor(((performance.now() - start) / 1000) * perSecond))
    while (n < due) give(tokens[n++] as string)
    await new Promise((settle) => setTimeout(settle, 1000 / perSecond))
  }
}
