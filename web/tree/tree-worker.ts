// The worker that draws the graph of a long tree.
import { type Drawing, type DrawRequest, draw } from "./draw.ts"
import { PackedTree } from "./packed-tree.ts"

/** The rows since the last request and, with the last of them, what to draw. */
export interface WorkerRequest {
  rows: Uint32Array
  draw?: DrawRequest & { asked: number }
}

export interface WorkerAnswer extends Drawing {
  asked: number
}

const tree = new PackedTree()

addEventListener("message", ({ data }: MessageEvent<WorkerRequest>) => {
  tree.add(data.rows)
  if (data.draw === undefined) return
  const answer: WorkerAnswer = { asked: data.draw.asked, ...draw(tree, data.draw) }
  postMessage(answer)
})
