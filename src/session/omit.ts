// Going on without what a provider refuses: a record on the path says so, and the same records give the same context.

import { hasMedia, type LeftOut } from "../history/context/left-out.ts"
import { isOnPath } from "../history/tree/path.ts"
import { RetconError } from "../model/failure/failure.ts"
import type { EntryId } from "../model/id.ts"
import { LEFT_OUT_KEY } from "../model/record/record.ts"
import type { Session } from "./session.ts"

export interface Omitted {
  entry: EntryId
  parts: LeftOut
}

/** Leaves out the images and files of a message on the path; of one that has none, its text. */
export async function omit(session: Session, name: string): Promise<Omitted> {
  const entry = session.resolve(name)
  const { history } = session
  const row = history.rowOf(entry)
  const record = history.record(row)
  if (record?.type !== "message" || !isOnPath(history, row, session.headRow)) {
    const hint = "Name a message of the path, as retcon show lists them."
    throw new RetconError({ code: "invalid", problem: `${name} is not a message that the model sees.`, hint })
  }
  const parts: LeftOut = hasMedia(record.content) ? "media" : "all"
  await session.append({ type: "state", key: LEFT_OUT_KEY, value: { entry, parts } }, { durable: true })
  return { entry, parts }
}
