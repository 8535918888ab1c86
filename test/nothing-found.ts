import type { FindAnswer } from "../src/protocol/library.ts"

/** A search that finds nothing. */
export async function nothingFound(): Promise<FindAnswer> {
  const none = { sessions: [], total: 0, how: "words", missing: [], next: null, complete: true } as const
  return { ...none, sessions: [], missing: [], skipped: [], unreadable: [] }
}
