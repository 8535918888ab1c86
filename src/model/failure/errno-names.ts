// Names that the system has for what a person can change: room on a disk, and rights.

export const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"])
export const FORBIDDEN: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"])
