// Ctrl+R: what was typed before, in all sessions of this folder, newest first. The chosen one goes into the editor.
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../screen/overlay-host.ts"
import { piece } from "../text/line.ts"
import { type KeyHint, listRow, makeFrame, searchLine } from "./frame/frame.ts"
import { makeSearchList, type SearchList } from "./list/search-list.ts"
import { inSlices } from "./list/slices.ts"

const KEYS: readonly KeyHint[] = [
  ["Enter", "into the editor"],
  ["type", "to search"],
  ["↑↓", "choose"],
  ["Esc", "leave"],
]

/** `texts`: oldest first. */
export function openPastPrompts(host: OverlayHost, texts: Promise<readonly string[]>): Promise<string | undefined> {
  return host.showOverlay<string | undefined>((handle) => makePastPrompts(handle, texts))
}

function makePastPrompts(handle: OverlayHandle<string | undefined>, texts: Promise<readonly string[]>): Overlay {
  const { theme } = handle
  let newest: string[] = []
  let list: SearchList | undefined
  const slices = inSlices(() => {
    list?.work()
    return list?.searching === true
  }, handle.redraw)
  void texts.then((all) => {
    newest = [...new Set(all.toReversed())]
    list = makeSearchList({ size: newest.length, textOf: (row) => newest[row] ?? "", now: handle.elapsed })
    handle.redraw()
  })

  return {
    render(width, height) {
      const body = (room: number) => {
        if (list === undefined) return [theme.quiet("One moment…")]
        if (list.total === 0) return [theme.quiet("You have not typed anything here yet.")]
        const total = count(list.total, "prompt")
        const found = list.query === "" ? total : `${list.size} of ${total}${list.searching ? "…" : ""}`
        const rows = list.visible(Math.max(0, room - 1))
        const draw = (row: number) => sanitiseLine((newest[row] ?? "").slice(0, 1_000))
        return [
          searchLine(theme, list.query, "What you typed in this folder, newest first", found, width),
          ...rows.map(({ row, chosen }) => listRow(theme, chosen, [draw(row)], width)),
        ]
      }
      return makeFrame(theme, { title: [piece("History", theme.strong)], body, keys: KEYS }, width, height)
    },
    key(key) {
      if (key.name === "escape" || key.name === "ctrl+c") handle.done(undefined)
      else if (key.name === "enter") handle.done(list?.chosen === undefined ? undefined : newest[list.chosen])
      else if (key.name === "ctrl+r") list?.key({ ...key, name: "down", text: undefined })
      else if (list?.key(key) === true && list.searching) slices.wake()
    },
    close: () => slices.stop(),
  }
}
