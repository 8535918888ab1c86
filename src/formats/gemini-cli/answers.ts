// The results of an answer's calls. Gemini CLI writes them twice, beside the calls and as a user message; here they are one row.
import type { Row } from "../../history/tree/tree.ts"
import { isObject, type Json } from "../../model/json.ts"
import { listField, numberField } from "../shared/json-line.ts"

/** An answer, and which of its calls have results in which row. */
export interface Answer {
  row: Row
  /** By call. */
  covered: Map<string, Row>
  /** By row: of how many calls. */
  sizes: Map<Row, number>
}

export function newAnswer(row: Row): Answer {
  return { row, covered: new Map(), sizes: new Map() }
}

/** Records that the results of these calls are in that row. */
export function cover(answer: Answer, calls: readonly string[], row: Row): void {
  for (const call of calls) {
    if (answer.covered.has(call)) continue
    answer.covered.set(call, row)
    answer.sizes.set(row, (answer.sizes.get(row) ?? 0) + 1)
  }
}

/** The row that already has some of these results, if any, and whether these include everything it has. */
export function rowOfResults(answer: Answer, calls: readonly string[]): { row: Row; whole: boolean } | undefined {
  const row = calls.map((call) => answer.covered.get(call)).find((known) => known !== undefined)
  if (row === undefined) return undefined
  const here = new Set(calls.filter((call) => answer.covered.get(call) === row))
  return { row, whole: here.size === answer.sizes.get(row) }
}

export function answerState(answer: Answer | undefined): Json {
  return answer === undefined ? null : { row: answer.row, covered: [...answer.covered] }
}

export function readAnswer(state: Json | undefined): Answer | undefined {
  const row = numberField(state, "row")
  if (row === undefined || !isObject(state)) return undefined
  const answer = newAnswer(row)
  for (const pair of listField(state, "covered")) {
    if (Array.isArray(pair) && typeof pair[0] === "string" && typeof pair[1] === "number") {
      cover(answer, [pair[0]], pair[1])
    }
  }
  return answer
}
