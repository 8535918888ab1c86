// When a conversation is compacted: before the window is full, with room for what a step may still add.

export interface WindowLimits {
  /** The part of the window that may be used. */
  ratio: number
  /** Tokens kept free, by size of the window: linear between two points, constant after the last one. */
  reserve: readonly (readonly [window: number, tokens: number])[]
  /** Part of the window kept free below the smallest point. */
  smallReserve: number
  /** Rounds that a compaction keeps verbatim, at most. */
  keepRounds?: number
}

export const WINDOW_LIMITS: WindowLimits = {
  ratio: 0.85,
  reserve: [
    [32_768, 10_000],
    [65_536, 27_000],
    [131_072, 30_000],
    [150_000, 50_000],
  ],
  smallReserve: 0.3,
}

/** The number of tokens at which a conversation is compacted; undefined if the window is unknown: then it never is. */
export function compactsAt(window: number | undefined, limits: WindowLimits = WINDOW_LIMITS): number | undefined {
  if (window === undefined || window <= 0) return undefined
  const free = window - reserveOf(window, limits)
  const threshold = Math.floor(Math.min(limits.ratio * window, free))
  return threshold > 0 ? threshold : undefined
}

function reserveOf(window: number, limits: WindowLimits): number {
  const points = limits.reserve
  const first = points[0]
  if (first === undefined || window < first[0]) return limits.smallReserve * window
  for (let i = 1; i < points.length; i++) {
    const [from, low] = points[i - 1] as readonly [number, number]
    const [to, high] = points[i] as readonly [number, number]
    if (window < to) return low + ((high - low) * (window - from)) / (to - from)
  }
  return points.at(-1)?.[1] ?? 0
}

/** This part of the tokens kept free is for the answer that follows; a step's results may use the rest. */
const FOR_ANSWERS = 0.5
/** A step's results may always take this part of the window: less would be useless. */
const LEAST_RESULTS = 0.04

/** How many tokens the results of a step may take if `used` are already taken; undefined if the window is unknown. */
export function roomForResults(
  used: number,
  window: number | undefined,
  limits: WindowLimits = WINDOW_LIMITS,
): number | undefined {
  if (window === undefined || window <= 0) return undefined
  const room = window - FOR_ANSWERS * reserveOf(window, limits) - used
  return Math.floor(Math.max(room, LEAST_RESULTS * window))
}

/** Contract: never true for zero tokens. */
export function mustCompact(tokens: number, window: number | undefined, limits: WindowLimits = WINDOW_LIMITS): boolean {
  const threshold = compactsAt(window, limits)
  return threshold !== undefined && tokens > 0 && tokens >= threshold
}
