// What happened in this session, newest first, and what undo and redo would do now.
import { type ShortIds, shortIds } from "../../../history/tree/short-ids.ts"
import { type History, NONE, type Row } from "../../../history/tree/tree.ts"
import { type Unit, units, unitWords } from "../../../history/words/units.ts"
import { AGE_WIDTH, age } from "../../../model/text/amounts.ts"
import { pad, sanitiseLine } from "../../../model/text/sanitise.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../../screen/overlay-host.ts"
import { type LinePiece, piece } from "../../text/line.ts"
import { listRow, makeFrame } from "../frame/frame.ts"
import { lazyList } from "../list/lazy-list.ts"
import { fitList, LIST_START, type ListState, moveList, visibleRows } from "../list/list.ts"

export async function openOperations(host: OverlayHost, history: History): Promise<void> {
  await host.showOverlay<void>((handle) => makeOperations(handle, history))
}

const KEYS = [
  ["Esc", "leave"],
  ["↑↓", "scroll"],
  ["/undo /redo", "undo or redo them"],
] as const

export function makeOperations(handle: OverlayHandle<void>, history: History): Overlay {
  const { theme } = handle
  const ids = shortIds(history)
  const all = lazyList(units(history))
  let list: ListState = LIST_START
  let room = 10
  return {
    render(width, height) {
      room = Math.max(1, height - 3)
      const known = all.upTo(list.top + 2 * room)
      list = fitList(list, known, room)
      const draw = (at: number) => drawUnit(handle, history, ids, all.at(at) as Unit, at === list.at, width)
      const nothing = [theme.quiet("Nothing has been done yet.")]
      const body = () => (known === 0 ? nothing : visibleRows(list, known, room).map(draw))
      const title = [piece("Operations", theme.strong)]
      return makeFrame(theme, { title, body, keys: KEYS, keyRows: 1 }, width, height)
    },
    key(key) {
      if (["escape", "q", "ctrl+c", "enter"].includes(key.name)) handle.done()
      const known = key.name === "end" ? all.upTo(Number.POSITIVE_INFINITY) : all.upTo(list.at + 2 * room)
      list = moveList(list, key.name, known, room) ?? list
    },
  }
}

const BY: Readonly<Record<string, string>> = { person: "you", agent: "agent", api: "api" }

function drawUnit(
  handle: OverlayHandle<void>,
  history: History,
  ids: ShortIds,
  unit: Unit,
  chosen: boolean,
  width: number,
): string {
  const { theme } = handle
  const words = unitWords(history, unit)
  const name = (row: Row) => (row === NONE ? "start" : ids.of(row))
  const when = pad(age(words.at, handle.now()), AGE_WIDTH, "left")
  const what = `${pad(BY[words.by] ?? words.by, 5)}  ${pad(words.kind, 9)}  `
  const move = `${pad(name(unit.from), ids.width)} → ${pad(name(unit.to), ids.width)}  `
  const body = `${what}${move}${sanitiseLine(words.text)}`
  const left: LinePiece[] = [piece(`${when}  `, theme.quiet), unit.undone ? piece(body, theme.quiet) : body]
  const right = unit.next === undefined ? (unit.undone ? [piece("undone", theme.quiet)] : []) : [next(unit.next)]
  return listRow(theme, chosen, left, width, right)

  function next(way: "undo" | "redo"): LinePiece {
    return piece(`← ${way}`, theme.head)
  }
}
