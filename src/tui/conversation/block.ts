// One thing in the conversation, as lines: final ones are returned once, those that may change are drawn every frame.
import { clip, sanitise, wrap } from "../../model/text/sanitise.ts"
import type { Todo } from "../../protocol/event.ts"
import type { Theme } from "../terminal/theme.ts"

/**
 * Contract: `settle` returns each line once, in order; a block that is done has settled everything and has no live
 * lines. Lines contain styles, but no other control characters.
 */
export interface Block {
  /** Blocks of the same kind have no blank line between them: tool calls stay together. */
  readonly kind: string
  readonly done: boolean
  settle(width: number): string[]
  live(width: number): string[]
  /** Nothing more will come: what is live becomes final as it is. */
  finish(): void
}

/** A block that is complete from the start. */
export function finished(kind: string, lines: (width: number) => string[]): Block {
  let given = false
  return {
    kind,
    get done() {
      return given
    },
    settle(width) {
      if (given) return []
      given = true
      return lines(width)
    },
    // After something that is still running it cannot settle, but it can still be read.
    live: (width) => (given ? [] : lines(width)),
    finish: () => undefined,
  }
}

export interface FoldedItem {
  title: string
  text: string
}

export interface FoldedTexts {
  /** The key that shows the page. */
  readonly key: string
  add(title: string, text: string): void
  /** Oldest first. */
  readonly items: readonly FoldedItem[]
}

const MOST_ITEMS = 200
const MOST_CHARACTERS = 2_000_000

/** What was folded on the screen, in full, for the page that unfolds it: the scrollback can no longer be changed. */
export function makeFolded(key: string): FoldedTexts {
  const items: FoldedItem[] = []
  let characters = 0
  return {
    key,
    add(title, text) {
      // A round that is drawn again folds the same texts again.
      const known = items.findIndex((item) => item.title === title && item.text === text)
      if (known !== -1) characters -= items.splice(known, 1)[0]?.text.length ?? 0
      items.push({ title, text })
      characters += text.length
      while (items.length > 1 && (items.length > MOST_ITEMS || characters > MOST_CHARACTERS)) {
        characters -= items.shift()?.text.length ?? 0
      }
    },
    get items() {
      return items
    },
  }
}

/** Plain text of a session as lines, safe to show. */
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
