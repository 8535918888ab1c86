// How much memory this process takes.
import { readFileSync } from "node:fs"

export interface MemoryFound {
  /** In megabytes: now, and at most. */
  rss: number
  peak: number
}

export function memory(): MemoryFound {
  const rss = process.memoryUsage().rss / 2 ** 20
  const status = process.platform === "linux" ? readFileSync("/proc/self/status", "utf8") : ""
  const peak = /VmHWM:\s+(\d+) kB/.exec(status)?.[1]
  return { rss, peak: peak === undefined ? process.resourceUsage().maxRSS / 1024 : Number(peak) / 1024 }
}
