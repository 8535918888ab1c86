// The session picker, for --resume and /resume.
import { agentTitle } from "../../../model/agent-title.ts"
import type { SessionId } from "../../../model/id.ts"
import { worksForAnother } from "../../../model/record/record.ts"
import { AGE_WIDTH, age, bytes, count } from "../../../model/text/amounts.ts"
import { pad, sanitiseLine, wrap } from "../../../model/text/sanitise.ts"
import type { SessionListing } from "../../../protocol/shapes.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../../screen/overlay-host.ts"
import type { KeyPress } from "../../terminal/keys.ts"
import type { Theme } from "../../terminal/theme.ts"
import { type LinePiece, makeLine, piece, safe } from "../../text/line.ts"
import { attempt } from "../frame/attempt.ts"
import { type KeyHint, listRow, makeFrame, searchLine } from "../frame/frame.ts"
import { withPreview } from "../frame/preview.ts"
import { makeSearchList, type SearchList } from "../list/search-list.ts"
import { inSlices } from "../list/slices.ts"
import { makeContents, type SearchContents } from "./contents.ts"

export interface SessionListDeps {
  /** Newest first. `here`: of this directory. */
  list(scope: "here" | "all"): Promise<readonly SessionListing[]>
  searchContents?: SearchContents
  /** The end of a session's conversation, as text; need not be safe to print. */
  preview?(session: SessionListing): Promise<string>
  /** The session that is open here. */
  current?: SessionId
}

/** `split`: continue it in a copy. */
export type Picked = { outcome: "open" | "split"; session: SessionListing } | undefined

export function openSessions(host: OverlayHost, parts: SessionListDeps): Promise<Picked> {
  return host.showOverlay<Picked>((handle) => makeSessions(handle, parts))
}

const KEYS: readonly KeyHint[] = [
  ["Enter", "open"],
  ["type", "to search"],
  ["Tab", "here or all"],
  ["Esc", "leave"],
]
const BUSY_KEYS: readonly KeyHint[] = [
  ["Enter", "open a copy"],
  ["Esc", "back"],
]

function makeSessions(handle: OverlayHandle<Picked>, parts: SessionListDeps): Overlay {
  const { theme } = handle
  let scope: "here" | "all" = "here"
  let sessions: readonly SessionListing[] | undefined
  let list: SearchList = emptyList()
  let asking: SessionListing | undefined
  let problem = ""
  const previews = new Map<SessionId, string>()
  const contents = makeContents(parts.searchContents, () => {
    list.again()
    if (list.searching) slices.wake()
    handle.redraw()
  })
  const slices = inSlices(() => {
    list.work()
    return list.searching
  }, handle.redraw)
  void load()

  function emptyList(): SearchList {
    return makeSearchList({ size: 0, textOf: () => "", now: handle.elapsed })
  }

  async function load(): Promise<void> {
    const asked = scope
    sessions = undefined
    contents.stop()
    list = emptyList()
    const found = await attempt(() => parts.list(asked))
    if (asked !== scope) return
    if ("outcome" in found) problem = "The sessions could not be listed."
    const shown = "outcome" in found ? [] : found.filter((session) => isListed(session, asked))
    sessions = shown
    list = makeSearchList({ size: shown.length, textOf: (row) => searchText(shown[row]), now: handle.elapsed })
    handle.redraw()
  }

  /** A session whose contents match the query is found, whatever its title. */
  function searchText(session: SessionListing | undefined): string {
    if (session === undefined) return ""
    const { id, agent, cwd } = session
    return `${titleOf(session)} ${agent} ${agentTitle(agent)} ${scope === "all" ? cwd : ""} ${contents.of(id) === undefined ? "" : list.query}`
  }

  function chosen(): SessionListing | undefined {
    return list.chosen === undefined ? undefined : sessions?.[list.chosen]
  }

  function pick(session: SessionListing): void {
    if (session.agent === "retcon" && session.busy === true) asking = session
    else handle.done({ outcome: "open", session })
  }

  function answer(session: SessionListing, key: KeyPress): void {
    if (["escape", "ctrl+c", "n"].includes(key.name)) asking = undefined
    else if (key.name === "enter" || key.name === "y") handle.done({ outcome: "split", session })
  }

  async function loadPreview(session: SessionListing): Promise<void> {
    previews.set(session.id, "…")
    const text = await attempt(async () => (await parts.preview?.(session)) ?? "")
    previews.set(session.id, typeof text === "string" ? text : "This session cannot be read.")
    handle.redraw()
  }

  function preview(session: SessionListing | undefined, width: number, height: number): string[] {
    if (session === undefined) return []
    if (parts.preview !== undefined && !previews.has(session.id)) void loadPreview(session)
    const text = (previews.get(session.id) ?? "").slice(0, 8_000)
    const words = text.split("\n").flatMap((line) => wrap(safe(line), width))
    const top = makeLine([piece(facts(session), theme.quiet)], width)
    return [top, ...words.slice(0, Math.max(0, height - 1)).map((line) => makeLine([line], width))]
  }

  return {
    render(width, height) {
      const all = sessions
      const searching = list.searching || contents.searching
      const total = count(list.total, "session")
      const found = list.query === "" ? total : `${list.size} of ${total}${searching ? "…" : ""}`
      const draw = (columns: number, rows: number) => {
        const lines = list.visible(rows).map(({ row, chosen: isChosen }) => {
          const session = all?.[row] as SessionListing
          const current = session.id === parts.current
          const excerpt = contents.of(session.id)
          return sessionRow(theme, { session, excerpt, current, now: handle.now() }, isChosen, columns)
        })
        return { lines, value: chosen() }
      }
      const body = (room: number) => {
        if (all === undefined) return [theme.quiet("Looking for sessions…")]
        if (all.length === 0 && scope === "here") {
          return [makeLine(["There is no session in this directory. Tab looks in all directories."], width)]
        }
        const top = searchLine(theme, list.query, "Newest first; typing searches titles and contents", found, width)
        return [top, ...withPreview(theme, width, room - 1, { list: draw, preview })]
      }
      const busy = { text: "The agent is working in it elsewhere. Open a copy instead?", paint: theme.warning }
      const message = asking === undefined ? (problem === "" ? undefined : { text: problem }) : busy
      const where = scope === "here" ? "of this directory" : "of all directories"
      const title = [piece("Sessions", theme.strong), piece(`  ${where}`, theme.quiet)]
      const keys = asking === undefined ? KEYS : BUSY_KEYS
      return makeFrame(theme, { title, body, keys, message }, width, height)
    },
    key(key) {
      if (asking !== undefined) return answer(asking, key)
      const session = chosen()
      if (key.name === "escape" || key.name === "ctrl+c") return handle.done(undefined)
      if (key.name === "tab") {
        scope = scope === "here" ? "all" : "here"
        void load()
      } else if (key.name === "enter") {
        if (session !== undefined) pick(session)
      } else {
        const before = list.query
        if (!list.key(key)) return
        if (list.query !== before) {
          contents.search(list.query, scope)
          list.again()
        }
        if (list.searching) slices.wake()
      }
    },
    close() {
      slices.stop()
      contents.stop()
    },
  }
}

/** Tasks are listed with the session that started them; a session without a message cannot be continued. */
function isListed(session: SessionListing, scope: "here" | "all"): boolean {
  if (worksForAnother(session.from)) return false
  if (session.branches === 0 && session.title === "") return false
  return scope === "all" || !session.archived
}

interface SessionRow {
  session: SessionListing
  /** Where its contents match the query. */
  excerpt: string | undefined
  current: boolean
  now: number
}

/** One session on a line: age, title and size, as far as there is room. */
function sessionRow(theme: Theme, row: SessionRow, chosen: boolean, width: number): string {
  const { session, excerpt } = row
  const when = pad(age(session.updated, row.now), AGE_WIDTH, "left")
  const left: LinePiece[] = [piece(`${when}  `, theme.quiet)]
  if (row.current) left.push(piece("this one ", theme.head))
  if (session.busy === true) left.push(piece("open elsewhere ", theme.warning))
  if (session.archived) left.push(piece("archived ", theme.quiet))
  if (session.agent !== "retcon") left.push(piece(`${agentTitle(session.agent)} `, theme.label))
  left.push(titleOf(session))
  if (excerpt !== undefined && excerpt !== "") left.push(piece(`  “${sanitiseLine(excerpt)}”`, theme.mark))
  return listRow(theme, chosen, left, width, [piece(amounts(session, width), theme.quiet)])
}

function titleOf(session: SessionListing): string {
  const title = sanitiseLine(session.title)
  return title === "" ? "(no title)" : title
}

/** "12 prompts, 2 branches, 1.2 MB"; on a narrow screen only the first. */
function amounts(session: SessionListing, width: number): string {
  const size = bytes(session.bytes)
  if (session.prompts === null || session.branches === null) return width < 50 ? "" : size
  const prompts = count(session.prompts, "prompt")
  const branches = count(session.branches, "branch", "branches")
  if (width < 50) return ""
  if (width < 66) return session.branches > 1 ? `${prompts}, ${branches}` : prompts
  return [prompts, ...(session.branches > 1 ? [branches] : []), size].join(", ")
}

/** Everything known about a session, above its preview. */
function facts(session: SessionListing): string {
  const { prompts, branches } = session
  const counts = [
    prompts === null ? [] : count(prompts, "prompt"),
    branches === null ? [] : count(branches, "branch", "branches"),
  ]
  return [agentTitle(session.agent), ...counts.flat(), bytes(session.bytes), session.cwd].join(", ")
}
