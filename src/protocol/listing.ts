// Which sessions a person can go on with.
import type { SessionListing } from "./shapes.ts"

/**
 * It is one of ours, something was said in it, it is not archived, and not a sub-agent's. It qualifies even if the head was
 * moved before the first prompt, so that the path has none: what was said is in the tree.
 */
export function canGoOn(
  session: Pick<SessionListing, "archived" | "branches"> & {
    agent?: string | undefined
    from?: SessionListing["from"] | undefined
  },
): boolean {
  if ((session.agent ?? "retcon") !== "retcon") return false
  return isOffered(session)
}

/** The same of any agent: another agent's session goes on in a copy. */
export function isOffered(
  session: Pick<SessionListing, "archived" | "branches"> & { from?: SessionListing["from"] | undefined },
): boolean {
  return session.from?.as !== "task" && !session.archived && session.branches !== 0
}
