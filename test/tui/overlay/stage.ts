// A place to try overlays: keys in, lines out, one above the other as on a screen.
import { expect, onTestFinished } from "vitest"
import { widthOf } from "../../../src/model/text/sanitise.ts"
import type { Overlay, OverlayHandle, OverlayHost } from "../../../src/tui/screen/overlay-host.ts"
import { keyPress } from "../../../src/tui/terminal/keys.ts"
import { makeTheme } from "../../../src/tui/terminal/theme.ts"

const DATA: Readonly<Record<string, string>> = {
  up: "\x1b[A",
  down: "\x1b[B",
  right: "\x1b[C",
  left: "\x1b[D",
  pageUp: "\x1b[5~",
  pageDown: "\x1b[6~",
  home: "\x1b[H",
  end: "\x1b[F",
  escape: "\x1b",
  enter: "\r",
  tab: "\t",
  backspace: "\x7f",
  "ctrl+u": "\x15",
}

export interface Stage extends OverlayHost {
  /** Names of keys; any other text is typed. */
  press(...keys: string[]): void
  screen(width?: number, height?: number): string
  lines(width?: number, height?: number): string[]
  readonly depth: number
  now: number
}

export function makeStage(options: { colours?: boolean; now?: number } = {}): Stage {
  const shown: Overlay[] = []
  const theme = makeTheme({ colours: options.colours === true })
  onTestFinished(() => {
    for (const overlay of shown) overlay.close?.()
  })
  const stage: Stage = {
    now: options.now ?? 0,
    get depth() {
      return shown.length
    },
    showOverlay<Result>(make: (handle: OverlayHandle<Result>) => Overlay) {
      return new Promise<Result | undefined>((settle) => {
        const done = (result: Result) => {
          const at = shown.indexOf(overlay)
          if (at === -1) return
          shown.splice(at, 1)
          overlay.close?.()
          settle(result)
        }
        const overlay = make({ theme, done, redraw: () => undefined, now: () => stage.now, elapsed: () => stage.now })
        shown.push(overlay)
      })
    },
    press(...keys) {
      for (const key of keys) {
        const datas = DATA[key] === undefined ? Array.from(key) : [DATA[key]]
        for (const data of datas) {
          const press = keyPress(data)
          if (press !== undefined) shown.at(-1)?.key(press)
        }
      }
    },
    lines: (width = 80, height = 20) => shown.at(-1)?.render(width, height) ?? [],
    screen(width = 80, height = 20) {
      const lines = stage.lines(width, height).map((line) => line.trimEnd())
      return `\n${lines.join("\n")}\n`
    },
  }
  return stage
}

/** Escape sequences, control characters, other directions, wide and joined characters, line ends. */
export const HOSTILE =
  "\u001b]0;title\u0007\u001b]52;c;eA==\u0007 \u001b[2J日本語 \u202e 👩‍👩‍👧‍👦 \u009b31m\r\n\t\u001b]8;;http://x\u001b\\link \u2066 e\u0301"

const STYLES = new RegExp(`${String.fromCharCode(27)}\\[[0-9]{1,2}m`, "g")

/** Nothing but the theme's own styles, and nothing wider or higher than the screen. */
export function expectContained(stage: Stage): void {
  for (const width of [20, 60, 80, 120]) {
    const lines = stage.lines(width, 14)
    expect(lines.length).toBeLessThanOrEqual(14)
    for (const line of lines) {
      const plain = line.replace(STYLES, "")
      expect(plain).not.toMatch(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/u)
      expect(widthOf(plain)).toBeLessThanOrEqual(width)
    }
  }
}
