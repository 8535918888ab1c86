// Says which places of another agent may not be read: they look empty, but perhaps are not.
import { agentTitle } from "../agent-title.ts"
import { count } from "./amounts.ts"
import { sanitiseLine, shellWord } from "./sanitise.ts"

/** A file or folder of an agent that may not be read. */
export interface UnreadablePlace {
  agent: string
  path: string
}

/** How many places are named for an agent. */
const MOST_NAMED = 2

/** One sentence for each agent, with what to do. */
export function unreadableWords(places: readonly UnreadablePlace[]): string[] {
  return [...new Set(places.map(({ agent }) => agent))].map((agent) => {
    const own = places.filter((place) => place.agent === agent).map(({ path }) => path)
    const named = own.slice(0, MOST_NAMED).map((path) => sanitiseLine(shellWord(path)))
    const more = own.length > MOST_NAMED ? ` and ${own.length - MOST_NAMED} more` : ""
    const them = own.length === 1 ? "it" : "them"
    return `retcon may not read ${count(own.length, "place")} of ${agentTitle(agent)}, so sessions may be missing here. Allow reading ${them}: chmod u+rX ${named.join(" ")}${more}`
  })
}
