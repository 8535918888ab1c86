// Runs file system calls that may fail, because files vanish meanwhile or belong to others.

/** Undefined if the system refuses. */
export function quietly<Value>(look: () => Value): Value | undefined {
  try {
    return look()
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined
    throw error
  }
}
