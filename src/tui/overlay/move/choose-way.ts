// "How do you want to go there?": the four ways with their dry runs; carries out the chosen one.
import type { EntryId } from "../../../model/id.ts"
import type { MoveResult } from "../../../model/move/moved.ts"
import { widthOf } from "../../../model/text/sanitise.ts"
import type { HostSession, MoveRequest } from "../../../protocol/host.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../../screen/overlay-host.ts"
import { type LinePiece, piece } from "../../text/line.ts"
import { refusalText } from "../../words/refusal.ts"
import { attempt } from "../frame/attempt.ts"
import { type KeyHint, listRow, makeFrame, rule } from "../frame/frame.ts"
import { conflictsOf } from "./conflicts.ts"
import { planLines } from "./plan-lines.ts"
import { type AcceptedMove, REWIND_WAYS, type RewindWay, rewindBy, WAY_NAMES, wayWords, whyNot } from "./rewind-ways.ts"
import { chooseFiles, type When } from "./settle.ts"

/** `text` goes into the editor; undefined if the conversation stayed. */
export interface Went {
  way: RewindWay
  answer: AcceptedMove
  text: string | undefined
  prompt: EntryId | undefined
}

function keysOf(files: boolean): readonly KeyHint[] {
  const choose: readonly KeyHint[] = files ? [["Space", "choose files"]] : []
  return [["Enter", "go"], ["↑↓", "choose"], ...choose, ["Esc", "back"]]
}

/** Contract: done with what was carried out, or with undefined if the person went back. */
export function makeChooseWay(
  handle: OverlayHandle<Went | undefined>,
  host: OverlayHost,
  session: HostSession,
  target: { entry: EntryId; title: readonly LinePiece[]; right?: readonly LinePiece[] },
): Overlay {
  const { theme } = handle
  const plans = new Map<RewindWay, MoveResult>()
  let at = 0
  let touched = false
  let working = false
  /** The way for which Enter was pressed before its dry run was ready. */
  let wanted: RewindWay | undefined
  let problem: string | undefined
  let closed = false
  let planning = plan()

  /** One after the other: each examines the same files. None begins once the person goes: it would meet their own move. */
  async function plan(): Promise<void> {
    for (const way of REWIND_WAYS) {
      if (working) return
      if (plans.has(way)) continue
      const answer = await rewindBy(session, target.entry, way, { dryRun: true })
      if (closed) return
      plans.set(way, answer)
      if (wanted === way) {
        wanted = undefined
        touched ||= canGo(way)
        if (canGo(way)) void go(way)
      }
      if (!touched) at = Math.max(0, REWIND_WAYS.findIndex(isPossible))
      handle.redraw()
    }
  }

  function isPossible(way: RewindWay): boolean {
    const answer = plans.get(way)
    return answer !== undefined && whyNot(way, answer) === undefined
  }

  /** Whether Enter leads anywhere. */
  function canGo(way: RewindWay): boolean {
    return isPossible(way) || conflictsOf(plans.get(way)).length > 0
  }

  /** If files conflict, the person chooses first; and, if they want, which files change too. */
  async function go(way: RewindWay, when?: When): Promise<void> {
    const planned = plans.get(way)
    if (planned === undefined) return
    const ask = (more: MoveRequest) => rewindBy(session, target.entry, way, more)
    const asks = when !== undefined || conflictsOf(planned).length > 0
    const files = { when: when ?? ("uncertain" as const), title: WAY_NAMES[way], since: target.entry }
    const chosen = asks ? await chooseFiles(host, session, planned, ask, files) : {}
    if (chosen === undefined) return
    working = true
    problem = undefined
    handle.redraw()
    await planning
    const answer = await ask(chosen)
    working = false
    if (answer.outcome === "refused") {
      problem = refusalText(answer.failure)
      planning = plan()
      handle.redraw()
      return
    }
    handle.done({ way, answer, text: answer.prompt?.text, prompt: answer.prompt?.id })
  }

  /** Whether there are files to choose from. */
  function hasFiles(way: RewindWay): boolean {
    const answer = plans.get(way)
    if (answer === undefined || answer.outcome === "refused") return false
    return (way === "both" || way === "files") && answer.files.length > 0
  }

  function wayRow(way: RewindWay, chosen: boolean, width: number): string {
    const answer = plans.get(way)
    const no = answer === undefined ? undefined : whyNot(way, answer)
    const name = WAY_NAMES[way]
    const quiet = (text: string) => piece(text, theme.quiet)
    if (conflictsOf(answer).length > 0) {
      return listRow(theme, chosen, [name], width, [piece("files conflict: Enter to choose", theme.warning)])
    }
    if (no !== undefined) return listRow(theme, chosen, [quiet(`${name}  × ${no}`)], width)
    const room = width - widthOf(name) - 4
    const says = answer === undefined || answer.outcome === "refused" ? "…" : wayWords(way, answer, room)
    return listRow(theme, chosen, [name], width, widthOf(says) <= room ? [quiet(says)] : [])
  }

  return {
    render(width, height) {
      const chosen = REWIND_WAYS[at] ?? "both"
      const busy =
        chosen === "summary" ? "The model is summarising what you leave behind… Esc stops it." : "Going there…"
      const said = problem === undefined ? undefined : { text: problem, paint: theme.bad }
      const waits = wanted === undefined ? said : { text: "Working out what would change…", paint: theme.warning }
      const message = working ? { text: busy, paint: theme.warning } : waits
      const body = (room: number) => {
        const rows = REWIND_WAYS.map((way, i) => wayRow(way, i === at, width))
        const lines = planLines(theme, chosen, plans.get(chosen), width)
        const free = room - rows.length - 1
        const more = lines.length - free
        const shown =
          more <= 0 ? lines : [...lines.slice(0, Math.max(0, free - 1)), theme.quiet(`  and ${more + 1} more`)]
        return [...rows, rule(theme, width), ...shown]
      }
      const { title, right } = target
      const parts = { title, ...(right && { right }), message, body, keys: keysOf(hasFiles(chosen)) }
      return makeFrame(theme, parts, width, height)
    },
    key(key) {
      if (working) {
        if (key.name === "escape" || key.name === "ctrl+c") void attempt(() => session.stop())
        return
      }
      const way = REWIND_WAYS[at] ?? "both"
      wanted = key.name === "enter" && !plans.has(way) ? way : undefined
      if (key.name === "escape" || key.name === "ctrl+c") handle.done(undefined)
      else if (key.name === "enter" && canGo(way)) void go(way)
      else if (key.name === "space" && hasFiles(way)) void go(way, "always")
      else if (["up", "down", "ctrl+p", "ctrl+n"].includes(key.name)) {
        const step = key.name === "up" || key.name === "ctrl+p" ? REWIND_WAYS.length - 1 : 1
        at = (at + step) % REWIND_WAYS.length
        touched = true
        problem = undefined
      }
    },
    close() {
      closed = true
    },
  }
}
