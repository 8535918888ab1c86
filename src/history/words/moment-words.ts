// Which state of the files a name means, in words.
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { resolveEntry } from "../plan/resolve.ts"
import { isSaid } from "../tree/person-words.ts"
import type { History, Row } from "../tree/tree.ts"

/** "before @2" for what the person said, "at head" for any other entry: as files are restored. */
export function momentWords(history: History, head: Row, name: string): string {
  const found = resolveEntry(history, head, name)
  return `${found.ok && isSaid(history, found.row) ? "before" : "at"} ${sanitiseLine(name)}`
}
