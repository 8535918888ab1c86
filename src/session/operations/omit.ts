// Continues without what a provider refuses: a record on the path says so, so that the same records give the same
// context. It comes with an operation, so that it is undone by itself and not with the round before it.
import { hasMedia, type LeftOut } from "../../history/context/left-out.ts"
import { entryId, isOnPath, type Row } from "../../history/tree/tree.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import type { StateRecord } from "../../model/record/record.ts"
import { LEFT_OUT_KEY } from "../../model/record/state-key.ts"
import { busy, noticeAll, type OpenSession, recordMove } from "../state/open-session.ts"

export interface Omitted {
  entry: EntryId
  parts: LeftOut
}

/**
 * Leaves out the images and files of a message on the path, or its text if it has none. `name`: as the person wrote it.
 */
export async function omit(session: OpenSession, row: Row, name: string): Promise<Omitted> {
  noticeAll(session)
  const failure = busy(session)
  if (failure !== undefined) throw new RetconError(failure)
  const { history, head } = session
  const record = history.record(row)
  if (record?.type !== "message" || !isOnPath(history, row, head)) {
    const advice = ["Name one of the messages that it sees: ", { do: "show" }] as const
    throw new RetconError({ code: "invalid", problem: `${name} is not a message that the model sees.`, advice })
  }
  const parts: LeftOut = hasMedia(record.content) ? "media" : "all"
  const state: StateRecord = {
    id: session.ids.entry(),
    type: "state",
    parent: entryId(history, head),
    at: session.now(),
    key: LEFT_OUT_KEY,
    value: { entry: record.id, parts },
  }
  await recordMove(session, { kind: "omit", from: head }, state.id, "person", [state])
  return { entry: record.id, parts }
}
