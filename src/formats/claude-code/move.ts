// The line that makes Claude Code continue from an entry: a checkpoint of the kind that it writes itself, with a field of ours.
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { JsonObject } from "../../model/json.ts"
import type { AppendedMove, MoveAsked } from "../port.ts"
import { objectField, parseLine, textField } from "../shared/json-line.ts"
import type { Head } from "./head.ts"

/** Older versions look at no checkpoint. */
const FIRST_VERSION = [2, 1, 120]

export function claudeMove({ history, read, to, operation }: MoveAsked, head: Head, session: string): AppendedMove {
  const version = textField(head.last === NONE ? undefined : parseLine(read(head.last)), "version")
  if (version !== undefined && isBefore(version, FIRST_VERSION)) return TOO_OLD
  if (to !== NONE && history.headAfter(to) !== to) return ASIDE
  const lands = hasSpoken(to) ? to : NONE
  const leafUuid = lands === NONE ? null : textField(parseLine(read(lands)), "uuid")
  if (leafUuid === undefined) return ASIDE
  const checkpoint: JsonObject = { type: "last-prompt", leafUuid, explicit: true, sessionId: session, retcon: {} }
  const { off, on } = boundariesFor(lands, head)
  const again = on.map((row) => switchedLine(read(row), "on"))
  const away = off.map((row) => switchedLine(read(row), "off"))
  // A boundary in force again forgets the checkpoint before it, and one that hides the entry does not take it: so what is cut
  // off in between leaves the program where it was.
  const lines = [...again, checkpoint, ...away]
  const last = lines.at(-1)
  if (last !== undefined) last.retcon = { ...objectField(last, "retcon"), operation: operation.id }
  return { ok: true, source: 0, lines: lines.map((line) => JSON.stringify(line)), lands }

  /** Claude Code takes no checkpoint on what stands before the first message, such as a hook's: it has one for the beginning. */
  function hasSpoken(from: Row): boolean {
    for (let row = from; row !== NONE; row = history.parent(row)) {
      const type = textField(parseLine(read(row)), "type")
      if (type === "user" || type === "assistant") return true
    }
    return false
  }
}

const SPLIT = ["Start a new session from there with: ", { do: "split" }] as const

const TOO_OLD: AppendedMove = {
  ok: false,
  problem: "This session was last used with a Claude Code before 2.1.120, which cannot be made to go back.",
  advice: ["Update Claude Code and resume the session there once. ", ...SPLIT],
}

const ASIDE: AppendedMove = {
  ok: false,
  problem: "Claude Code cannot continue from there: it stands beside the conversation.",
  advice: "Choose a message of the conversation.",
}

/** Which boundaries of compactions must not count so that the program loads an entry, and which must count again. */
function boundariesFor(to: Row, { boundaries }: Head): { off: Row[]; on: Row[] } {
  if (to === NONE) return { off: [], on: [] }
  const hides = ({ row }: { row: Row }) => to < row
  return {
    off: boundaries.filter((each) => !each.off && hides(each)).map(({ row }) => row),
    on: boundaries.filter((each) => each.off && !hides(each)).map(({ row }) => row),
  }
}

/**
 * The line of a boundary once more, as it was or as a line that says nothing: of two lines with one id, the program takes the
 * last, and where that is no boundary, it loads what stands before it.
 */
function switchedLine(bytes: Buffer, boundary: "on" | "off"): JsonObject {
  const line = parseLine(bytes) ?? {}
  if (boundary === "on") return { ...line, retcon: { boundary } }
  const { compactMetadata: _, ...rest } = line
  return { ...rest, subtype: "informational", isMeta: true, retcon: { boundary } }
}

/** Undefined: the line is none of these. */
export function boundarySwitch(line: JsonObject): "on" | "off" | undefined {
  if (line.type !== "system") return undefined
  const boundary = textField(objectField(line, "retcon"), "boundary")
  return boundary === "on" || boundary === "off" ? boundary : undefined
}

function isBefore(version: string, wanted: readonly number[]): boolean {
  const parts = version.split(".").map((part) => Number.parseInt(part, 10))
  for (const [i, number] of wanted.entries()) {
    const part = parts[i] ?? 0
    if (part !== number) return part < number
  }
  return false
}
