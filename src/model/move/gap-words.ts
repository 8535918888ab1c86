// What a move with files brings back and what it leaves, in the words of every front end: before the choice and after the move.
import { agentTitle } from "../agent-title.ts"
import { count } from "../text/amounts.ts"
import type { FileGaps } from "./file-gaps.ts"
import type { Moved } from "./moved.ts"

/** Whether every file is as it was then, as far as every round between is recorded. */
export function isWhole({ kept, notCovered, gaps }: Pick<Moved, "kept" | "notCovered" | "gaps">): boolean {
  return kept.length === 0 && notCovered.length === 0 && gaps === undefined
}

/** What comes back and what stays, on one line, beside the choice; undefined if everything comes back. */
export function bringsBack(moved: Pick<Moved, "files" | "kept" | "notCovered" | "gaps">): string | undefined {
  if (isWhole(moved)) return undefined
  const { files, kept, notCovered, gaps } = moved
  const back = new Set(files.map(({ path }) => path))
  const staying = new Set([...kept, ...notCovered].map(({ path }) => path).concat(namedIn(gaps)))
  const left = [...staying].filter((path) => !back.has(path)).length
  const calls = callsIn(gaps)
  const stays = [...(left === 0 ? [] : [count(left, "file")]), ...(calls === "" ? [] : [`what ${calls} changed`])]
  const comes = files.length === 1 ? "1 file comes back" : `${count(files.length, "file")} come back`
  const first = files.length > 0 ? comes : left > 0 ? "No file comes back" : NONE_KNOWN
  if (stays.length === 0) return `${first}, in part.`
  return `${first}; ${listed(stays)} ${stays.length === 1 && left < 2 ? "stays" : "stay"}.`
}

/** A sentence for each thing that stays because too little is recorded of it. */
export function gapLines({ gaps }: Pick<Moved, "gaps">): string[] {
  if (gaps === undefined) return []
  const unknown = gaps.rounds.filter((round) => callsIn({ rounds: [round] }) !== "")
  const calls = callsIn(gaps)
  const ran =
    calls === "" ? [] : [`${calls} ran ${where(unknown)}: what ${itOf(calls)} changed is not known, and stays.`]
  const named = namedIn(gaps)
  const who = gaps.agent === undefined ? "the agent" : agentTitle(gaps.agent)
  const before = named.length === 1 ? "what it contained before is" : "what they contained before is"
  return named.length === 0 ? ran : [...ran, `What ${who} changed in ${names(named)} stays: ${before} not recorded.`]
}

/** Which files come from the agent's own copies; undefined if none does. */
export function copiedLine({ copied }: Pick<Moved, "copied">): string | undefined {
  if (copied === undefined) return undefined
  const them = copied.paths.length === 1 ? "it" : "them"
  return `From copies that ${agentTitle(copied.agent)} made: ${names(copied.paths)}. Later changes to ${them} go too, whoever made them.`
}

/** For a restore that changed nothing: it does not say that there was nothing to change, nor that what stays is not known. */
export function noneKnown({ gaps, kept }: Pick<Moved, "gaps" | "kept">): string {
  return gaps === undefined || kept.length > 0 ? "" : `${NONE_KNOWN}. `
}

/** Why there is nothing to restore. */
export function whyNone(moved: Pick<Moved, "kept" | "notCovered" | "gaps">): string {
  if (isWhole(moved)) return "The files are already as they were then."
  return noneKnown(moved).trimEnd() || "What differs from then stays."
}

export const NONE_KNOWN = "No change to files is known since then"

/** What was done with files, after the move: never more than is true. */
export function asFarAsKnown(did: string, moved: Pick<Moved, "gaps">): string {
  return moved.gaps === undefined ? did : `${did}, as far as they are known`
}

function where(rounds: FileGaps["rounds"]): string {
  const which = rounds.length === 1 ? "a round" : count(rounds.length, "round")
  return `in ${which} ${rounds.some(({ partly }) => partly) ? "with missing snapshots" : "without snapshots"}`
}

function itOf(calls: string): string {
  return /^1 (?!.*(?:,| and ))/.test(calls) ? "it" : "they"
}

function namedIn(gaps: Pick<FileGaps, "rounds"> | undefined): string[] {
  return [...new Set(gaps?.rounds.flatMap(({ named }) => named))]
}

/** "3 shell commands and 1 sub-agent"; empty if there were none. */
function callsIn(gaps: Pick<FileGaps, "rounds"> | undefined): string {
  const sum = (of: "commands" | "agents" | "others") => (gaps?.rounds ?? []).reduce((all, round) => all + round[of], 0)
  const [commands, agents, others] = [sum("commands"), sum("agents"), sum("others")]
  return listed([
    ...(commands === 0 ? [] : [count(commands, "shell command")]),
    ...(agents === 0 ? [] : [count(agents, "sub-agent")]),
    ...(others === 0 ? [] : [count(others, commands + agents === 0 ? "tool call" : "other tool call")]),
  ])
}

function listed(words: readonly string[]): string {
  return words.length < 2 ? (words[0] ?? "") : `${words.slice(0, -1).join(", ")} and ${words.at(-1)}`
}

const MOST_NAMED = 8

function names(paths: readonly string[]): string {
  if (paths.length <= MOST_NAMED) return listed(paths)
  return `${paths.slice(0, MOST_NAMED).join(", ")} and ${paths.length - MOST_NAMED} more`
}

/** Why a move of files alone changed nothing, as a sentence. */
export function alreadySo(kind: Moved["kind"]): string {
  if (kind === "revert") return "The files contain no change of it that could be taken back."
  return kind === "bring" ? "All of it is here already." : "The files are already as they were then."
}
