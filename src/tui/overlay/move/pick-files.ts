// What a move would do to the files, before it does it: each has a tick, and a file without one is left alone.
import { count } from "../../../model/text/amounts.ts"
import { clip } from "../../../model/text/width.ts"
import type { DiffAnswer } from "../../../protocol/host.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../../screen/overlay-host.ts"
import { type LinePiece, piece } from "../../text/line.ts"
import { lineCounts } from "../../words/file-words.ts"
import { diffPage } from "../files/diff.ts"
import { type KeyHint, listRow, makeFrame } from "../frame/frame.ts"
import { makeTextPage } from "../frame/text-page.ts"
import { fitList, LIST_START, type ListState, moveList, visibleRows } from "../list/list.ts"
import { filesInOrder, otherLines } from "./plan-lines.ts"
import type { AcceptedMove } from "./rewind-ways.ts"

export interface FilesQuestion {
  title: string
  plan: AcceptedMove
  /** What Enter does: "restore", "go back". */
  does: string
  /** What changed in a file since then. */
  look?: (path: string) => Promise<DiffAnswer>
  /** The command that ran while a file changed, by path. */
  commands?: ReadonlyMap<string, string>
}

/** The width of a command: enough to recognise it. */
const MOST_COMMAND = 120

/** The paths to leave alone, empty if all change; undefined if the person cancels. */
export function openFiles(host: OverlayHost, question: FilesQuestion): Promise<string[] | undefined> {
  return host.showOverlay<string[] | undefined>((handle) => makePickFiles(handle, host, question))
}

function makePickFiles(
  handle: OverlayHandle<string[] | undefined>,
  host: OverlayHost,
  { title, plan, does, look, commands }: FilesQuestion,
): Overlay {
  const { theme } = handle
  const files = filesInOrder(plan)
  const others = otherLines(theme, plan)
  const size = files.length + others.length
  const unsure = new Set(plan.uncertain)
  const left = new Set<string>()
  let list: ListState = LIST_START
  let room = 10
  const keys: KeyHint[] = [
    ["Enter", does],
    ["Space", "take or skip"],
    ["Esc", "change nothing"],
    ...(unsure.size === 0 ? [] : [["c", "only certain ones"] as const]),
    ["a", "all"],
    ...(look === undefined ? [] : [["d", "see the change"] as const]),
  ]

  /** Below the files: what stays in any case. */
  function row(at: number, width: number): string {
    const file = files[at]
    if (file === undefined) return listRow(theme, at === list.at, ["    ", ...(others[at - files.length] ?? [])], width)
    const takes = !left.has(file.path)
    const mark = piece(takes ? "[x] " : "[ ] ", takes ? theme.good : theme.quiet)
    const what = (takes ? file.change : "stays").padEnd(10)
    const words: LinePiece[] = [mark, what, file.path, piece(lineCounts(file), theme.quiet)]
    const right = unsure.has(file.path) ? [piece("perhaps yours", theme.warning)] : []
    return listRow(theme, at === list.at, words, width, right)
  }

  /** Why it is uncertain who changed the file under the cursor, in full. */
  function why(): { text: string } | undefined {
    const path = files[list.at]?.path
    if (path === undefined || !unsure.has(path)) return undefined
    const command = commands?.get(path)
    const ran = command === undefined ? "a command ran" : `this ran: ${clip(command, MOST_COMMAND)}`
    return { text: `Perhaps you changed ${path}, not the agent: it changed while ${ran}` }
  }

  function toggle(path: string): void {
    if (!left.delete(path)) left.add(path)
    list = moveList(list, "down", files.length, room) ?? list
  }

  async function show(path: string): Promise<void> {
    if (look === undefined) return
    const name = `Since then: ${path}`
    await host.showOverlay<void>((own) =>
      makeTextPage(
        own,
        look(path).then((answer) => diffPage(answer, name, theme)),
        name,
      ),
    )
  }

  return {
    render(width, height) {
      const body = (free: number) => {
        room = Math.max(1, free)
        list = fitList(list, size, room)
        return visibleRows(list, size, room).map((at) => row(at, width))
      }
      const right = [piece(`${files.length - left.size} of ${count(files.length, "file")}`, theme.quiet)]
      const parts = { title: [piece(title, theme.strong)], right, body, keys, message: why() }
      return makeFrame(theme, parts, width, height)
    },
    key({ name }) {
      const path = files[list.at]?.path
      if (name === "enter" || name === "y") handle.done([...left])
      else if (["escape", "ctrl+c", "n", "q"].includes(name)) handle.done(undefined)
      else if (name === "space" && path !== undefined) toggle(path)
      else if (name === "a") left.clear()
      else if (name === "c") for (const each of unsure) left.add(each)
      else if (name === "d" && path !== undefined) void show(path)
      else list = moveList(list, name, size, room) ?? list
    },
  }
}
