// Which part gets which lines of the screen. From below: status or hint, editor or question, what is queued, progress;
// the conversation gets the rest.
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip } from "../../model/text/width.ts"
import type { Answering } from "../approval/answering.ts"
import type { Reason } from "../approval/deny-reason.ts"
import type { Transcript } from "../conversation/transcript.ts"
import type { PromptEditor } from "../editor/editor.ts"
import type { ProgressLine } from "../screen/progress.ts"
import type { Frame } from "../screen/screen.ts"
import { statusLine } from "../screen/status-line.ts"
import type { Theme } from "../terminal/theme.ts"
import type { SessionView } from "./session-view.ts"

export interface LayoutDeps {
  theme: Theme
  editor: PromptEditor
  progress: ProgressLine
  transcript: Transcript
  reason: Reason
  answering: Answering
  /** The key that takes back what is queued. */
  takeBack: string
  /** The session on the screen; undefined until one is open. */
  view: () => SessionView | undefined
  hint: () => string | undefined
}

type Lines = Pick<Frame, "cursor"> & { lines: string[] }

export function makeLayout(parts: LayoutDeps): (width: number, height: number) => Frame {
  const { theme, editor, progress, transcript, reason, answering, takeBack } = parts

  function below(width: number, height: number): Lines {
    const view = parts.view()
    const hint = parts.hint()
    const lines: string[] = []
    const doing = progress.line(width)
    if (doing !== undefined) lines.push(doing)
    for (const text of view?.queued.slice(-3) ?? []) {
      lines.push(theme.quiet(clip(`↳ queued: ${sanitiseLine(text)} (${takeBack} takes it back)`, width)))
    }
    const status = view === undefined ? "" : statusLine(view.status(), width, theme)
    const foot = hint === undefined ? status : theme.warning(clip(` ${hint}`, width))
    const question = reason.approval === undefined ? view?.question : undefined
    if (question === undefined) return stacked(lines, editor.lines(width), foot)
    const draft = editor.empty ? { lines: [] } : editor.lines(width)
    const room = height - lines.length - draft.lines.length - 4
    lines.push(...answering.lines(question, { width, room }))
    return stacked(lines, answering.typing ? draft : { lines: draft.lines }, foot)
  }

  return (width, height) => {
    const { lines: settled, more } = transcript.settle(width)
    const fixed = below(width, height)
    const live = more ? [] : transcript.live(width, height - 2 - fixed.lines.length)
    const { lines, cursor } = stacked([...live, ""], fixed)
    return { settled, more, live: lines, ...(cursor === undefined ? {} : { cursor }) }
  }
}

/** Stacked; the cursor stays on its line. */
function stacked(above: readonly string[], { lines, cursor }: Lines, ...foot: string[]): Lines {
  const all = { lines: [...above, ...lines, ...foot] }
  return cursor === undefined ? all : { ...all, cursor: { row: above.length + cursor.row, column: cursor.column } }
}
