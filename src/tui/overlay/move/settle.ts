// A move with the files: first shows what it would do. If both sides changed the same lines, the person chooses what to
// keep; if files may be theirs, which ones to change.
import { commandsBehind } from "../../../history/files/commands-behind.ts"
import { resolveEntry } from "../../../history/plan/resolve.ts"
import { NONE } from "../../../history/tree/tree.ts"
import { type MoveResult, movesOnlyFiles } from "../../../model/move/moved.ts"
import { count } from "../../../model/text/amounts.ts"
import { clip } from "../../../model/text/sanitise.ts"
import type { DiffAnswer, MoveRequest, SessionContents } from "../../../protocol/host.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../../screen/overlay-host.ts"
import { type LinePiece, piece } from "../../text/line.ts"
import { lineCounts } from "../../words/file-words.ts"
import { diffPage } from "../files/diff.ts"
import { type KeyHint, listRow, makeFrame } from "../frame/frame.ts"
import { makeTextPage } from "../frame/text-page.ts"
import { fitList, LIST_START, type ListState, moveList, visibleRows } from "../list/list.ts"
import { conflictsOf, openConflicts } from "./conflicts.ts"
import type { FilesChosen } from "./files-chosen.ts"
import { filesInOrder, otherLines } from "./plan-lines.ts"
import type { AcceptedMove } from "./rewind-ways.ts"

/** When to show the files: `uncertain`: only if one of them may be the person's. */
export type When = "uncertain" | "always"

type Ask = (more: MoveRequest) => Promise<MoveResult>

export interface FilesAsked {
  when?: When
  title?: string
  /** The entry whose files are restored, if the plan does not name it. */
  since?: string
}

/** What the person chose about a plan; undefined if they cancel. */
export async function chooseFiles(
  host: OverlayHost,
  session: SessionContents,
  plan: MoveResult,
  ask: Ask,
  asked: FilesAsked = {},
): Promise<FilesChosen | undefined> {
  const conflicts = conflictsOf(plan)
  const onConflict = conflicts.length === 0 ? undefined : await openConflicts(host, conflicts)
  if (conflicts.length > 0 && onConflict === undefined) return undefined
  const settled = onConflict === undefined ? {} : { onConflict }
  const planned = onConflict === undefined ? plan : await ask({ ...settled, dryRun: true })
  if (planned.outcome === "refused" || !isShown(planned, asked.when ?? "uncertain")) return settled
  const keep = await openFiles(host, filesQuestion(session, planned, asked))
  if (keep === undefined) return undefined
  return keep.length === 0 ? settled : { ...settled, keep }
}

/** The move, once everything is chosen; undefined if the person cancels. */
export async function settledMove(
  host: OverlayHost,
  session: SessionContents,
  ask: Ask,
  asked: FilesAsked = {},
): Promise<MoveResult | undefined> {
  const plan = await ask({ dryRun: true })
  if (plan.outcome === "refused" && conflictsOf(plan).length === 0) return plan
  const chosen = await chooseFiles(host, session, plan, ask, asked)
  if (chosen !== undefined) return ask(chosen)
  // If a conflict was not resolved, say why.
  return plan.outcome === "refused" ? plan : undefined
}

function isShown(plan: AcceptedMove, when: When): boolean {
  if (plan.filesMode === "keep" && !movesOnlyFiles(plan.kind)) return false
  return (when === "always" && plan.files.length > 0) || plan.uncertain.length > 0
}

function filesQuestion(session: SessionContents, plan: AcceptedMove, { title, since }: FilesAsked): FilesQuestion {
  const { history, head } = session
  const from = since ?? plan.prompt?.id ?? plan.head
  const found = from === null ? undefined : resolveEntry(history, head, from)
  const row = found?.ok === true ? found.row : NONE
  const look = from === null ? {} : { look: (path: string) => session.diff({ from, paths: [path] }) }
  return {
    title: title ?? "These files change too",
    plan,
    does: movesOnlyFiles(plan.kind) ? "restore" : "go",
    commands: plan.uncertain.length === 0 ? new Map() : commandsBehind(history, row),
    ...look,
  }
}

interface FilesQuestion {
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

/**
 * What a move would do to the files, before it does it: each has a tick, and a file without one is left alone. The
 * paths to leave alone, empty if all change; undefined if the person cancels.
 */
function openFiles(host: OverlayHost, question: FilesQuestion): Promise<string[] | undefined> {
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
