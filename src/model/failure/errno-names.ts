// The system's error names for what a person can change: space on a disk, and permissions.

export const FULL: ReadonlySet<string> = new Set(["ENOSPC", "EDQUOT", "EFBIG"])
export const FORBIDDEN: ReadonlySet<string> = new Set(["EACCES", "EPERM", "EROFS"])
