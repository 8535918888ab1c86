// /model: the models that can be chosen, those without a key, and how much the model thinks.
import { count } from "../../model/text/amounts.ts"
import { THINKING_LEVELS } from "../../model/thinking.ts"
import type { ModelItem } from "../../protocol/shapes.ts"
import type { OfferedModels, PickedModel } from "../commands/command.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../screen/overlay-host.ts"
import { piece } from "../text/line.ts"
import { type KeyHint, listRow, makeFrame, searchLine } from "./frame/frame.ts"
import { makeSearchList, type SearchList } from "./list/search-list.ts"

const KEYS: readonly KeyHint[] = [
  ["Enter", "choose"],
  ["←→", "thinking"],
  ["type", "to search"],
  ["↑↓", "move"],
  ["Esc", "leave"],
]

/** Resolves with what was chosen; undefined if the person leaves. Of models that a program offers, it chooses how much they think itself. */
export function openModels(
  host: OverlayHost,
  models: Promise<readonly ModelItem[]>,
  now: PickedModel | OfferedModels,
): Promise<PickedModel | undefined> {
  const [at, whose] = "whose" in now ? [{ model: now.now, thinking: undefined }, now.whose] : [now, undefined]
  return host.showOverlay<PickedModel | undefined>((handle) => makeModels(handle, models, at, whose))
}

/** The practice model has a short name. */
function isNow(value: string, { model }: PickedModel): boolean {
  return value === model || model === `${value}/rules`
}

function makeModels(
  handle: OverlayHandle<PickedModel | undefined>,
  models: Promise<readonly ModelItem[]>,
  now: PickedModel,
  whose: string | undefined,
): Overlay {
  const { theme } = handle
  const keys = KEYS.filter(([, does]) => whose === undefined || does !== "thinking")
  // A chosen level can be changed, but not reset to the model's default here.
  const levels = [...(now.thinking === undefined ? [undefined] : []), ...THINKING_LEVELS]
  let level = levels.indexOf(now.thinking)
  let items: readonly ModelItem[] = []
  let list: SearchList | undefined
  let problem = ""
  const show = (found: readonly ModelItem[]) => {
    items = found.toSorted((a, b) => Number(a.missing !== undefined) - Number(b.missing !== undefined))
    const textOf = (row: number) => `${items[row]?.value ?? ""} ${items[row]?.missing ?? ""}`
    list = makeSearchList({ size: items.length, textOf, now: handle.elapsed })
    list.choose(items.findIndex(({ value }) => isNow(value, now)))
    handle.redraw()
  }
  void models.then(show, (error: unknown) => {
    problem = error instanceof Error ? error.message : String(error)
    show([])
  })

  function draw(row: number, chosen: boolean, width: number): string {
    const { value, about, missing } = items[row] as ModelItem
    const mark = isNow(value, now) ? "● " : "  "
    if (missing !== undefined)
      return listRow(theme, chosen, [piece(mark + value, theme.quiet)], width, [quiet(missing)])
    return listRow(theme, chosen, [isNow(value, now) ? piece(mark, theme.head) : mark, value], width, [quiet(about)])
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
        return [searchLine(theme, list.query, "The model to use from now on", found, width), ...rows]
      }
      const message = problem === "" ? undefined : { text: problem, paint: theme.warning }
      const thinking = [piece("thinking ", theme.quiet), piece(`‹ ${levels[level] ?? "default"} ›`, theme.key)]
      const right = whose === undefined ? thinking : [piece(whose, theme.quiet)]
      return makeFrame(theme, { title: [piece("Model", theme.strong)], right, body, message, keys }, width, height)
    },
    key(key) {
      problem = ""
      const chosen = list?.chosen === undefined ? undefined : items[list.chosen]
      if (key.name === "escape" || key.name === "ctrl+c") handle.done(undefined)
      else if (key.name === "left" || key.name === "right") {
        const to = level + (key.name === "left" ? -1 : 1)
        level = Math.max(0, Math.min(levels.length - 1, to))
      } else if (key.name !== "enter") list?.key(key)
      else if (chosen?.missing !== undefined)
        problem = `${chosen.value} needs a key: ${chosen.missing}, then start retcon again.`
      else if (chosen !== undefined) handle.done({ model: chosen.value, thinking: levels[level] })
    },
  }
}
