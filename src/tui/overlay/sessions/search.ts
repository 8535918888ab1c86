// /search: words in all sessions, as you type, with a preview of the place and ways to go on from there.
import { agentTitle } from "../../../model/agent-title.ts"
import { shortId } from "../../../model/id.ts"
import { AGE_WIDTH, age, count } from "../../../model/text/amounts.ts"
import { pad, sanitiseLine, shellWord, wrap } from "../../../model/text/sanitise.ts"
import { foundWords } from "../../../protocol/found-words.ts"
import type { FindAnswer, FoundHit, FoundSession } from "../../../protocol/library.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../../screen/overlay-host.ts"
import type { KeyPress } from "../../terminal/keys.ts"
import type { Theme } from "../../terminal/theme.ts"
import { type LinePiece, makeLine, piece, safe } from "../../text/line.ts"
import { type KeyHint, listRow, makeFrame, searchLine } from "../frame/frame.ts"
import { withPreview } from "../frame/preview.ts"
import { editLineField } from "../list/line-field.ts"
import { fitList, LIST_START, type ListState, moveList, visibleRows } from "../list/list.ts"

export interface SearchDeps {
  /** Contract: ends early if the signal aborts. */
  find(text: string, scope: "here" | "all", signal: AbortSignal): Promise<FindAnswer>
  /** What was said around a hit, as text; need not be safe to print. */
  preview?: ((session: FoundSession, hit: FoundHit) => Promise<string>) | undefined
  /** What is typed already. */
  words: string
}

/** `open`: to look at the place. `goto`: to go there. `split`: a copy up to there. `resume`: in its own program. */
export type FoundPlace =
  | { outcome: "open" | "goto" | "split" | "resume"; session: FoundSession; hit: FoundHit | undefined }
  | undefined

export function openSearch(host: OverlayHost, parts: SearchDeps): Promise<FoundPlace> {
  return host.showOverlay<FoundPlace>((handle) => makeSearch(handle, parts))
}

const KEYS: readonly KeyHint[] = [
  ["Enter", "open"],
  ["Ctrl+G", "go there"],
  ["Ctrl+S", "split there"],
  ["Ctrl+R", "resume in its agent"],
  ["Tab", "here or all"],
  ["Esc", "leave"],
]
const OUTCOMES = { enter: "open", "ctrl+g": "goto", "ctrl+s": "split", "ctrl+r": "resume" } as const

/** Milliseconds without a key, after which it searches. */
const PAUSE = 80
/** Shorter texts occur in nearly every session. */
const SHORTEST = 2

interface Row {
  session: FoundSession
  /** Undefined for the line of the session itself. */
  hit: FoundHit | undefined
}

function makeSearch(handle: OverlayHandle<FoundPlace>, parts: SearchDeps): Overlay {
  const { theme } = handle
  let query = parts.words
  let scope: "here" | "all" = "here"
  let answer: FindAnswer | undefined
  let rows: readonly Row[] = []
  let list: ListState = LIST_START
  let height = 10
  let problem = ""
  let searching = new AbortController()
  let waiting: NodeJS.Timeout | undefined
  let isBusy = false
  const previews = new Map<string, string>()
  typed(query)

  function typed(text: string): void {
    query = text
    clearTimeout(waiting)
    searching.abort()
    searching = new AbortController()
    isBusy = text.trim().length >= SHORTEST
    if (isBusy) waiting = setTimeout(() => void search(searching.signal), PAUSE)
    else show(undefined)
  }

  async function search(signal: AbortSignal): Promise<void> {
    try {
      const found = await parts.find(query.trim(), scope, signal)
      if (signal.aborted) return
      problem = ""
      show(found)
    } catch (error) {
      if (signal.aborted) return
      problem = error instanceof Error ? error.message : String(error)
    }
    isBusy = false
    handle.redraw()
  }

  function show(found: FindAnswer | undefined): void {
    answer = found
    rows = (found?.sessions ?? []).flatMap((session) => [
      { session, hit: undefined },
      ...session.hits.map((hit) => ({ session, hit })),
    ])
    list = LIST_START
  }

  async function loadPreview(key: string, session: FoundSession, hit: FoundHit): Promise<void> {
    previews.set(key, hit.text)
    const text = await parts.preview?.(session, hit).catch(() => "This session cannot be read.")
    if (text !== undefined && text !== "") previews.set(key, text)
    handle.redraw()
  }

  function preview(row: Row | undefined, width: number, room: number): string[] {
    if (row === undefined) return []
    const { session } = row
    const hit = row.hit ?? session.hits[0]
    const lines = [makeLine([piece(facts(session), theme.quiet)], width)]
    if (hit !== undefined) {
      const key = `${session.session} ${hit.entry}`
      if (!previews.has(key)) void loadPreview(key, session, hit)
      const text = (previews.get(key) ?? "").slice(0, 8000)
      for (const line of text.split("\n").flatMap((each) => wrap(safe(each), width)))
        lines.push(makeLine([line], width))
    }
    return lines.slice(0, room)
  }

  return {
    render(width, total) {
      const state = isBusy ? "…" : answer === undefined ? "" : count(answer.total, "session")
      const body = (room: number) => {
        const top = searchLine(theme, query, "Words that were said in any session", state, width)
        const [before] = answer === undefined ? [] : foundWords(answer)
        const said = before === undefined ? [] : [makeLine([piece(before, theme.warning)], width)]
        const nothing = answer !== undefined && !isBusy && rows.length === 0
        if (nothing)
          return [
            top,
            makeLine([theme.quiet(scope === "here" ? "Nothing here. Tab searches everywhere." : "Nothing.")], width),
          ]
        const draw = (columns: number, shown: number) => {
          height = shown
          list = fitList(list, rows.length, shown)
          const lines = visibleRows(list, rows.length, shown).map((at) =>
            rowLine(theme, rows[at] as Row, { chosen: at === list.at, now: handle.now(), columns }),
          )
          return { lines, value: rows[list.at] }
        }
        return [top, ...said, ...withPreview(theme, width, room - 1 - said.length, { list: draw, preview })]
      }
      const where = scope === "here" ? "of this directory" : "of all directories"
      const title = [piece("Search", theme.strong), piece(`  in the sessions ${where}`, theme.quiet)]
      const message = problem === "" ? undefined : { text: problem, paint: theme.warning }
      return makeFrame(theme, { title, body, keys: KEYS, message }, width, total)
    },
    key(key: KeyPress) {
      if (key.name === "escape" || key.name === "ctrl+c") return handle.done(undefined)
      const outcome = OUTCOMES[key.name as keyof typeof OUTCOMES]
      const row = rows[list.at]
      if (outcome !== undefined) {
        if (row !== undefined) handle.done({ outcome, session: row.session, hit: row.hit ?? row.session.hits[0] })
        return
      }
      if (key.name === "tab") {
        scope = scope === "here" ? "all" : "here"
        return typed(query)
      }
      const moved = moveList(list, key.name, rows.length, height)
      if (moved !== undefined) list = moved
      else {
        const text = editLineField(query, key)
        if (text !== undefined) typed(text)
      }
    },
    close() {
      clearTimeout(waiting)
      searching.abort()
    },
  }
}

function rowLine(
  theme: Theme,
  { session, hit }: Row,
  { chosen, now, columns }: { chosen: boolean; now: number; columns: number },
): string {
  if (hit === undefined) {
    const title = sanitiseLine(session.title) || "(no title)"
    const whose = session.agent === "retcon" ? [] : [piece(`${agentTitle(session.agent)} `, theme.label)]
    const when = piece(`${pad(age(session.updated, now), AGE_WIDTH, "left")}  `, theme.quiet)
    return listRow(theme, chosen, [when, ...whose, piece(title, theme.strong)], columns)
  }
  const where = pad(sanitiseLine(hit.where), 8)
  const off = hit.onPath ? [] : [piece("abandoned ", theme.mark)]
  return listRow(theme, chosen, [piece(`      ${where}`, theme.quiet), ...off, ...marked(theme, hit)], columns)
}

/** The text from shortly before the first mark, with all marks. */
function marked(theme: Theme, { text, marks }: FoundHit): LinePiece[] {
  const pieces: LinePiece[] = []
  let at = Math.max(0, (marks[0]?.[0] ?? 0) - 24)
  if (at > 0) pieces.push("…")
  for (const [from, to] of marks) {
    if (from < at) continue
    pieces.push(safe(text.slice(at, from)), piece(safe(text.slice(from, to)), theme.underline))
    at = to
  }
  return [...pieces, safe(text.slice(at))]
}

function facts({ agent, project, resume, copies, taskOf }: FoundSession): string {
  return [
    agentTitle(agent),
    project,
    ...(taskOf === undefined ? [] : ["a sub-agent's"]),
    ...(copies.length === 0 ? [] : [count(copies.length, "copy", "copies")]),
    ...(resume === undefined ? [] : [resume.map(shellWord).join(" ")]),
  ].join(", ")
}

/** For a terminal without a screen: the best places, each with its id. */
export function searchLines(answer: FindAnswer): string[] {
  const [before, after] = foundWords(answer)
  const lines = answer.sessions.flatMap(({ session, agent, title, hits }) => [
    `${sanitiseLine(title) || "(no title)"} (${agentTitle(agent)}, ${shortId(session)})`,
    ...hits.map(({ short, where, text }) => `  ${short} ${sanitiseLine(where)}: ${sanitiseLine(text)}`),
  ])
  if (lines.length === 0) return ["Nothing found."]
  return [
    ...(before === undefined ? [] : [before]),
    ...lines,
    ...(after === undefined ? [] : [after]),
    "Continue one with: /resume ID",
  ]
}
