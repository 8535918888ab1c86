// Finds sessions by what was said in them, of any agent and in any branch: the server searches all of them.
import type { SessionId } from "../../src/model/id.ts"
import { leadIn } from "../../src/model/text/lead-in.ts"
import { sanitise } from "../../src/model/text/sanitise.ts"
import type { FoundHit, Library } from "../../src/protocol/library.ts"

const MOST = 200

/** The text of a hit in pieces, beginning shortly before the first mark. */
export function markedPieces(
  { text, marks }: Pick<ContentHit, "text" | "marks">,
  lead: number,
): { text: string; marked: boolean }[] {
  const pieces: { text: string; marked: boolean }[] = []
  let at = 0
  for (const [from, to] of marks) {
    const before = text.slice(at, from)
    pieces.push(
      { text: at === 0 ? leadIn(before, lead) : before, marked: false },
      { text: text.slice(from, to), marked: true },
    )
    at = to
  }
  return [...pieces, { text: text.slice(at), marked: false }].map((piece) => ({ ...piece, text: sanitise(piece.text) }))
}

/** The best place in a session. */
export interface ContentHit extends Pick<FoundHit, "entry" | "text" | "marks"> {
  session: SessionId
}

/** The best session first. */
export async function findInContents(library: Library, text: string, signal: AbortSignal): Promise<ContentHit[]> {
  const { sessions } = await library.find({ text, limit: MOST, ofOne: 1 }, { signal })
  return sessions.flatMap(({ session, hits }) =>
    hits.map(({ entry, text: said, marks }) => ({ session, entry, text: said, marks })),
  )
}
