// The line under the editor: where we are, and what it costs. The least important is left out first.
import { count } from "../../model/text/amounts.ts"
import { clip, sanitiseLine, widthOf } from "../../model/text/sanitise.ts"
import { sandboxLabel } from "../../protocol/sandbox-words.ts"
import type { Status } from "../../protocol/shapes.ts"
import type { Theme } from "../terminal/theme.ts"

interface StatusPiece {
  text: string
  /** For when there is no room for all. */
  short?: string
  paint?: (text: string) => string
  /** Higher stays longer. */
  weight: number
}

/** First uses short forms, the least important first; then leaves out the least important. */
export function statusLine(status: Status, width: number, theme: Theme): string {
  let pieces = piecesOf(status, theme)
  const used = () => pieces.reduce((sum, piece) => sum + widthOf(piece.text) + 3, -1)
  while (pieces.length > 1 && used() > width) {
    const long = least(pieces.filter(({ text, short: other }) => other !== undefined && other !== text))
    const out = least(pieces)
    if (long === undefined) pieces = pieces.filter((piece) => piece !== out)
    else pieces = pieces.map((piece) => (piece === long ? { ...piece, text: long.short ?? long.text } : piece))
  }
  const line = pieces.map(({ text, paint = theme.quiet }) => paint(clip(text, width - 2))).join(theme.quiet(" · "))
  return ` ${line}`
}

function least(pieces: readonly StatusPiece[]): StatusPiece | undefined {
  return pieces.toSorted((a, b) => a.weight - b.weight)[0]
}

function piecesOf(status: Status, theme: Theme): StatusPiece[] {
  const model = sanitiseLine(status.model)
  const effort = status.program?.effort ?? status.thinking
  const thinks = effort === undefined ? "" : ` (${sanitiseLine(effort)})`
  const pieces: StatusPiece[] = [
    { text: position(status), weight: 9 },
    { text: clip(model, 32) + thinks, short: clip(shortName(model), 20) + thinks, weight: 3 },
    ...modeOf(status, theme),
    { text: contextBar(status), short: contextShare(status), weight: 4 },
  ]
  pieces.push(...confinement(status, theme))
  if (status.totals.cost !== undefined && status.totals.cost > 0) {
    const more = status.totals.unpriced === undefined ? "" : "+"
    pieces.push({ text: dollars(status.totals.cost) + more, weight: 7 })
  }
  if (status.filesUnavailable !== undefined) pieces.push({ text: "files not covered", paint: theme.warning, weight: 6 })
  else if (status.filesChanged > 0) {
    pieces.push({ text: files(status.filesChanged), short: count(status.filesChanged, "file"), weight: 6 })
  }
  if (status.repository !== undefined) {
    const branch = sanitiseLine(status.repository)
    pieces.push({ text: clip(branch, 24), short: clip(branch, 14), weight: 5 })
  }
  return pieces
}

/** Of the agent that works here. Another agent's program may not say. */
function modeOf({ mode, program }: Status, theme: Theme): StatusPiece[] {
  if (program !== undefined)
    return program.mode === undefined ? [] : [{ text: clip(sanitiseLine(program.mode), 24), weight: 8 }]
  const paint = mode === "yolo" ? { paint: theme.warning } : {}
  return [{ text: MODES[mode], short: SHORT_MODES[mode], weight: 8, ...paint }]
}

/** Empty while every command needs approval. */
function confinement({ sandbox }: Status, theme: Theme): StatusPiece[] {
  if (sandbox === undefined) return []
  const text = sandboxLabel(sandbox)
  return [sandbox.state === "confined" ? { text, weight: 5.5 } : { text, paint: theme.warning, weight: 8 }]
}

const SHORT_MODES = { plan: "plans", default: "asks", autoEdit: "edits", yolo: "asks nothing" } as const
const MODES = { plan: "only reads", default: "asks first", autoEdit: "edits freely", yolo: "asks nothing" } as const

export function position({ round, rounds, branches }: Status): string {
  if (rounds === 0 && branches <= 1) return "new session"
  const here = round === rounds ? `round ${round}` : `round ${round} of ${rounds}`
  const where = round === 0 ? "before the first prompt" : here
  return branches > 1 ? `${where}, ${branches} branches` : where
}

function files(changed: number): string {
  return changed === 1 ? "1 file changed" : `${changed} files changed`
}

function dollars(cost: number): string {
  return cost < 0.01 ? "<$0.01" : `$${cost.toFixed(2)}`
}

const BAR = 10

/** How full the context is; the stroke marks where it will be compacted. */
export function contextBar({ context }: Pick<Status, "context">): string {
  const { used, window, compactsAt } = context
  if (window === undefined || window <= 0) return `${short(used)} tokens`
  const cell = (tokens: number) => Math.min(BAR, Math.round((tokens / window) * BAR))
  const mark = compactsAt === undefined ? -1 : Math.min(BAR - 1, cell(compactsAt))
  const cells = Array.from({ length: BAR }, (_, i) => (i === mark ? "┃" : i < cell(used) ? "▰" : "▱"))
  return `${cells.join("")} ${contextShare({ context })}`
}

function contextShare({ context: { used, window } }: Pick<Status, "context">): string {
  if (window === undefined || window <= 0) return short(used)
  return `${Math.min(100, Math.round((used / window) * 100))}%`
}

/** "812", "12k", "1.2M" */
export function short(tokens: number): string {
  return tokens < 1000
    ? `${tokens}`
    : tokens < 1_000_000
      ? `${Math.round(tokens / 1000)}k`
      : `${(tokens / 1e6).toFixed(1)}M`
}

/** Without the provider; the practice model is just "practice". */
function shortName(model: string): string {
  return model.startsWith("practice/") ? "practice" : model.slice(model.lastIndexOf("/") + 1)
}
