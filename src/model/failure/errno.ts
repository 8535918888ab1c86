// The system's names for what went wrong.

export const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"])
/** The machine, not the file, is the reason: it has run out of something, or its disk fails. */
export const EXHAUSTED: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EIO"])
export const FORBIDDEN: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"])

/**
 * The system's name for what went wrong; undefined for an error that is not the system's. Not by `instanceof`: an error from a
 * `vm` has another class.
 */
export function errno(error: unknown): string | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined
  return typeof code === "string" ? code : undefined
}

/** The result of `work`; undefined if the system refuses it. */
export function orNothing<Value>(work: () => Value): Value | undefined {
  try {
    return work()
  } catch (error) {
    if (errno(error) === undefined) throw error
    return undefined
  }
}
