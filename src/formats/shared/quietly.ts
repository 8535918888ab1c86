// A look at the disk that may find nothing: files vanish while one looks, and others' may not be looked at.

/** Undefined when the system refuses. */
export function quietly<Value>(look: () => Value): Value | undefined {
  try {
    return look()
  } catch (error) {
    if (error instanceof Error && "code" in error) return undefined
    throw error
  }
}
