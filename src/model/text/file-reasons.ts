// Why a restore leaves a file alone, or cannot change it: all reasons, and the words for each.
import { type SessionId, shortId } from "../id.ts"

type Words = (who: string, agent: string) => string

const KEPT = {
  "changed-since": (who) => `${who} changed it since`,
  "deleted-since": (who) => `${who} deleted it since`,
  /** The same, where calls of which no snapshot shows what they changed have run since. */
  "changed-unseen": () => "changed since, by a tool call or by you",
  "deleted-unseen": () => "deleted since, by a tool call or by you",
  /** Taking back a single round: other rounds have changed it too. */
  "other-round": () => "another round, or you, changed it since",
  "other-session": (who) => `${who === "you" ? "another session" : who} changed it at the same time`,
  /** A command of another session had not ended: nobody knows whose change it is. */
  "other-command": (who) =>
    `it changed while a command of ${who === "you" ? "another session" : who} ran, perhaps because of it`,
  "own-command": () => "it changed while your own command ran, perhaps because of it",
  "not-covered": () => "it is not covered by snapshots",
  /** How the person resolved a conflict. */
  "conflict-ours": () => "you chose your version",
  /** Changed since the start of a call that never ended. */
  "unended-call": () => "changed by you, or by a call that was cut off",
  /** Changed since the end of a command that may have left something running. */
  "left-running": () => "changed by you, or by something that a command may have left running",
  /** Changed since, in a session whose background command is still running. */
  "running-command": () => "changed by you, or by a command that still runs in the background",
  /** Someone saved it while the restore worked on it: that is what it contains. */
  "saved-meanwhile": () => "it has what was saved to it during the restore",
  /** It existed then, has been removed since, and is in no snapshot. */
  lost: () => "it was removed, and snapshots do not cover it: retcon cannot bring it back",
  "other-spelling": () => "its name differs only in case from one that stays",
  asked: () => "as you asked",
  uncertain: () => "it changed while a command ran, perhaps by you",
  "git-switched": () => "git changed it with the branch or commit",
} as const satisfies Record<string, Words>

const CONFLICTS = {
  content: (who, agent) => `${both(who, agent)} changed the same lines`,
  binary: (who, agent) => `${both(who, agent)} changed it, and it is not text`,
  kind: () => "it is now a different kind (file, folder or link)",
  "added-twice": (who, agent) => `${agent} deleted it, and ${who} created it again`,
  "in-the-way": () => "something else is in its place",
} as const satisfies Record<string, Words>

export type KeptReason = keyof typeof KEPT
export type ConflictReason = keyof typeof CONFLICTS

/**
 * `by`: the other session that changed it, if its log says so; otherwise the change is attributed to the person. `unseen`: or to
 * a tool call, because no snapshot shows what some of them changed. `rounds`: or to another round, which stays.
 */
type Because<Reason> = {
  because: Reason
  by?: SessionId | undefined
  unseen?: true | undefined
  rounds?: true | undefined
}

/** Why a file was left alone. */
export function keptWords({ because, by }: Because<KeptReason>): string {
  const words: Words = KEPT[because]
  return words(whoOf(by), agentOf(by))
}

/** Why a file cannot be restored. */
export function conflictWords({ because, by, unseen, rounds }: Because<ConflictReason>): string {
  const words: Words = CONFLICTS[because]
  const perhaps = rounds === true ? "another round or you" : unseen === true ? "a tool call or you" : undefined
  const who = by === undefined ? (perhaps ?? "you") : whoOf(by)
  return words(who, agentOf(by))
}

/** For a file with several names: a restore replaces one of them. */
export const SPLIT = "no longer shares its content with its other names (hard links)"

function both(who: string, agent: string): string {
  return who.includes(" or ") ? `${agent}, and then ${who},` : `${who} and ${agent}`
}

function whoOf(by: SessionId | undefined): string {
  return by === undefined ? "you" : `session ${shortId(by)}`
}

function agentOf(by: SessionId | undefined): string {
  return by === undefined ? "the agent" : "this session"
}
