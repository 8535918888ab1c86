// What each answer of a Kimi CLI session took, from the `_usage` lines around it: one before it counts what was sent, one after
// it the answer too. Versions that write only the latter do not say how much of it is the answer: then all counts as sent.
import { NONE, type Row } from "../../history/tree/tree.ts"
import type { Json } from "../../model/json.ts"
import type { Usage } from "../../model/record/record.ts"

export class UsageLines {
  /** For each answer, the tokens sent and the sum; NONE if there is no such line. */
  readonly #counts: Map<Row, [sent: number, sum: number]>
  /** The count before the next line, and the answer that the last line was. */
  #before = NONE
  #answer: Row = NONE

  constructor(state: Json | undefined) {
    const known = Array.isArray(state) ? state.filter((each) => Array.isArray(each)) : []
    this.#counts = new Map(known.map(([row, sent, sum]) => [Number(row), [Number(sent), Number(sum)]]))
  }

  state(): Json {
    return [...this.#counts].map(([row, [sent, sum]]) => [row, sent, sum])
  }

  count(tokens: number | undefined): void {
    if (tokens === undefined) return
    const counts = this.#counts.get(this.#answer)
    if (counts === undefined) this.#before = tokens
    else counts[1] = tokens
  }

  /** Another line was read. `answer`: its row if it is an answer. */
  passed(answer: Row): void {
    if (answer !== NONE && !this.#counts.has(answer)) this.#counts.set(answer, [this.#before, NONE])
    this.#answer = answer
    this.#before = NONE
  }

  of(row: Row): Usage | undefined {
    const [sent = NONE, sum = NONE] = this.#counts.get(row) ?? []
    if (sent !== NONE) return sum < sent ? { input: sent } : { input: sent, output: sum - sent }
    return sum === NONE ? undefined : { input: sum }
  }
}
