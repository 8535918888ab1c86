// The first lines of a session.
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { clip, widthOf } from "../../model/text/width.ts"
import { wrapped } from "../conversation/simple-blocks.ts"
import { position } from "../screen/status-line.ts"
import type { Theme } from "../terminal/theme.ts"
import { terminalAdvice } from "../words/advice-words.ts"
import type { SessionView } from "./session-view.ts"

const SHORT_HINT = "/help for commands · Esc Esc goes back in time"
const HINT = `${SHORT_HINT} · nothing is ever lost`

export interface Welcome {
  theme: Theme
  view: SessionView
  /** Nobody chose the practice model: there is no key for another. */
  noKey: boolean
}

export function welcomeLines({ theme, view, noKey }: Welcome, width: number): string[] {
  const { session } = view
  const status = view.status()
  const where =
    status.rounds === 0 && status.branches <= 1
      ? sanitiseLine(session.cwd)
      : `${sanitiseLine(session.cwd)} · ${position(status)}`
  const lines = [
    `${theme.strong("retcon")} ${theme.quiet(clip(where, width - 8))}`,
    theme.quiet(clip(widthOf(HINT) <= width ? HINT : SHORT_HINT, width)),
  ]
  if (noKey && status.model.startsWith("practice")) {
    const text = "No API key, so this is the practice model. Set ANTHROPIC_API_KEY, or use /model"
    lines.push(...wrapped(text, width).map(theme.warning))
  }
  if (status.filesUnavailable !== undefined) {
    const { reason, advice = "" } = status.filesUnavailable
    const text = `Going back will leave your files alone: ${sanitiseLine(reason)}. ${terminalAdvice(advice)}`
    lines.push(...wrapped(text, width).map(theme.warning))
  }
  return lines
}
