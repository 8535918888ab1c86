// A virtual list: where its cursor is and which part is on the screen. A key costs the same at every size.

/** `at`: the row the cursor is on. `top`: the first row on the screen. */
export interface ListState {
  at: number
  top: number
}

export const LIST_START: ListState = { at: 0, top: 0 }

/** Moves the cursor; undefined for a key that lists do not handle. */
export function moveList(state: ListState, key: string, size: number, height: number): ListState | undefined {
  const to = target(state.at, key, size, Math.max(1, height))
  return to === undefined ? undefined : fitList({ at: to, top: state.top }, size, height)
}

function target(at: number, key: string, size: number, height: number): number | undefined {
  switch (key) {
    case "up":
    case "ctrl+p":
      return at - 1
    case "down":
    case "ctrl+n":
      return at + 1
    case "pageUp":
      return at - Math.max(1, height - 1)
    case "pageDown":
      return at + Math.max(1, height - 1)
    case "home":
      return 0
    case "end":
      return size - 1
    default:
      return undefined
  }
}

/** The same list on a screen of this height: the cursor is on an existing row, and visible. */
export function fitList(state: ListState, size: number, height: number): ListState {
  const room = Math.max(1, height)
  const at = Math.max(0, Math.min(state.at, size - 1))
  const top = Math.max(0, Math.min(state.top, size - room))
  if (at < top) return { at, top: at }
  return { at, top: at >= top + room ? at - room + 1 : top }
}

/** The rows on the screen. */
export function visibleRows(state: ListState, size: number, height: number): number[] {
  const rows: number[] = []
  for (let row = state.top; row < Math.min(size, state.top + height); row++) rows.push(row)
  return rows
}
