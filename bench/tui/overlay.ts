// A key press in a list of 100,000, against the same screen over a short one.

import type { WorkSession } from "../../src/protocol/host.ts"
import { makeSearchList } from "../../src/tui/overlay/list/search-list.ts"
import { openTree } from "../../src/tui/overlay/tree/tree.ts"
import type { Overlay, OverlayHost } from "../../src/tui/screen/overlay-host.ts"
import type { KeyPress } from "../../src/tui/terminal/keys.ts"
import { makeTheme } from "../../src/tui/terminal/theme.ts"
import type { Figure } from "../figure.ts"
import { longHistory } from "./long-history.ts"

export type OverlayFigure = Omit<Figure, "data">

/** The milliseconds of a frame. */
const FRAME = 33
const [WIDTH, HEIGHT] = [120, 40]
const PRESSES = 100
const KEYS = ["down", "down", "down", "pageDown", "up"]

export function overlayFigures(entries = 100_000): OverlayFigure[] {
  // As many as the key presses below scroll through, so that both draw each row once.
  const few = Math.min(entries, 1_000)
  const rounds = Math.min(entries, 10_000)
  const list = compared(
    () => pressList(entries),
    () => pressList(few),
  )
  const tree = compared(
    () => pressTree(entries, []),
    () => pressTree(rounds, []),
  )
  const all = compared(
    () => pressTree(entries, ["tab"]),
    () => pressTree(few, ["tab"]),
  )
  const search = compared(
    () => slowSlice(entries),
    () => slowSlice(few),
  )
  const opening = compared(
    () => openingTree(entries),
    () => onePass(entries),
  )
  return [
    { figure: "key in a search list", ...inMicroseconds(list), limit: 2 },
    { figure: "key to frame in the tree, rounds", ...inMicroseconds(tree), limit: 2 },
    { figure: "key to frame in the tree, all entries", ...inMicroseconds(all), limit: 2 },
    { figure: "slice of a search at p95: what a key waits for", ...search, unit: "ms", under: FRAME },
    { figure: "opening the tree; floor: a pass over its rows", ...opening, unit: "ms", under: FRAME },
  ]
}

interface Compared {
  ours: number
  floor: number
}

/** In milliseconds. The best of three, measured alternately, so that a busy machine slows down both. */
function compared(measure: () => number, floorOf: () => number): Compared {
  let [ours, floor] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY]
  for (let i = 0; i < 3; i++) {
    floor = Math.min(floor, floorOf())
    ours = Math.min(ours, measure())
  }
  return { ours, floor }
}

function inMicroseconds({ ours, floor }: Compared): Compared & { unit: "µs" } {
  return { ours: ours * 1000, floor: floor * 1000, unit: "µs" }
}

const key = (name: string): KeyPress => ({ name, text: name.length === 1 ? name : undefined, data: name })
const now = () => performance.now()

/** Too short to time one by one. */
function pressList(size: number): number {
  const list = makeSearchList({ size, textOf: (row) => `row ${row}`, now })
  const presses = 20_000
  const all = timed(() => {
    for (let i = 0; i < presses; i++) {
      list.key(key(i % 1_000 === 0 ? "home" : (KEYS[i % KEYS.length] ?? "down")))
      list.visible(HEIGHT)
    }
  })
  return all / presses
}

function pressTree(entries: number, before: readonly string[]): number {
  const overlay = openedTree(entries)
  for (const name of before) overlay.key(key(name))
  overlay.render(WIDTH, HEIGHT)
  const taken = median(
    () => overlay.render(WIDTH, HEIGHT),
    (name) => overlay.key(key(name)),
  )
  overlay.close?.()
  return taken
}

/** The median time of a key and the frame after it. */
function median(render: () => void, press: (name: string) => void): number {
  const times: number[] = []
  for (let i = 0; i < PRESSES; i++) {
    const start = now()
    press(KEYS[i % KEYS.length] ?? "down")
    render()
    times.push(now() - start)
  }
  return times.sort((a, b) => a - b)[PRESSES / 2] ?? 0
}

/** Keys are read between two slices, so a key waits as long as the slowest one. */
function slowSlice(entries: number): number {
  const history = longHistory(entries)
  const textOf = (row: number) => {
    const record = history.record(row)
    return record?.type === "message" ? JSON.stringify(record.content) : ""
  }
  const list = makeSearchList({ size: entries, textOf, now })
  const times = [timed(() => list.key(key("9")))]
  while (list.searching) times.push(timed(() => list.work()))
  return times.sort((a, b) => a - b)[Math.floor(times.length * 0.95)] ?? 0
}

function openingTree(entries: number): number {
  const history = longHistory(entries)
  return timed(() => openedTree(entries, history).render(WIDTH, HEIGHT))
}

function onePass(entries: number): number {
  const history = longHistory(entries)
  return timed(() => {
    for (let row = 0; row < history.size; row++) history.parent(row)
  })
}

function timed(work: () => void): number {
  const start = now()
  work()
  return now() - start
}

function openedTree(entries: number, history = longHistory(entries)): Overlay {
  const session = { history, head: history.head, labels: () => new Map(), on: () => () => undefined }
  let overlay: Overlay | undefined
  const host: OverlayHost = {
    showOverlay(make) {
      const theme = makeTheme({ colours: true })
      overlay = make({ theme, done: () => undefined, redraw: () => undefined, now, elapsed: now })
      return new Promise(() => undefined)
    },
  }
  void openTree(host, session as unknown as WorkSession)
  if (overlay === undefined) throw new Error("the tree was not shown")
  return overlay
}
