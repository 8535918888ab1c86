// What a process takes to open a session and build its context; with nothing given, what an empty process takes.
import { readFileSync } from "node:fs"
import { answer, given } from "../../child.ts"
import type { Made } from "../make-session.ts"

export type MemoryGiven = { home: string; made: Made } | { home?: undefined }

export interface MemoryFound {
  /** Megabytes: now, and at most. */
  rss: number
  peak: number
}

const subject = given() as MemoryGiven
if (subject.home !== undefined) {
  const { timeOpen } = await import("../time-open.ts")
  const { fileStore } = await import("../../../src/store/file/file-store.ts")
  await timeOpen(fileStore({ home: subject.home }), subject.made)
}
answer(memory())

function memory(): MemoryFound {
  const rss = process.memoryUsage().rss / 2 ** 20
  const status = process.platform === "linux" ? readFileSync("/proc/self/status", "utf8") : ""
  const peak = /VmHWM:\s+(\d+) kB/.exec(status)?.[1]
  return { rss, peak: peak === undefined ? process.resourceUsage().maxRSS / 1024 : Number(peak) / 1024 }
}
