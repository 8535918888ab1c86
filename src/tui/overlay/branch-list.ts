// /branches: where the conversation could be continued, the most recent branch on top.
import { lastAsked } from "../../history/tree/asked.ts"
import { type Branches, branchesOf } from "../../history/tree/branches.ts"
import { liveTips } from "../../history/tree/live-tips.ts"
import { entryId, type History, NONE, type Row } from "../../history/tree/tree.ts"
import type { EntryId } from "../../model/id.ts"
import type { MoveResult } from "../../model/move/moved.ts"
import { entryText } from "../../model/record/entry-text.ts"
import { KIND } from "../../model/record/record.ts"
import { AGE_WIDTH, age, count } from "../../model/text/amounts.ts"
import { pad, sanitiseLine } from "../../model/text/sanitise.ts"
import type { HostSession } from "../../protocol/host.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../screen/overlay-host.ts"
import { type LinePiece, piece } from "../text/line.ts"
import { refusalText } from "../words/refusal.ts"
import { openCompare } from "./files/compare.ts"
import { attempt } from "./frame/attempt.ts"
import { type KeyHint, listRow, makeFrame, searchLine } from "./frame/frame.ts"
import { withPreview } from "./frame/preview.ts"
import { makeSearchList } from "./list/search-list.ts"
import { inSlices } from "./list/slices.ts"
import { type MadeMove, moveBranch } from "./move/branch-moves.ts"
import { settledMove } from "./move/settle.ts"
import { previewLines } from "./tree/entry-preview.ts"

/** Resolves with the move to another branch; undefined if the person stays. */
export function openBranches(host: OverlayHost, session: HostSession): Promise<MadeMove | undefined> {
  return host.showOverlay<MadeMove | undefined>((handle) => makeBranches(handle, host, session))
}

const KEYS: readonly KeyHint[] = [
  ["Enter", "switch to it"],
  ["Tab", "compare"],
  ["type", "to search"],
  ["↑↓", "choose"],
  ["Esc", "leave"],
]

function makeBranches(handle: OverlayHandle<MadeMove | undefined>, host: OverlayHost, session: HostSession): Overlay {
  const { theme } = handle
  const { history, head } = session
  const tips = liveTips(history, head).reverse()
  const branches = branchesOf(history)
  const labels = session.labels()
  const tipAt = (row: number) => tips[row] as Row
  const textOf = (row: number) => `${lastPrompt(history, tipAt(row))} ${lastWords(history, tipAt(row)).text}`
  const list = makeSearchList({ size: tips.length, textOf, now: handle.elapsed })
  const drawn = new Map<Row, { text: string; size: number; here: string }>()
  let problem = ""
  const slices = inSlices(() => {
    list.work()
    return list.searching
  }, handle.redraw)

  async function go(tip: Row): Promise<void> {
    const answer = await settledMove(host, session, (more) =>
      attempt<MoveResult>(() => session.goto(entryId(history, tip), more)),
    )
    if (answer === undefined) return
    if (answer.outcome === "refused") problem = refusalText(answer.failure)
    else if (answer.outcome === "unchanged") problem = "You are already on this branch."
    else return handle.done({ answer, did: "Switched to another branch" })
    handle.redraw()
  }

  async function compare(tip: Row): Promise<void> {
    const choice = await openCompare(host, session, { a: history.id(tip) })
    if (choice === undefined) return
    const made = await moveBranch(host, session, choice.do, { ...choice, name: labels.get(choice.entry) })
    if (made === undefined) return
    if (!("outcome" in made)) return handle.done(made)
    problem = refusalText(made.failure)
    handle.redraw()
  }

  function words(tip: Row): { text: string; size: number; here: string } {
    const known = drawn.get(tip)
    if (known !== undefined) return known
    const made = { text: lastPrompt(history, tip), size: sizeOf(history, branches, tip), here: here(tip) }
    drawn.set(tip, made)
    return made
  }

  function here(tip: Row): string {
    if (tip === head) return "head "
    // The head is on the branch that continues from it; if there are several, the newest.
    return head !== NONE && branches.newest(head) === tip ? "you are on it " : ""
  }

  function drawTip(tip: Row, chosen: boolean, width: number): string {
    const { text, size, here: mark } = words(tip)
    const when = pad(age(history.record(tip)?.at ?? "", handle.now()), AGE_WIDTH, "left")
    const names: LinePiece[] = mark === "" ? [] : [piece(mark, theme.head)]
    const label = labels.get(history.id(tip) as EntryId)
    if (label !== undefined) names.push(piece(`[${label}] `, theme.label))
    const left = [piece(`${when}  `, theme.quiet), ...names, text === "" ? piece("(no prompt)", theme.quiet) : text]
    return listRow(theme, chosen, left, width, [piece(count(size, "message"), theme.quiet)])
  }

  return {
    render(width, height) {
      const total = count(list.total, "branch", "branches")
      const found = list.query === "" ? total : `${list.size} of ${total}${list.searching ? "…" : ""}`
      const body = (room: number) => {
        if (list.total === 0) return [theme.quiet("There is no branch yet.")]
        const parts = {
          list(columns: number, rows: number) {
            const lines = list.visible(rows).map(({ row, chosen }) => drawTip(tipAt(row), chosen, columns))
            return { lines, value: list.chosen === undefined ? NONE : lastWords(history, tipAt(list.chosen)).row }
          },
          preview: (row: Row, columns: number, rows: number) =>
            row === NONE ? [] : previewLines(theme, history.record(row), handle.now(), columns, rows),
        }
        const top = searchLine(theme, list.query, "Your last prompt on each, newest first", found, width)
        return [top, ...withPreview(theme, width, room - 1, parts)]
      }
      const message = problem === "" ? undefined : { text: problem, paint: theme.warning }
      const title = [piece("Branches", theme.strong)]
      return makeFrame(theme, { title, body, keys: KEYS, message }, width, height)
    },
    key(key) {
      problem = ""
      if (key.name === "escape" || key.name === "ctrl+c") handle.done(undefined)
      else if (key.name === "enter") {
        if (list.chosen !== undefined) void go(tipAt(list.chosen))
      } else if (key.name === "tab") {
        if (list.chosen !== undefined) void compare(tipAt(list.chosen))
      } else if (list.key(key) && list.searching) slices.wake()
    },
    close: () => slices.stop(),
  }
}

/** A branch is recognised by its last prompt. */
function lastPrompt(history: History, tip: Row): string {
  const row = lastAsked(history, tip)
  const record = row === NONE ? undefined : history.record(row)
  const text = record === undefined ? "" : sanitiseLine((entryText(record) ?? "").slice(0, 2_000))
  return text === "" ? lastWords(history, tip).text : text
}

/** How far above a tip to look for words: states and checkpoints come between. */
const FURTHEST = 50

/** The last entry of a branch that says something. */
function lastWords(history: History, tip: Row): { row: Row; text: string } {
  let row = tip
  for (let n = 0; n < FURTHEST && row !== NONE; n++, row = history.parent(row)) {
    const kind = history.kind(row)
    if (kind !== KIND.message && kind !== KIND.note && kind !== KIND.compaction) continue
    const record = history.record(row)
    const text = record === undefined ? "" : sanitiseLine((entryText(record) ?? "").slice(0, 2_000))
    if (text !== "") return { row, text }
  }
  return { row: tip, text: "" }
}

/** Messages of a branch since it left another. */
function sizeOf(history: History, branches: Branches, tip: Row): number {
  let messages = 0
  for (let row = tip; row !== NONE; row = history.parent(row)) {
    if (row !== tip && branches.forks(row)) break
    if (history.kind(row) === KIND.message) messages++
  }
  return messages
}
