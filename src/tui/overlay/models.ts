// /model: what can be chosen, and what could be with a key.
import { count } from "../../model/text/amounts.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../overlay-host.ts"
import { type KeyHint, listRow, makeFrame, searchLine } from "./frame.ts"
import { piece } from "./line.ts"
import { makeSearchList, type SearchList } from "./list/search-list.ts"

export interface ModelItem {
  value: string
  about: string
  /** What is missing to use it: it is shown, and cannot be chosen. */
  missing?: string
}

const KEYS: readonly KeyHint[] = [
  ["Enter", "choose"],
  ["type", "to search"],
  ["↑↓", "move"],
  ["Esc", "leave"],
]

/** Resolves with the name of the model; undefined when the person leaves. */
export function openModels(
  host: OverlayHost,
  models: Promise<readonly ModelItem[]>,
  current: string,
): Promise<string | undefined> {
  return host.showOverlay<string | undefined>((handle) => makeModels(handle, models, current))
}

function makeModels(
  handle: OverlayHandle<string | undefined>,
  models: Promise<readonly ModelItem[]>,
  current: string,
): Overlay {
  const { theme } = handle
  let items: readonly ModelItem[] = []
  let list: SearchList | undefined
  let problem = ""
  const show = (found: readonly ModelItem[]) => {
    items = found.toSorted((a, b) => Number(a.missing !== undefined) - Number(b.missing !== undefined))
    const textOf = (row: number) => `${items[row]?.value ?? ""} ${items[row]?.missing ?? ""}`
    list = makeSearchList({ size: items.length, textOf, now: handle.now })
    list.choose(items.findIndex(({ value }) => value === current))
    handle.redraw()
  }
  void models.then(show, (error: unknown) => {
    problem = error instanceof Error ? error.message : String(error)
    show([])
  })

  function draw(row: number, chosen: boolean, width: number): string {
    const { value, about, missing } = items[row] as ModelItem
    const mark = value === current ? "● " : "  "
    if (missing !== undefined)
      return listRow(theme, chosen, [piece(mark + value, theme.quiet)], width, [quiet(missing)])
    return listRow(theme, chosen, [value === current ? piece(mark, theme.head) : mark, value], width, [quiet(about)])
  }

  function quiet(text: string) {
    return piece(text, theme.quiet)
  }

  return {
    render(width, height) {
      const body = (room: number) => {
        if (list === undefined) return [theme.quiet("One moment…")]
        const found = list.query === "" ? count(list.total, "model") : `${list.size} of ${list.total}`
        const rows = list.visible(Math.max(0, room - 1)).map(({ row, chosen }) => draw(row, chosen, width))
        return [searchLine(theme, list.query, "Which model goes on from here", found, width), ...rows]
      }
      const message = problem === "" ? undefined : { text: problem, paint: theme.warning }
      return makeFrame(theme, { title: [piece("Model", theme.strong)], body, message, keys: KEYS }, width, height)
    },
    key(key) {
      problem = ""
      const chosen = list?.chosen === undefined ? undefined : items[list.chosen]
      if (key.name === "escape" || key.name === "ctrl+c") handle.done(undefined)
      else if (key.name !== "enter") list?.key(key)
      else if (chosen?.missing !== undefined)
        problem = `${chosen.value} needs a key: ${chosen.missing}, then start retcon again.`
      else if (chosen !== undefined) handle.done(chosen.value)
    },
  }
}
