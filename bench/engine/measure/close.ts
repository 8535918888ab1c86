// Closing a session with a hundred thousand branches, after appending one message. Floor: the same with ten branches.
import type { SessionId } from "../../../src/model/id.ts"
import { openSession } from "../../../src/session/session.ts"
import { promptDraft } from "../../../src/session/state/draft.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Repeats, timedAsync } from "../../timing.ts"

export interface CloseGiven extends Repeats {
  home: string
  many: string
  few: string
}

const { home, many, few, ...repeats } = given() as CloseGiven
const store = fileStore({ home })
answer(
  await interleave(
    () => timeClose(few as SessionId),
    () => timeClose(many as SessionId),
    repeats,
  ),
)

async function timeClose(id: SessionId): Promise<number> {
  const session = await openSession(store, id)
  await session.append(promptDraft("another"), { durable: true })
  return timedAsync(() => session.close())
}
