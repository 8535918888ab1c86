// Puts into words which state of the files a name means.
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { resolveEntry } from "../plan/resolve.ts"
import { isSaid } from "../tree/person-words.ts"
import type { History, Row } from "../tree/tree.ts"

/** "before @2" for something the person said, "at head" for any other entry: the state that a restore would go to. */
export function momentWords(history: History, head: Row, name: string): string {
  const found = resolveEntry(history, head, name)
  return `${found.ok && isSaid(history, found.row) ? "before" : "at"} ${sanitiseLine(name)}`
}
