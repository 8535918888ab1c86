// A line as text, piece by piece: an unreadable line may be longer than a string can be.
import { StringDecoder } from "node:string_decoder"
import type { Row } from "../history/tree/tree.ts"
import type { SessionLog } from "./port.ts"

const PIECE = 1024 * 1024

/** Contract: never splits a character. */
export function* lineTexts(log: Pick<SessionLog, "line">, row: Row): Generator<string> {
  const decoder = new StringDecoder("utf8")
  for (let from = 0; ; from += PIECE) {
    const bytes = log.line(row, { from, to: from + PIECE })
    if (bytes.length > 0) yield decoder.write(Buffer.from(bytes))
    if (bytes.length < PIECE) break
  }
  yield decoder.end()
}
