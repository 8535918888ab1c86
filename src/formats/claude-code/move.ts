// The line that makes Claude Code continue from an entry: a checkpoint as it writes them itself, with a field of ours.
import { NONE, type Row } from "../../history/tree/tree.ts"
import { type EntryId, shortId } from "../../model/id.ts"
import type { JsonObject } from "../../model/json.ts"
import type { AppendedMove, MoveAsked } from "../port.ts"
import { objectField, parseLine, textField } from "../shared/json-line.ts"
import { SPLIT_ADVICE } from "../shared/split-advice.ts"
import type { Head } from "./head.ts"
import { landing } from "./resuming.ts"
import { CHECKPOINTS, isSince } from "./versions.ts"

export function claudeMove({ history, read, to, operation }: MoveAsked, head: Head, session: string): AppendedMove {
  const version = head.last === NONE ? undefined : parseLine(read(head.last))
  if (textField(version, "version") !== undefined && !isSince(version, CHECKPOINTS)) return TOO_OLD
  const landed = landing({ history, read }, to)
  if ("refused" in landed) {
    if (landed.refused === "beside") return beside(history.id(landed.holds) as EntryId)
    return landed.refused === "within" ? WITHIN : ASIDE
  }
  const lands = landed.at
  const leafUuid = lands === NONE ? null : textField(parseLine(read(lands)), "uuid")
  if (leafUuid === undefined) return ASIDE
  const checkpoint: JsonObject = { type: "last-prompt", leafUuid, explicit: true, sessionId: session, retcon: {} }
  const { off, on } = boundariesFor(lands, head)
  const again = on.map((row) => switchedLine(read(row), "on"))
  const away = off.map((row) => switchedLine(read(row), "off"))
  // Switching a boundary on forgets the checkpoint before it, and a checkpoint on a hidden entry is ignored. In this order, a write
  // that is cut off half way leaves the program where it was.
  const lines = [...again, checkpoint, ...away]
  const last = lines.at(-1)
  if (last !== undefined) last.retcon = { ...objectField(last, "retcon"), operation: operation.id }
  return { ok: true, source: 0, lines: lines.map((line) => JSON.stringify(line)), lands }
}

const TOO_OLD: AppendedMove = {
  ok: false,
  problem: "A Claude Code older than 2.1.120 last used this session, and that version cannot go back.",
  advice: ["Update Claude Code and resume the session there once. ", ...SPLIT_ADVICE],
}

const ASIDE: AppendedMove = {
  ok: false,
  problem: "Claude Code cannot continue from there: that entry is not part of the conversation.",
  advice: "Choose a message of the conversation.",
}

const WITHIN: AppendedMove = {
  ok: false,
  problem: "Claude Code keeps an answer and the results of its calls together, and cannot continue between them.",
  advice: "Choose the last of those results, or the entry before the answer.",
}

function beside(entry: EntryId): AppendedMove {
  return {
    ok: false,
    problem:
      "Claude Code sends what hooks added there, or what was typed while it worked, together with that entry, and cannot continue between them.",
    advice: ["Choose the last of those entries, ", { do: "goto", entry: shortId(entry) }, ", or one before them."],
  }
}

/** Which compaction boundaries to switch off so that the program loads an entry, and which to switch on again. */
function boundariesFor(to: Row, { boundaries }: Head): { off: Row[]; on: Row[] } {
  if (to === NONE) return { off: [], on: [] }
  const hides = ({ row }: { row: Row }) => to < row
  return {
    off: boundaries.filter((each) => !each.off && hides(each)).map(({ row }) => row),
    on: boundaries.filter((each) => each.off && !hides(each)).map(({ row }) => row),
  }
}

/**
 * Repeats the line of a boundary, either as it was or as a line without meaning. Of two lines with the same id the program takes
 * the last; if that is not a boundary, it loads everything before it.
 */
function switchedLine(bytes: Buffer, boundary: "on" | "off"): JsonObject {
  const line = parseLine(bytes) ?? {}
  if (boundary === "on") return { ...line, retcon: { boundary } }
  const { compactMetadata: _, ...rest } = line
  return { ...rest, subtype: "informational", isMeta: true, retcon: { boundary } }
}

/** Undefined if the line is neither. */
export function boundarySwitch(line: JsonObject): "on" | "off" | undefined {
  if (line.type !== "system") return undefined
  const boundary = textField(objectField(line, "retcon"), "boundary")
  return boundary === "on" || boundary === "off" ? boundary : undefined
}
