// Rows of retcon's own in a session of Claude Code: a system row that marks where a move goes. It becomes a move only by the
// checkpoint behind it that names it; until then whatever hangs under it hangs under what it marks.
import { NONE, type Row } from "../../history/tree/tree.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import { textOf } from "../ids.ts"
import { rowIn } from "./head.ts"
import { wordsOf } from "./line-facts.ts"

/** Each is what a crash between two lines left: there are hardly ever any. */
const MOST = 64

export class Markers {
  readonly #targets = new Map<string, Row>()

  constructor(state: Json | undefined) {
    if (isObject(state)) for (const [id, row] of Object.entries(state)) this.#targets.set(id, rowIn(row))
  }

  state(): JsonObject {
    return Object.fromEntries(this.#targets)
  }

  /** Whether the line is a marker; it has no row of its own then. */
  take(line: JsonObject, rowOf: (uuid: string) => Row): boolean {
    if (line.type !== "system" || !isObject(line.retcon) || typeof line.uuid !== "string") return false
    const target = typeof line.parentUuid === "string" ? rowOf(line.parentUuid) : NONE
    if (target === NONE || this.#targets.size >= MOST) return false
    this.#targets.set(textOf(wordsOf(line.uuid)), target)
    return true
  }

  /** NONE when it is no marker. */
  targetOf(words: Uint32Array): Row {
    return this.#targets.size === 0 ? NONE : (this.#targets.get(textOf(words)) ?? NONE)
  }

  /** The move has a row of its own now. */
  done(uuid: string): void {
    this.#targets.delete(textOf(wordsOf(uuid)))
  }
}
