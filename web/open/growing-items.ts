// The items of one path after another: what two paths share is computed once, because a path may have 50,000 items.
import { commonAncestor, type History, NONE, type Row } from "../../src/history/tree/tree.ts"
import { type ItemsBefore, itemsOf, type ShownItem } from "./items.ts"

export class GrowingItems {
  #items: ShownItem[] = []
  #head: Row = NONE
  #opened: ReadonlySet<Row> = new Set()
  #generation = -1

  /** Like `itemsOf`. Contract: `opened` is a different set if its content changed. */
  of(tree: History, head: Row, opened: ReadonlySet<Row>): readonly ShownItem[] {
    const isKnown = opened === this.#opened && tree.generation === this.#generation
    const before = isKnown ? this.#shared(tree, head) : undefined
    this.#items = itemsOf(tree, head, (row) => opened.has(row), before)
    this.#head = head
    this.#opened = opened
    this.#generation = tree.generation
    return this.#items
  }

  /** Up to the last prompt that both paths have: no round before it can grow. */
  #shared(tree: History, head: Row): ItemsBefore | undefined {
    if (this.#head === NONE || head === NONE) return undefined
    const common = commonAncestor(tree, this.#head, head)
    const at = this.#items.findLastIndex(({ kind, row }) => kind === "prompt" && row <= common)
    const prompt = this.#items[at]
    return prompt && at > 0 ? { items: this.#items.slice(0, at), after: tree.parent(prompt.row) } : undefined
  }
}
