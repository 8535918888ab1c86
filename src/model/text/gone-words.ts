// Says that an agent's own file of a session can no longer be used.
import { agentTitle } from "../agent-title.ts"

/** What happened to the file, if it was not removed. */
export type GoneAs = "emptied" | "unreadable"

const MONTHS = "January February March April May June July August September October November December".split(" ")

/** "gone from Claude Code since 12 October 2026". `since`: an ISO time. */
export function goneWords(agent: string, since: string, as?: GoneAs): string {
  const title = agentTitle(agent)
  if (as === "emptied") return `empty in ${title} since ${dayOf(since)}`
  if (as === "unreadable") return `unreadable in ${title} since ${dayOf(since)}`
  return `gone from ${title} since ${dayOf(since)}`
}

/** "12 October 2026", in the time zone of this machine. */
export function dayOf(at: string): string {
  const date = new Date(at)
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`
}
