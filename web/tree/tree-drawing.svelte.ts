// The tree's drawing on the screen, with what the person has folded, zoomed and selected.
import type { Row } from "../../src/history/tree/tree.ts"
import { NONE } from "../../src/history/tree/tree.ts"
import type { PageSession } from "../open/page-session.svelte.ts"
import type { Drawing } from "./draw.ts"
import { TreeDrawer } from "./drawer.ts"

const STEP = 1_500
export const HEIGHTS = [22, 30, 44] as const
/** The height of a line on which only one branch leaves another. */
export const JOIN = 16

export class TreeDrawing {
  readonly open: PageSession
  show = $state<"path" | "all">("all")
  limit = $state(STEP)
  zoom = $state(1)
  folded = $state.raw<ReadonlySet<Row>>(new Set())
  drawing = $state.raw<Drawing>({ lines: [], lanes: 1 })
  readonly #drawer: TreeDrawer

  readonly height = $derived(HEIGHTS[this.zoom] ?? 30)

  constructor(open: PageSession) {
    this.open = open
    this.#drawer = new TreeDrawer(open.session.history, (drawing) => {
      this.drawing = drawing
    })
  }

  close(): void {
    this.#drawer.close()
  }

  /** Contract: in an effect, runs again when the session, or what the person has folded, changes. */
  redraw(): void {
    const { open, show, limit, folded } = this
    void open.version
    const { history } = open.session
    // A line that starts with a prompt already shows the prompt's label.
    const stops = [...open.labels.keys()]
      .map((id) => history.rowOf(id))
      .filter((row) => row !== NONE && !history.isPrompt(row))
    void this.#drawer.draw({ head: open.head, show, limit, stops, folded: [...folded] })
  }

  more(): void {
    this.limit += STEP
  }

  toggle(first: Row): void {
    const folded = new Set(this.folded)
    if (!folded.delete(first)) folded.add(first)
    this.folded = folded
  }
}
