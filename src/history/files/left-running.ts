// Commands that may have left something running when they ended. Nobody sees that for certain, least of all in another
// agent's session: the command's own text and its result have to show it.
import { isObject, type Json } from "../../model/json.ts"
import { ROLES } from "../../model/record/origin.ts"
import { KIND, type Part, type SnapshotRecord } from "../../model/record/record.ts"
import { chain, type History, path, type Row } from "../tree/tree.ts"

/** A snapshot around a call, and its row. */
export interface CallSnapshot {
  row: Row
  record: SnapshotRecord
}

const TOOL = ROLES.indexOf("tool")

/**
 * The snapshot after the first such command on the path to `from` but not on the path to `to`: what changed since, and
 * was changed by no call, may be the doing of what it left running. Contract: reads the snapshots since then, and the
 * calls that they are about.
 */
export function firstLeftRunning(history: History, from: Row, to: Row): CallSnapshot | undefined {
  const staying = new Set(path(history, to))
  const left = path(history, from).filter((row) => !staying.has(row))
  const [first] = left
  if (first === undefined) return undefined
  const places = new Map(left.map((row, i) => [row, i]))
  let found: CallSnapshot | undefined
  for (const row of chain(history, KIND.snapshot)) {
    if (row < first) break
    const record = history.record(row)
    if (record?.type !== "snapshot" || record.when !== "after" || record.paths !== undefined) continue
    const place = record.entry === null ? undefined : places.get(history.rowOf(record.entry))
    if (place === undefined || record.call === undefined) continue
    if (mayHaveLeft(history, left.slice(place), record.call)) found = { row, record }
  }
  return found
}

/** `rows`: the entry with the call, and those after it. */
function mayHaveLeft(history: History, rows: readonly Row[], call: string): boolean {
  const [entry, ...after] = rows
  const asked = entry === undefined ? undefined : partsOf(history, entry).find((part) => isCall(part, call))
  if (asked?.type !== "tool-call") return false
  if (startsInBackground(asked.input)) return true
  for (const row of after) {
    if (history.isPrompt(row)) return false
    if (history.kind(row) !== KIND.message || history.role(row) !== TOOL) continue
    const result = partsOf(history, row).find((part) => part.type === "tool-result" && part.call === call)
    if (result?.type === "tool-result") return STILL_RUNS.test(result.output)
  }
  return false
}

function isCall(part: Part, call: string): boolean {
  return part.type === "tool-call" && part.call === call
}

function partsOf(history: History, row: Row): Part[] {
  const record = history.record(row)
  return record?.type === "message" ? record.content : []
}

/** How Claude Code, Codex and our own Bash say in a result that something still runs, or may. */
const STILL_RUNS =
  /running in (?:the )?background|backgrounded by|running with session ID|could not be found and may still run/i

/**
 * Whether a shell tool's input starts something that may outlive the call. Our own `background` is not among the
 * options: those commands have spans until they end.
 */
export function startsInBackground(input: Json): boolean {
  if (!isObject(input)) return false
  if (input.run_in_background === true || input.is_background === true) return true
  const { command = input.cmd } = input
  const text = Array.isArray(command) ? command.filter((word) => typeof word === "string").join(" ") : command
  return typeof text === "string" && BACKGROUND.test(RUNS_TEXT.test(text) ? text : text.replace(QUOTED, "''"))
}

/** The operator `&`, apart from `&&` and redirections; or a program that starts others and leaves them. */
const BACKGROUND =
  /(?<![&<>|\\])&(?![&>])|\b(?:nohup|setsid|disown|daemonize|start-stop-daemon|systemd-run|tmux|screen|pm2)\b|\b(?:docker|podman)\b.*\s(?:-\w*d\w*|--detach)\b/
/** Quoted text is a command too if a shell runs it. */
const RUNS_TEXT = /\b(?:ba|da|z)?sh\s+-\w*c\b|\beval\b/
const QUOTED = /'[^']*'|"(?:\\.|[^"\\])*"/gs
