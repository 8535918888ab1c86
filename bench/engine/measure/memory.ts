// How much memory a process takes to open a session and build its context; without input, what an empty process takes.
import { answer, given } from "../../child.ts"
import { memory } from "../../memory.ts"
import type { Made } from "../make-session.ts"

export type MemoryGiven = { home: string; made: Made } | { home?: undefined }

const subject = given() as MemoryGiven
if (subject.home !== undefined) {
  const { timeOpen } = await import("../time-open.ts")
  const { fileStore } = await import("../../../src/store/file/file-store.ts")
  await timeOpen(fileStore({ home: subject.home }), subject.made)
}
answer(memory())
