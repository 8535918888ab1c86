// Files and folders named by an open handle, where the system has a name for that: /proc/self/fd on Linux.

import fs from "node:fs"

/** Linux: a handle that needs no permission to read. Node has no name for it. */
export const O_PATH = 0x20_0000

export const hasHandles = process.platform === "linux" && fs.existsSync("/proc/self/fd")

export function handlePath(handle: number): string {
  return `/proc/self/fd/${handle}`
}
