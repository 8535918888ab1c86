// Draws a tree: at once if it is short, in a worker if it would take longer than a frame.
import type { History, Row } from "../../src/history/tree/tree.ts"
import { type Drawing, type DrawRequest, draw } from "./draw.ts"
import { packRows } from "./packed-tree.ts"
import type { WorkerAnswer, WorkerRequest } from "./tree-worker.ts"

const SHORT = 4_000
/** Rows to pack before yielding. */
const SLICE = 20_000

export class TreeDrawer {
  readonly #history: History
  readonly #tell: (drawing: Drawing) => void
  #worker: Worker | undefined
  #generation = 0
  #sent: Row = 0
  #asked = 0

  constructor(history: History, tell: (drawing: Drawing) => void) {
    this.#history = history
    this.#tell = tell
  }

  /** Contract: calls `tell` with the drawing, unless another one was requested meanwhile. */
  async draw(request: DrawRequest): Promise<void> {
    const asked = ++this.#asked
    const history = this.#history
    if (history.size <= SHORT) {
      this.#tell(draw(history, request))
      return
    }
    if (this.#worker === undefined || this.#generation !== history.generation) this.#start()
    while (history.size - this.#sent > SLICE) {
      this.#send({ rows: this.#pack(this.#sent + SLICE) })
      await new Promise((done) => setTimeout(done))
      if (asked !== this.#asked) return
    }
    this.#send({ rows: this.#pack(history.size), draw: { ...request, asked } })
  }

  close(): void {
    this.#asked++
    this.#worker?.terminate()
    this.#worker = undefined
  }

  #send(request: WorkerRequest): void {
    this.#worker?.postMessage(request)
  }

  #pack(to: Row): Uint32Array {
    const rows = packRows(this.#history, this.#sent, to)
    this.#sent = to
    return rows
  }

  #start(): void {
    this.#worker?.terminate()
    this.#generation = this.#history.generation
    this.#sent = 0
    this.#worker = new Worker(new URL("./tree-worker.ts", import.meta.url), { type: "module" })
    this.#worker.addEventListener("message", ({ data }: MessageEvent<WorkerAnswer>) => {
      if (data.asked === this.#asked) this.#tell(data)
    })
  }
}
