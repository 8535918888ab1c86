// What a drawing needs to know about a tree, as plain numbers to send to a worker: new rows only, because rows never change.
import type { GraphTree } from "../../src/history/graph/graph.ts"
import type { Row } from "../../src/history/tree/tree.ts"

const WORDS = 4
const PROMPT = 1 << 16

export function packRows(tree: GraphTree, from: Row, to: Row): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array((to - from) * WORDS)
  for (let row = from; row < to; row++) {
    const at = (row - from) * WORDS
    words[at] = tree.parent(row)
    words[at + 1] = tree.kind(row) | (tree.role(row) << 8) | (tree.isPrompt(row) ? PROMPT : 0)
    words[at + 2] = tree.round(row)
    words[at + 3] = tree.depth(row)
  }
  return words
}

export class PackedTree implements GraphTree {
  size = 0
  #words = new Uint32Array(1024 * WORDS)

  /** Contract: rows are added in order. */
  add(words: Uint32Array): void {
    const end = this.size * WORDS + words.length
    if (end > this.#words.length) {
      const larger = new Uint32Array(end * 2)
      larger.set(this.#words)
      this.#words = larger
    }
    this.#words.set(words, this.size * WORDS)
    this.size += words.length / WORDS
  }

  parent(row: Row): Row {
    return this.#words[row * WORDS] as number
  }

  kind(row: Row): number {
    return (this.#words[row * WORDS + 1] as number) & 255
  }

  role(row: Row): number {
    return ((this.#words[row * WORDS + 1] as number) >>> 8) & 255
  }

  isPrompt(row: Row): boolean {
    return ((this.#words[row * WORDS + 1] as number) & PROMPT) !== 0
  }

  round(row: Row): number {
    return this.#words[row * WORDS + 2] ?? 0
  }

  depth(row: Row): number {
    return this.#words[row * WORDS + 3] ?? 0
  }
}
