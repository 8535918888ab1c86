// Medians of a floor and of ours, measured alternately, so that a busy machine slows down both.

/** One sample, in milliseconds. It times itself, so that its preparation does not count. */
export type Sample = () => number | Promise<number>

export interface Measured {
  ours: number
  floor: number
  /** The first sample of ours. */
  first: number
  /** The best of each: on a busy machine, closer to the truth than the median. */
  best: { ours: number; floor: number }
}

export interface Repeats {
  /** How many pairs count. */
  samples: number
  /** How many pairs come before those, and do not count. */
  warmUp: number
}

export async function interleave(floor: Sample, ours: Sample, { samples, warmUp }: Repeats): Promise<Measured> {
  const floors: number[] = []
  const times: number[] = []
  for (let n = 0; n < warmUp + samples; n++) {
    floors.push(await tidily(floor))
    times.push(await tidily(ours))
  }
  const [oursKept, floorsKept] = [times.slice(warmUp), floors.slice(warmUp)]
  return {
    ours: median(oursKept),
    floor: median(floorsKept),
    first: times[0] ?? Number.NaN,
    best: { ours: Math.min(...oursKept), floor: Math.min(...floorsKept) },
  }
}

/** The garbage of one sample must not be collected during another. */
async function tidily(sample: Sample): Promise<number> {
  globalThis.gc?.({ type: "minor" })
  return sample()
}

export function timed(work: () => void): number {
  const start = performance.now()
  work()
  return performance.now() - start
}

export async function timedAsync(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? Number.NaN
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2
}
