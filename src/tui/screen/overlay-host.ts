// What an overlay is, and what shows one: a list or a page that takes the whole screen until it has a result.
import type { KeyPress } from "../terminal/keys.ts"
import type { Theme } from "../terminal/theme.ts"

/**
 * Contract: `render` returns at most `height` lines of at most `width` columns, without control characters except the
 * theme's own styles. It is called for every frame: it must not cost more than what is visible.
 */
export interface Overlay {
  render(width: number, height: number): string[]
  key(key: KeyPress): void
  /** Called once, when it leaves the screen, including when the program ends. */
  close?(): void
}

/** What an overlay gets when it is created. */
export interface OverlayHandle<Result> {
  theme: Theme
  /** Removes the overlay. The first call wins. */
  done(result: Result): void
  /** Draws again: something changed without a key. */
  redraw: () => void
  /** Milliseconds since 1970, for ages. */
  now: () => number
  /** For measuring how long something takes. */
  elapsed: () => number
}

/**
 * Contract: resolves with the argument of `done`; `undefined` if the program ends first. A second overlay covers the
 * first, which comes back when the second is done.
 */
export interface OverlayHost {
  showOverlay<Result>(make: (handle: OverlayHandle<Result>) => Overlay): Promise<Result | undefined>
}
