// /tree: the whole tree as a graph, to look around in and to go somewhere.
import { entries, entryId, type History, NONE, type Row } from "../../../history/tree/tree.ts"
import { type EntryId, type SessionId, shortId } from "../../../model/id.ts"
import type { MoveResult } from "../../../model/move/moved.ts"
import { entryText } from "../../../model/record/entry-text.ts"
import { KIND, type Part } from "../../../model/record/record.ts"
import { inputWords } from "../../../model/record/tool-words.ts"
import { count } from "../../../model/text/amounts.ts"
import type { HostSession } from "../../../protocol/host.ts"
import type { SessionListing } from "../../../protocol/shapes.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../../screen/overlay-host.ts"
import type { KeyPress } from "../../terminal/keys.ts"
import { piece } from "../../text/line.ts"
import { refusalText } from "../../words/refusal.ts"
import { openCompare } from "../files/compare.ts"
import { openDiff } from "../files/diff.ts"
import { attempt, type Refusal } from "../frame/attempt.ts"
import { type FrameContent, type KeyHint, makeFrame, searchLine } from "../frame/frame.ts"
import { withPreview } from "../frame/preview.ts"
import { editLineField } from "../list/line-field.ts"
import { makeSearchList, type SearchList } from "../list/search-list.ts"
import { inSlices } from "../list/slices.ts"
import { type BranchMove, moveBranch } from "../move/branch-moves.ts"
import { makeChooseWay, type Went } from "../move/choose-way.ts"
import { settledMove } from "../move/settle.ts"
import { previewLines } from "./entry-preview.ts"
import { openOperations } from "./operations.ts"
import { pathTest, type TreeLine } from "./tree-lines.ts"
import { type Memory, treeRow } from "./tree-row.ts"
import { makeTreeState } from "./tree-state.ts"

export type TreeResult =
  | { outcome: "moved"; answer: Extract<MoveResult, { kind: unknown }>; text: string | undefined; did?: string }
  | { outcome: "split"; session: SessionId; text: string | undefined }
  | undefined

export interface TreeOptions {
  /** Sessions that start from this one: tasks of sub-agents, and splits. */
  sessions?: () => Promise<readonly SessionListing[]>
  /** The entry under the cursor, if not the head. */
  at?: EntryId
}

/** Resolves with where the person went; undefined if they only looked. */
export function openTree(host: OverlayHost, session: HostSession, options: TreeOptions = {}): Promise<TreeResult> {
  return host.showOverlay<TreeResult>((handle) => makeTree(handle, host, session, options))
}

const TREE_KEYS: readonly KeyHint[] = [
  ["Enter", "go there"],
  ["Esc", "leave"],
  ["/", "search"],
  ["Tab", "filter"],
  ["Space", "fold"],
  ["l", "label"],
  ["s", "split"],
  ["d", "diff"],
  ["c", "compare"],
  ["p", "take it"],
  ["b", "bring it"],
  ["r", "take back files"],
  ["o", "operations"],
  ["f", "go with files…"],
  ["C", "mark, to compare with"],
]
const SEARCH_KEYS: readonly KeyHint[] = [
  ["Enter", "show it in the tree"],
  ["↑↓", "choose"],
  ["Esc", "back to the tree"],
]
const LABEL_KEYS: readonly KeyHint[] = [
  ["Enter", "set the label; empty removes it"],
  ["Esc", "cancel"],
]

function makeTree(
  handle: OverlayHandle<TreeResult>,
  host: OverlayHost,
  session: HostSession,
  options: TreeOptions,
): Overlay {
  const { theme } = handle
  const { history } = session
  const state = makeTreeState(session)
  const memory: Memory = new Map()
  let sessions: ReadonlyMap<Row, readonly string[]> = new Map()
  let search: TreeSearch | undefined
  let label: string | undefined
  /** What `c` on another line compares with. */
  let marked: EntryId | undefined
  let problem = ""
  let isOnPath = pathTest(history, session.head)
  let branches = history.tips().length
  const slices = inSlices(() => {
    search?.list.work()
    return search?.list.searching === true
  }, handle.redraw)
  const unlisten = session.on(({ event }) => {
    if (event.type === "appended" || event.type === "moved" || event.type === "changed") refresh()
  })
  if (options.at !== undefined && history.rowOf(options.at) !== NONE) state.show(history.rowOf(options.at))
  void lookForSessions()

  function refresh(): void {
    state.refresh()
    memory.clear()
    isOnPath = pathTest(history, session.head)
    branches = history.tips().length
    handle.redraw()
  }

  async function lookForSessions(): Promise<void> {
    const found = await attempt(async () => (await options.sessions?.()) ?? [])
    if ("outcome" in found) return tell(found)
    const names = new Map<Row, string[]>()
    for (const { id, from } of found) {
      const row = from?.session === session.id && from.entry !== null ? history.rowOf(from.entry) : NONE
      if (row !== NONE && from !== undefined) names.set(row, [...(names.get(row) ?? []), `${from.as} ${shortId(id)}`])
    }
    sessions = names
    if (names.size > 0) refresh()
  }

  function tell(refusal: Refusal): void {
    problem = refusalText(refusal.failure)
    handle.redraw()
  }

  async function go(entry: EntryId | null): Promise<void> {
    const answer = await settledMove(host, session, (more) => attempt<MoveResult>(() => session.goto(entry, more)))
    if (answer === undefined) return
    if (answer.outcome === "refused") return tell(answer)
    if (answer.outcome !== "unchanged" || answer.prompt !== null) {
      return handle.done({ outcome: "moved", answer, text: answer.prompt?.text })
    }
    problem = "You are already there."
    handle.redraw()
  }

  async function goWith(entry: EntryId): Promise<void> {
    const title = [piece("Go to: ", theme.quiet), piece(shortId(entry), theme.strong)]
    const went = await host.showOverlay<Went | undefined>((own) => makeChooseWay(own, host, session, { entry, title }))
    if (went !== undefined) handle.done({ outcome: "moved", answer: went.answer, text: went.text })
  }

  /** With what was marked, else with the head. */
  async function compare(entry: EntryId): Promise<void> {
    const a = marked ?? entry
    const b = marked === undefined || marked === entry ? "head" : entry
    const choice = await openCompare(host, session, { a, b })
    if (choice !== undefined) await make(choice.do, choice.entry)
  }

  async function make(move: BranchMove, entry: EntryId): Promise<void> {
    const row = history.rowOf(entry)
    const name = move === "revert" ? `round ${history.round(row)}` : state.labels.get(row)
    const made = await moveBranch(host, session, move, { entry, name })
    if (made === undefined) return
    if ("outcome" in made) return tell(made)
    handle.done({ outcome: "moved", ...made, text: made.answer.prompt?.text })
  }

  async function split(entry: EntryId): Promise<void> {
    const made = await attempt(() => session.split(entry))
    if ("outcome" in made) tell(made)
    else handle.done({ outcome: "split", session: made.session, text: made.prompt?.text })
  }

  async function setLabel(entry: EntryId, name: string): Promise<void> {
    const set = await attempt(() => session.label(entry, name))
    if (typeof set !== "string") return tell(set)
    refresh()
  }

  function treeKey(key: KeyPress): void {
    if (state.move(key.name)) return
    const entry = entryId(history, state.row)
    if (key.name === "escape" || key.name === "ctrl+c" || key.name === "q") handle.done(undefined)
    else if (key.name === "tab") state.nextView()
    else if (key.name === "space") state.fold("turn")
    else if (key.name === "left") state.fold("fold")
    else if (key.name === "right") state.fold("open")
    else if (key.name === "/") search = searchTree(history, state.labels, handle.elapsed)
    else if (key.name === "o") void openOperations(host, history)
    else if (key.name === "enter" && (entry !== null || state.line?.type === "start")) void go(entry)
    else if (entry === null) return
    else if (key.name === "l") label = state.labels.get(state.row) ?? ""
    else if (key.name === "s") void split(entry)
    else if (key.name === "d")
      void openDiff(host, session, { from: entry, to: "head" }, `From ${shortId(entry)} to the head`)
    else if (key.name === "f") void goWith(entry)
    else if (key.name === "c") void compare(entry)
    else if (key.name === "p") void make("pick", entry)
    else if (key.name === "b") void make("bring", entry)
    else if (key.name === "r") void make("revert", entry)
    else if (key.text === "C") marked = marked === entry ? undefined : entry
  }

  function searchKey(found: TreeSearch, key: KeyPress): void {
    if (key.name === "escape" || key.name === "ctrl+c") search = undefined
    else if (key.name === "enter") {
      if (found.list.chosen !== undefined) state.show(found.rowAt(found.list.chosen))
      search = undefined
    } else if (found.list.key(key) && found.list.searching) slices.wake()
  }

  function labelKey(text: string, key: KeyPress): void {
    const entry = entryId(history, state.row)
    if (key.name === "escape" || key.name === "ctrl+c") label = undefined
    else if (key.name === "enter") {
      label = undefined
      if (entry !== null) void setLabel(entry, text.trim())
    } else label = editLineField(text, key) ?? text
  }

  /** The rows of the list, and the entry under the cursor. */
  function rows(width: number, height: number): { lines: string[]; chosen: Row } {
    const view = { history, theme, now: handle.now(), head: session.head, labels: state.labels, sessions }
    const draw = (line: TreeLine, chosen: boolean) => treeRow(view, memory, line, chosen, width)
    if (search === undefined || search.list.query.trim() === "") {
      const shown = state.visible(height)
      return { lines: shown.map(({ line, chosen }) => draw(line, chosen)), chosen: state.row }
    }
    const { list, rowAt } = search
    const shown = list.visible(height)
    const lines = shown.map(({ row, chosen }) => {
      const entry = rowAt(row)
      return draw({ type: "entry", row: entry, onPath: isOnPath(entry) }, chosen)
    })
    return { lines, chosen: list.chosen === undefined ? NONE : rowAt(list.chosen) }
  }

  function message(): FrameContent["message"] {
    if (label !== undefined) return { text: `Label: ${label}▏` }
    if (problem !== "") return { text: problem, paint: theme.warning }
    return (
      marked && { text: `Marked ${shortId(marked)}: press c on another line to compare the two, C here to unmark.` }
    )
  }

  return {
    render(width, height) {
      const body = (room: number) => {
        const list = search?.list
        const found = list === undefined || list.query === "" ? "" : `${list.size} found${list.searching ? "…" : ""}`
        const top =
          list === undefined ? [] : [searchLine(theme, list.query, "Type to search in all entries", found, width)]
        return [
          ...top,
          ...withPreview(theme, width, room - top.length, {
            list(columns, lines) {
              state.setLanes(Math.max(3, Math.floor((columns - 40) / 4)))
              const drawn = rows(columns, lines)
              return { lines: drawn.lines, value: drawn.chosen }
            },
            preview(chosen, columns, lines) {
              const row = state.view === "all" || search !== undefined ? chosen : lastSaid(history, chosen)
              return row === NONE ? [] : previewLines(theme, history.record(row), handle.now(), columns, lines)
            },
          }),
        ]
      }
      const title = [piece("Tree", theme.strong), piece(`  ${VIEW_NAMES[state.view]}`, theme.quiet)]
      const right = [piece(count(branches, "branch", "branches"), theme.quiet)]
      const keys = label !== undefined ? LABEL_KEYS : search !== undefined ? SEARCH_KEYS : TREE_KEYS
      return makeFrame(theme, { title, right, body, keys, keyRows: 3, message: message() }, width, height)
    },
    key(key) {
      problem = ""
      if (label !== undefined) labelKey(label, key)
      else if (search !== undefined) searchKey(search, key)
      else treeKey(key)
    },
    close() {
      slices.stop()
      unlisten()
    },
  }
}

/** A round that was left may end with a checkpoint: the preview shows what was said before it. */
function lastSaid(history: History, row: Row): Row {
  let said = row
  while (said !== NONE && (history.kind(said) === KIND.checkpoint || history.kind(said) === KIND.state)) {
    said = history.parent(said)
  }
  return said === NONE ? row : said
}

const VIEW_NAMES = { prompts: "prompts", all: "all entries", labelled: "labelled entries" } as const

interface TreeSearch {
  list: SearchList
  rowAt: (index: number) => Row
}

/** Search in all entries of the tree, newest first. Contract: searches the entries that exist now. */
function searchTree(history: History, labels: ReadonlyMap<Row, string>, now: () => number): TreeSearch {
  const rows = Uint32Array.from(entries(history)).reverse()
  const rowAt = (index: number) => rows[index] as Row
  const textOf = (index: number) => `${labels.get(rowAt(index)) ?? ""} ${wordsOf(history, rowAt(index))}`
  return { rowAt, list: makeSearchList({ size: rows.length, textOf, now }) }
}

function wordsOf(history: History, row: Row): string {
  const record = history.record(row)
  if (record === undefined) return ""
  const calls = record.type === "message" ? record.content.map(callWords).join(" ") : ""
  return `${history.id(row).slice(-6)} ${entryText(record) ?? ""} ${calls}`
}

function callWords(part: Part): string {
  return part.type === "tool-call" ? `${part.name} ${inputWords(part.input)}` : ""
}
