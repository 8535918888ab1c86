// How far token estimates are off for a model, learnt from what its provider reports.

/** The caller keeps it with the conversation; nothing is stored here. */
export interface Correction {
  /** Reported tokens per estimated token. */
  factor: number
  samples: number
}

export const NO_CORRECTION: Correction = { factor: 1, samples: 0 }

/** Reports about fewer tokens say little. */
const SMALL = 200

/**
 * What a report teaches. `estimated` is the uncorrected estimate of what `reported` counts. The first reports count
 * most; later ones move the factor slowly.
 */
export function learn(correction: Correction, estimated: number, reported: number): Correction {
  if (estimated < SMALL || reported <= 0) return correction
  const ratio = Math.min(4, Math.max(0.25, reported / estimated))
  const weight = Math.max(0.2, 1 / (correction.samples + 1))
  return { factor: correction.factor + (ratio - correction.factor) * weight, samples: correction.samples + 1 }
}
