// Shows what is taking a while, and how to stop it. After half a second, so that nothing flickers.
import { clip, sanitiseLine } from "../../model/text/sanitise.ts"
import type { Theme } from "../terminal/theme.ts"
import { short } from "./status-line.ts"

export interface ProgressLine {
  /** Contract: `stop` is called at most once, by Esc. */
  during<Answer>(what: string, work: Promise<Answer>, stop?: () => void): Promise<Answer>
  /** What the agent's turn is doing. */
  turn(what: string | undefined): void
  /** How many tokens the model has written in this turn, as far as known. */
  wrote(tokens: number): void
  line(width: number): string | undefined
  /** Stops what can be stopped; false if there is nothing. */
  stop(): boolean
  close(): void
}

interface Running {
  what: string
  since: number
  stop: (() => void) | undefined
}

const SHOWN_AFTER = 500
const TICK = 120
const FRAMES = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

export function makeProgress(parts: { theme: Theme; now: () => number; redraw: () => void }): ProgressLine {
  const { theme, now } = parts
  const running: Running[] = []
  let turn: Running | undefined
  let tokens = 0
  let timer: NodeJS.Timeout | undefined

  function tick(): void {
    const wanted = turn !== undefined || running.length > 0
    if (wanted && timer === undefined) timer = setInterval(parts.redraw, TICK)
    if (!wanted && timer !== undefined) {
      clearInterval(timer)
      timer = undefined
    }
    parts.redraw()
  }

  return {
    async during(what, work, stop) {
      const own: Running = { what, since: now(), stop }
      running.push(own)
      tick()
      try {
        return await work
      } finally {
        running.splice(running.indexOf(own), 1)
        tick()
      }
    },
    turn(what) {
      if (turn === undefined) tokens = 0
      if (what === undefined) turn = undefined
      else turn = { what, since: turn?.since ?? now(), stop: undefined }
      tick()
    },
    wrote(count) {
      tokens = count
    },
    line(width) {
      const shown = running.findLast(({ since }) => now() - since >= SHOWN_AFTER) ?? turn
      if (shown === undefined) return undefined
      const past = now() - shown.since
      const frame = FRAMES[Math.floor(past / TICK) % FRAMES.length] ?? ""
      const seconds = past >= 2000 ? ` ${Math.floor(past / 1000)} s` : ""
      const written = shown === turn && tokens > 0 ? ` · ↓ ${short(tokens)} tokens` : ""
      const hint = shown === turn || shown.stop !== undefined ? " · esc stops" : ""
      const text = clip(
        sanitiseLine(shown.what),
        Math.max(4, width - 2 - seconds.length - written.length - hint.length),
      )
      return `${theme.key(frame)} ${text}${theme.quiet(seconds + written + hint)}`
    },
    stop() {
      const last = running.findLast(({ stop }) => stop !== undefined)
      if (last === undefined) return false
      last.stop?.()
      last.stop = undefined
      return true
    },
    close() {
      if (timer !== undefined) clearInterval(timer)
      timer = undefined
    },
  }
}
