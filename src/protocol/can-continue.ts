// Which sessions a person can continue.
import { worksForAnother } from "../model/record/record.ts"
import type { SessionListing } from "./shapes.ts"

/**
 * One of ours that has messages, is not archived and is not a sub-agent's. It qualifies even if the head was moved to before the
 * first prompt, so that the path is empty: the messages are still in the tree.
 */
export function canContinue(
  session: Pick<SessionListing, "archived" | "branches"> & {
    agent?: string | undefined
    from?: SessionListing["from"] | undefined
  },
): boolean {
  if ((session.agent ?? "retcon") !== "retcon") return false
  return isOffered(session)
}

/** The same for any agent's session: another agent's is continued in a copy. */
export function isOffered(
  session: Pick<SessionListing, "archived" | "branches"> & { from?: SessionListing["from"] | undefined },
): boolean {
  return !worksForAnother(session.from) && !session.archived && session.branches !== 0
}
