// Names files and folders by an open handle, if the system can: /proc/self/fd on Linux.
import fs from "node:fs"

/** Linux: a handle that needs no read permission. Node does not define this constant. */
export const O_PATH = 0x20_0000

export const hasHandles = process.platform === "linux" && fs.existsSync("/proc/self/fd")

export function handlePath(handle: number): string {
  return `/proc/self/fd/${handle}`
}
