// Work in slices: between two of them, keys are read and frames are drawn.

export interface Slices {
  /** Continues, unless it is already running. */
  wake(): void
  stop(): void
}

/** `work` does one slice and returns whether there is more to do. */
export function inSlices(work: () => boolean, redraw: () => void): Slices {
  let next: NodeJS.Immediate | undefined
  const slice = () => {
    next = work() ? setImmediate(slice) : undefined
    redraw()
  }
  return {
    wake() {
      next ??= setImmediate(slice)
    },
    stop() {
      clearImmediate(next)
      next = undefined
    },
  }
}
