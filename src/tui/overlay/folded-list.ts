// What was folded in this session, newest first; choosing one shows it in full.
import { count } from "../../model/text/amounts.ts"
import type { FoldedItem } from "../conversation/block.ts"
import { patchLines } from "../conversation/patch-lines.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../screen/overlay-host.ts"
import type { Theme } from "../terminal/theme.ts"
import { makeLine, piece } from "../text/line.ts"
import { type KeyHint, listRow, makeFrame, searchLine } from "./frame/frame.ts"
import { withPreview } from "./frame/preview.ts"
import { makeTextPage, type TextPage } from "./frame/text-page.ts"
import { makeSearchList } from "./list/search-list.ts"
import { inSlices } from "./list/slices.ts"

export async function openFolded(host: OverlayHost, items: readonly FoldedItem[]): Promise<void> {
  await host.showOverlay<void>((handle) => makeFoldedList(handle, host, items))
}

export function foldedPage({ title, text }: FoldedItem, theme: Theme): TextPage {
  const isDiff = /^@@ -\d/m.test(text)
  const lines = isDiff
    ? patchLines(text, theme, title.split(" ").at(-1))
    : text.split("\n").map((line) => ({ text: line }))
  return { title: `Details · ${title}`, lines }
}

const KEYS: readonly KeyHint[] = [
  ["Enter", "show all of it"],
  ["type", "to search"],
  ["↑↓", "choose"],
  ["Esc", "leave"],
]

function makeFoldedList(handle: OverlayHandle<void>, host: OverlayHost, items: readonly FoldedItem[]): Overlay {
  const { theme } = handle
  const newest = items.toReversed()
  const textOf = (row: number) => `${newest[row]?.title ?? ""} ${newest[row]?.text ?? ""}`
  const list = makeSearchList({ size: newest.length, textOf, now: handle.elapsed })
  const slices = inSlices(() => {
    list.work()
    return list.searching
  }, handle.redraw)

  function draw(row: number, chosen: boolean, width: number): string {
    const { title, text } = newest[row] as FoldedItem
    return listRow(theme, chosen, [title], width, [piece(count(text.split("\n").length, "line"), theme.quiet)])
  }

  return {
    render(width, height) {
      const total = count(list.total, "folded block")
      const found = list.query === "" ? total : `${list.size} of ${total}${list.searching ? "…" : ""}`
      const body = (room: number) => {
        const top = searchLine(theme, list.query, "What was folded, newest first", found, width)
        const parts = {
          list: (columns: number, rows: number) => ({
            lines: list.visible(rows).map(({ row, chosen }) => draw(row, chosen, columns)),
            value: list.chosen,
          }),
          preview: (row: number | undefined, columns: number, rows: number) => {
            const item = row === undefined ? undefined : newest[row]
            if (item === undefined) return []
            const { lines } = foldedPage(item, theme)
            return lines.slice(0, rows).map(({ text, paint }) => makeLine([piece(text, paint ?? theme.quiet)], columns))
          },
        }
        return [top, ...withPreview(theme, width, room - 1, parts)]
      }
      return makeFrame(theme, { title: [piece("Details", theme.strong)], body, keys: KEYS }, width, height)
    },
    key(key) {
      const item = list.chosen === undefined ? undefined : newest[list.chosen]
      if (key.name === "escape" || key.name === "ctrl+c") handle.done()
      else if (key.name === "enter" && item !== undefined) {
        void host.showOverlay<void>((own) => makeTextPage(own, foldedPage(item, theme)))
      } else if (list.key(key) && list.searching) slices.wake()
    },
    close: () => slices.stop(),
  }
}
