// The system's names for errors that a person can fix: a full disk, missing permissions.

export const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"])
/** The machine, not the file, is the reason: it has run out of something, or its disk fails. */
export const EXHAUSTED: ReadonlySet<string> = new Set(["EMFILE", "ENFILE", "ENOMEM", "EIO"])
export const FORBIDDEN: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"])
