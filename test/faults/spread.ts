// Which calls of a flow to try: some in the suite, all of them in `npm run soak -- faults`.

/** Call numbers from 0, evenly spread, the first one too. `most`: that many in the suite. */
export function spread(calls: number, most: number): number[] {
  const step = Math.max(1, calls / (process.env.FAULT_MOST === undefined ? most : Number(process.env.FAULT_MOST)))
  return Array.from({ length: Math.ceil(calls / step) }, (_, i) => Math.floor(i * step))
}
