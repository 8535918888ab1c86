// That an agent has a session no more, in words.
import { agentTitle } from "../agent-title.ts"

const MONTHS = "January February March April May June July August September October November December".split(" ")

/** "gone from Claude Code since 12 October 2026". `since`: an ISO time. */
export function goneWords(agent: string, since: string): string {
  return `gone from ${agentTitle(agent)} since ${dayOf(since)}`
}

/** In the time zone of this machine. */
function dayOf(at: string): string {
  const date = new Date(at)
  return `${date.getDate()} ${MONTHS[date.getMonth()]} ${date.getFullYear()}`
}
