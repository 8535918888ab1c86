// Finds sessions by their content, of any agent and in any branch: the server searches all of them.
import type { Api } from "../../src/client/api.ts"
import type { EntryId, SessionId } from "../../src/model/id.ts"

const MOST_HITS = 200

/** Where the words were found, with the words around them. */
export interface ContentHit {
  session: SessionId
  /** Null if they were found in the title. */
  entry: EntryId | null
  before: string
  match: string
  after: string
}

/** The best hit of each session, the best session first. */
export async function findInContents(api: Api, text: string, signal: AbortSignal): Promise<ContentHit[]> {
  const query = new URLSearchParams({ text, limit: String(MOST_HITS) })
  const response = await api.fetch(`search?${query}`, { signal })
  const { hits } = (await response.json()) as { hits: ContentHit[] }
  const best = new Map<SessionId, ContentHit>()
  for (const hit of hits) if (!best.has(hit.session)) best.set(hit.session, hit)
  return [...best.values()]
}
