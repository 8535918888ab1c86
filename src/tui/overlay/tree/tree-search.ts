// Search in all entries of the tree, newest first.
import { entries } from "../../../history/tree/path.ts"
import type { History, Row } from "../../../history/tree/tree.ts"
import { entryText } from "../../../model/record/entry-text.ts"
import type { Part } from "../../../model/record/part.ts"
import { inputWords } from "../../../model/record/tool-words.ts"
import { makeSearchList, type SearchList } from "../list/search-list.ts"

export interface TreeSearch {
  list: SearchList
  rowAt: (index: number) => Row
}

/** Contract: searches the entries that exist now. */
export function searchTree(history: History, labels: ReadonlyMap<Row, string>, now: () => number): TreeSearch {
  const rows = Uint32Array.from(entries(history)).reverse()
  const rowAt = (index: number) => rows[index] as Row
  const textOf = (index: number) => `${labels.get(rowAt(index)) ?? ""} ${wordsOf(history, rowAt(index))}`
  return { rowAt, list: makeSearchList({ size: rows.length, textOf, now }) }
}

function wordsOf(history: History, row: Row): string {
  const record = history.record(row)
  if (record === undefined) return ""
  const calls = record.type === "message" ? record.content.map(callWords).join(" ") : ""
  return `${history.id(row).slice(-6)} ${entryText(record) ?? ""} ${calls}`
}

function callWords(part: Part): string {
  return part.type === "tool-call" ? `${part.name} ${inputWords(part.input)}` : ""
}
