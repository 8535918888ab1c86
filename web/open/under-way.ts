// Sessions in which something happens now.
import { isOffered } from "../../src/protocol/can-continue.ts"
import type { SessionListing } from "../../src/protocol/shapes.ts"

/** Those that wait for an answer, then those in which the agent works: above all projects. */
export function underWay(sessions: readonly SessionListing[]): SessionListing[] {
  const state = (turn: SessionListing["turn"]) => sessions.filter((each) => each.turn === turn && isOffered(each))
  return [...state("waiting"), ...state("running")]
}
