// read {session, around?}: what was said in a session of this folder.
import { matchSession } from "../../app/library/named-session.ts"
import { type ShortIds, shortIds } from "../../history/tree/short-ids.ts"
import { type History, isOnPath, NONE, path, type Row } from "../../history/tree/tree.ts"
import { isEntryKind, KIND } from "../../model/record/record.ts"
import { sessionOn } from "../../session/session.ts"
import { partLines } from "../render/context-lines.ts"
import { conversation } from "../render/conversation.ts"
import { styleFor } from "../render/style.ts"
import { filteredSessions } from "../sessions/session-filter.ts"
import { open } from "./current-session.ts"
import { type ServerTool, ToolProblem } from "./port.ts"

/** How many messages precede the requested one. */
const BEFORE = 4
/** How many messages from the end, if none was requested. */
const LAST = 12
/** Characters per call; use `around` to read on. */
const MOST = 40_000
const WIDTH = 100

export const read: ServerTool<{ session: string; around?: string }> = {
  name: "read",
  description: "Read an earlier conversation that search found: around an entry, or its end.",
  properties: { session: { type: "string" }, around: { type: "string" }, cursor: { type: "string" } },
  required: ["session"],
  effect: "reads",
  async run({ cli }, { session: name, around }) {
    const listed = await filteredSessions(cli, {})
    const id = matchSession(listed, name)
    const summary = listed.find((each) => each.id === id)
    if (summary === undefined)
      throw new ToolProblem("There is no such session in this folder.", "Find one with search.")
    const session = sessionOn(cli.store, await open(cli, summary), cli.sessionOptions)
    try {
      const { history } = session
      const row = around === undefined ? session.headRow : history.rowOf(session.resolve(around))
      const rows = path(history, endOfBranch(history, row, session.headRow))
      const from = firstRow(history, rows, row, around === undefined ? LAST : BEFORE)
      const ids = shortIds(history)
      const view = { history, ids, now: cli.now(), width: WIDTH, titleWidth: 0, wraps: false, style: PLAIN }
      const earlier = rows[from - 1]
      const lines = [
        ...(around === undefined ? [] : wholeCalls(history, row, ids)),
        ...(earlier === undefined ? [] : [`(Earlier messages: around ${ids.of(earlier)})`, ""]),
      ]
      const left = conversation(view, rows.at(-1) ?? NONE, earlier)
      return { text: [...lines, ...upTo(MOST, left)].join("\n").trimEnd() || "It is empty.", untrusted: true }
    } finally {
      await session.close()
    }
  },
}

const PLAIN = styleFor({ colours: false })

/** Calls and results of the requested entry, in full: between messages they take one line each. */
function wholeCalls(history: History, row: Row, ids: ShortIds): string[] {
  const record = history.record(row)
  const parts = record?.type === "message" ? record.content.filter(({ type }) => type.startsWith("tool-")) : []
  if (parts.length === 0) return []
  const lines = parts.flatMap((part) => [...partLines(part, PLAIN)])
  return [`${ids.of(row)} in full:`, ...upTo(MOST / 2, lines), "", "Around it:", ""]
}

function* upTo(most: number, lines: Iterable<string>): Generator<string> {
  let left = most
  for (const line of lines) {
    if (left <= 0) {
      yield "(There is more: read around the last id above.)"
      return
    }
    yield line.slice(0, left)
    left -= line.length + 1
  }
}

/** The end of the branch that an entry is on: the head, or the last message of an abandoned one. */
function endOfBranch(history: History, row: Row, head: Row): Row {
  if (row === NONE || isOnPath(history, row, head)) return head
  for (let last = history.size - 1; last > row; last--)
    if (isEntryKind(history.kind(last)) && isOnPath(history, row, last)) return last
  return row
}

/** Where to begin in `rows`, so that this many messages precede that row. */
function firstRow(history: History, rows: readonly Row[], row: Row, messages: number): number {
  let at = rows.lastIndexOf(row)
  for (let left = messages; at > 0 && left > 0; at--) if (history.kind(rows[at - 1] as Row) === KIND.message) left--
  return Math.max(0, at)
}
