// Finds sessions by their content, of any agent and in any branch: the server searches all of them.
import type { FoundHit, Library } from "../../src/protocol/library.ts"

const MOST_HITS = 200

/** Where the words were found, with the words around them. */
export type ContentHit = Pick<FoundHit, "session" | "entry" | "before" | "match" | "after">

/** The best hit of each session, the best session first. */
export async function findInContents(library: Library, text: string, signal: AbortSignal): Promise<ContentHit[]> {
  const { hits } = await library.find({ text, limit: MOST_HITS, ofOne: 1 }, { signal })
  return hits.filter(({ session }, at) => hits.findIndex((each) => each.session === session) === at)
}
