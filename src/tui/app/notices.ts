// Speaks to the person: in the conversation, and on the line under the editor.
import { failureOf } from "../../model/failure/system-failure.ts"
import { type Block, finished, type NoticeLevel, noticeBlock } from "../conversation/block.ts"
import type { Theme } from "../terminal/theme.ts"
import { refusal } from "../words/refusal.ts"

export interface Notices {
  /** Under the editor, until the next key, or for `forMs`. */
  hint(text: string | undefined, forMs?: number): void
  say(level: NoticeLevel, text: string, hint?: string): void
  print(lines: (width: number) => string[]): void
  fail(error: unknown): void
}

export interface NoticesDeps {
  theme: Theme
  /** Adds to the end of the conversation. */
  add: (block: Block) => void
  redraw: () => void
}

export function makeNotices({ theme, add, redraw }: NoticesDeps): { notices: Notices; hint: () => string | undefined } {
  let shown: string | undefined
  let ends: NodeJS.Timeout | undefined
  const notices: Notices = {
    hint(text, forMs) {
      clearTimeout(ends)
      if (text !== undefined && forMs !== undefined) ends = setTimeout(() => notices.hint(undefined), forMs).unref()
      if (shown === text) return
      shown = text
      redraw()
    },
    say(level, text, hint) {
      add(noticeBlock(theme, level, text, hint))
      redraw()
    },
    print(lines) {
      add(finished("page", lines))
      redraw()
    },
    fail(error) {
      const failure = failureOf(error)
      if (failure !== undefined) {
        const { message, hint } = refusal(failure)
        notices.say("error", message, hint)
      } else notices.say("error", error instanceof Error ? error.message : String(error))
    },
  }
  return { notices, hint: () => shown }
}
