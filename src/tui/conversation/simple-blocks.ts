// Plain text of a session as lines, safe to show.
import { sanitise } from "../../model/text/sanitise.ts"
import { clip } from "../../model/text/width.ts"
import { wrap } from "../../model/text/wrap.ts"
import type { Todo } from "../../protocol/event.ts"
import type { Theme } from "../terminal/theme.ts"
import { type Block, finished } from "./block.ts"

export function wrapped(text: string, width: number): string[] {
  return wrap(sanitise(text).replace(/^\n+|\s+$/g, ""), width)
}

const MOST_PROMPT_LINES = 24

/** What the person typed, with a mark at its side. */
export function promptBlock(theme: Theme, text: string, mark: ">" | "!" | "+" = ">"): Block {
  const sign = mark === ">" ? "❯" : mark === "+" ? "↳" : "!"
  return finished("prompt", (width) => {
    const lines = wrapped(text, width - 2)
    const shown = lines.length > MOST_PROMPT_LINES ? lines.slice(0, MOST_PROMPT_LINES) : lines
    const left = lines.length - shown.length
    const body = shown.map((line, i) => `${i === 0 ? theme.person(sign) : " "} ${theme.strong(line)}`)
    return left > 0 ? [...body, theme.quiet(`  … ${left} more lines`)] : body
  })
}

export type NoticeLevel = "info" | "warning" | "error"

export function noticeBlock(theme: Theme, level: NoticeLevel, text: string, hint?: string): Block {
  return finished("notice", (width) => {
    const paint = level === "error" ? theme.bad : level === "warning" ? theme.warning : theme.quiet
    const sign = level === "error" ? "✗" : level === "warning" ? "!" : "·"
    const lines = wrapped(text, width - 2).map((line, i) => paint(`${i === 0 ? sign : " "} ${line}`))
    const hints = hint === undefined || hint === "" ? [] : wrapped(hint, width - 2)
    return [...lines, ...hints.map((line) => theme.quiet(`  ${line}`))]
  })
}

const MOST_TODOS = 12

export function todoLines(theme: Theme, todos: readonly Todo[], width: number): string[] {
  const open = todos.findIndex(({ status }) => status !== "done")
  const from = Math.max(0, Math.min(open === -1 ? 0 : open - 2, todos.length - MOST_TODOS))
  const shown = todos.slice(from, from + MOST_TODOS)
  const left = todos.length - shown.length
  const lines = shown.map(({ text, status }) => {
    const line = clip(sanitise(text).replace(/\s+/g, " "), width - 4)
    if (status === "done") return `  ${theme.good("✓")} ${theme.quiet(line)}`
    return status === "doing" ? `  ${theme.warning("▸")} ${theme.strong(line)}` : `  ${theme.quiet("○")} ${line}`
  })
  return left > 0 ? [...lines, theme.quiet(`  … ${left} more`)] : lines
}
