// The rounds on the path, and those that a Backtrack left behind: what the person said in each, and which files changed.
import { askedPrompts, steeringOf } from "../../history/tree/asked.ts"
import type { History, Row } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import { plainText } from "../../model/record/record.ts"
import type { RoundAnswer } from "../../protocol/host.ts"
import type { Session } from "../../session/session.ts"

export function roundsOf({ files, history, headRow }: Session, { limit }: { limit?: number }): RoundAnswer[] {
  const steering = steeringOf(history, askedPrompts(history, headRow, limit))
  return files.rounds(limit === undefined ? {} : { last: limit }).map(({ prompt, passed, changes }) => {
    const row = history.rowOf(prompt)
    const steer = (steering.get(row) ?? []).map((each) => said(history, each, { entry: history.id(each) as EntryId }))
    const known = { prompt, row, round: history.round(row), files: changes, steer, ...(passed && { passed }) }
    return said(history, row, known)
  })
}

/** Texts are read on access: a long session has thousands. */
function said<Known extends object>(history: History, row: Row, known: Known): Known & { text: string; at: string } {
  let read: { text: string; at: string } | undefined
  const words = () => (read ??= wordsOf(history, row))
  return {
    ...known,
    get text() {
      return words().text
    },
    get at() {
      return words().at
    },
  }
}

function wordsOf(history: History, row: Row): { text: string; at: string } {
  const record = history.record(row)
  if (record?.type !== "message") throw new RetconError({ code: "not-found", what: "entry", name: history.id(row) })
  return { text: record.display ?? plainText(record.content), at: record.at }
}
