// The keys that scroll a text longer than the screen.

/** The first line on the screen after a key, with `room` lines; it may be outside the text. Undefined: another key. */
export function scrolled(top: number, key: string, room: number, size: number): number | undefined {
  const page = Math.max(1, room - 1)
  switch (key) {
    case "up":
      return top - 1
    case "down":
      return top + 1
    case "pageUp":
      return top - page
    case "pageDown":
    case "space":
      return top + page
    case "home":
      return 0
    case "end":
      return size
    default:
      return undefined
  }
}
