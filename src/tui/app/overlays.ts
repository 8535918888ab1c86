// The pages over the conversation, and what happens when one is left.
import type { EntryId, SessionId } from "../../model/id.ts"
import { count } from "../../model/text/amounts.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { isOffered } from "../../protocol/can-continue.ts"
import type { CompareRequest, HostSession } from "../../protocol/host.ts"
import { openCopy } from "../../protocol/open-to-work.ts"
import type { FoldedItem } from "../conversation/block.ts"
import { openBranches } from "../overlay/branch-list.ts"
import { openCompare } from "../overlay/files/compare.ts"
import { openDiff } from "../overlay/files/diff.ts"
import { foldedPage, openFolded } from "../overlay/folded-list.ts"
import { type KeyHint, listRow, makeFrame, searchLine } from "../overlay/frame/frame.ts"
import { makeTextPage } from "../overlay/frame/text-page.ts"
import { makeSearchList, type SearchList } from "../overlay/list/search-list.ts"
import { inSlices } from "../overlay/list/slices.ts"
import { moveBranch } from "../overlay/move/branch-moves.ts"
import { openRewind } from "../overlay/move/rewind-list.ts"
import { wentWords } from "../overlay/move/rewind-ways.ts"
import { openSearch } from "../overlay/sessions/search.ts"
import { openSessions } from "../overlay/sessions/sessions.ts"
import { openTree } from "../overlay/tree/tree.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../screen/overlay-host.ts"
import { piece } from "../text/line.ts"
import type { TuiDeps } from "./deps.ts"
import type { Notices } from "./notices.ts"
import type { OnScreen, ShownSession } from "./shown-session.ts"
import { type MoveTeller, tellMove } from "./tell-move.ts"
import { typedBefore } from "./typed-before.ts"

/** What a page needs: the screen, and the session it shows. */
type Page = Pick<OnScreen, "screen"> & Pick<ShownSession, "view" | "session"> & Pick<Notices, "hint">

/** A page from which a move is made. */
type MovePage = Page & MoveTeller

/** A page from which another session is opened. */
type SessionPage = OnScreen & ShownSession & Notices

export async function openRewindList(app: MovePage): Promise<void> {
  if (app.view.status().round === 0) return app.hint("There is nothing to go back to yet")
  const went = await openRewind(app.screen, app.session)
  if (went !== undefined) tellMove(app, wentWords(went.way, went.answer), went.answer, "makes room")
}

/** `at`: the entry under the cursor, if not the head. */
export async function openTreePage(
  app: MovePage & SessionPage & { deps: Pick<TuiDeps, "host"> },
  at?: EntryId,
): Promise<void> {
  const { host } = app.deps
  const own = app.session.id
  const sessions = async () => (await host.list()).sessions.filter(({ from }) => from?.session === own)
  const went = await openTree(app.screen, app.session, { sessions, ...(at !== undefined && { at }) })
  if (went === undefined) return app.view.changed()
  if (went.outcome === "moved") return tellMove(app, went.did ?? "Went there", went.answer, "makes room")
  await app.open(await host.open(went.session), "resumed")
  app.say("info", "This is a copy; the original session stays as it is.")
  if (went.text !== undefined && !app.editor.own) app.editor.put({ text: went.text })
}

export async function openBranchList(app: MovePage): Promise<void> {
  const made = await openBranches(app.screen, app.session)
  if (made !== undefined) tellMove(app, made.did, made.answer)
}

type SessionListSource = Pick<TuiDeps, "host" | "cwd" | "searchContents" | "previewSession">

/** True if another session was opened. */
export async function openSessionList(
  app: SessionPage & { deps: SessionListSource },
  current?: SessionId,
): Promise<boolean> {
  const { host, cwd, searchContents, previewSession } = app.deps
  const picked = await openSessions(app.screen, {
    list: async (scope) => {
      const { sessions: listed } = await host.list({ ...(scope === "here" && { cwd }), agents: "all" })
      return listed.filter(isOffered)
    },
    ...(current === undefined ? {} : { current }),
    ...(searchContents === undefined ? {} : { searchContents }),
    ...(previewSession === undefined ? {} : { preview: (session) => previewSession(session) }),
  })
  if (picked === undefined) return false
  const { session: listed, outcome } = picked
  const opening: Promise<{ session: HostSession; copied?: string }> =
    outcome === "open" ? host.open(listed.id).then((session) => ({ session })) : openCopy(host, listed.id, cwd)
  const { session, copied } = await app.progress.during("Opening the session", opening)
  await app.open(session, "resumed")
  if (copied !== undefined) app.say("info", copied)
  return true
}

const MOST_FOUND = 50

/** /search: words in all sessions. `resume`: the person wants to go on in the agent's own program, in the session that is open now. */
export async function openSearchPage(
  app: MovePage & SessionPage & { deps: Pick<TuiDeps, "host" | "cwd" | "find" | "previewSession"> },
  words: string,
): Promise<"resume" | undefined> {
  const { host, cwd, find, previewSession } = app.deps
  const place = await openSearch(app.screen, {
    words,
    find: (text, scope, signal) => find({ text, limit: MOST_FOUND, ...(scope === "here" && { cwd }) }, { signal }),
    preview:
      previewSession &&
      (({ session }, { entry }) => previewSession({ id: session }, entry === null ? undefined : entry)),
  })
  if (place === undefined) return undefined
  const { outcome, session: found, hit } = place
  const entry = hit?.entry ?? undefined
  const isOpen = app.ready && app.session.id === found.session
  const session = isOpen ? app.session : await app.progress.during("Opening the session", host.open(found.session))
  if (outcome === "split") {
    const copy = await session.split(entry, cwd)
    if (!isOpen) await session.close()
    await app.open(await host.open(copy.session), "resumed")
    app.say("info", "This is a copy; the original session stays as it is.")
    return undefined
  }
  if (!isOpen) await app.open(session, "resumed")
  if (outcome === "resume" && found.resume !== undefined) return "resume"
  if (outcome === "goto" && entry !== undefined) {
    tellMove(app, "Went there", await app.progress.during("Going there", session.goto(entry)), "makes room")
  } else if (outcome === "open" && entry !== undefined) await openTreePage(app, entry)
  return undefined
}

/** Like the arrow keys, for prompts further back. */
export async function openHistory(
  app: Page & Pick<OnScreen, "editor"> & { deps: Pick<TuiDeps, "pastPrompts"> },
): Promise<void> {
  const text = await openPastPrompts(app.screen, typedBefore(app.session, app.deps))
  if (text === undefined) return
  if (app.editor.own) {
    app.editor.remember(app.editor.expanded)
    app.hint("This replaced your draft. In an empty editor, ↑ brings it back")
  }
  app.editor.keep({ text })
  app.screen.redraw()
}

export async function openComparePage(app: MovePage, request: CompareRequest): Promise<void> {
  const choice = await openCompare(app.screen, app.session, request)
  if (choice === undefined) return
  const name = app.session.labels().get(choice.entry)
  const made = await moveBranch(app.screen, app.session, choice.do, { entry: choice.entry, name })
  if (made === undefined || "outcome" in made) return tellMove(app, "", made)
  tellMove(app, made.did, made.answer)
}

export async function openDiffPage(app: Page, entry: string): Promise<void> {
  if (entry === "") await openDiff(app.screen, app.session)
  else await openDiff(app.screen, app.session, { from: entry }, `Changes since ${entry}`)
}

/** What was folded on the screen, in full; if there are several, the chosen one. */
export async function openDetails(app: Page, extra?: FoldedItem): Promise<void> {
  const items = extra === undefined ? app.view.folded.items : [extra]
  const [only] = items
  if (only === undefined) return app.hint("Nothing is folded yet")
  if (items.length > 1) return openFolded(app.screen, items)
  await app.screen.showOverlay<void>((handle) => makeTextPage(handle, foldedPage(only, handle.theme)))
}

const KEYS: readonly KeyHint[] = [
  ["Enter", "into the editor"],
  ["type", "to search"],
  ["↑↓", "choose"],
  ["Esc", "leave"],
]

/**
 * Ctrl+R: what was typed before, in all sessions of this folder, newest first. The chosen one goes into the editor.
 * `texts`: oldest first.
 */
function openPastPrompts(host: OverlayHost, texts: Promise<readonly string[]>): Promise<string | undefined> {
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
