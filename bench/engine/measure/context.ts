// session.context() in a long session without a compaction, after an append, a move back, and an undo of that. Floor:
// JSON.parse of the new lines plus a third of a millisecond, so that three times the floor allows for one.
import type { SessionId } from "../../../src/model/id.ts"
import { openSession, type Session } from "../../../src/session/session.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Measured, timed } from "../../timing.ts"
import { messageDrafts } from "../drafts.ts"
import type { OpenGiven } from "./open-warm.ts"

export interface ContextFound {
  append: Measured
  back: Measured
  undo: Measured
}

const ALLOWED_MS = 1 / 3
const { home, made, ...repeats } = given() as OpenGiven
const session = await openSession(fileStore({ home }), made.id as SessionId)
session.context()
answer({
  append: await after((s) => s.append(messageDrafts(2), { durable: false })),
  back: await after((s) => s.back()),
  undo: await after((s) => s.undo()),
} satisfies ContextFound)
await session.close()

/** Each sample first changes the session, untimed; the floor parses the lines that this wrote. */
async function after(change: (session: Session) => Promise<unknown>): Promise<Measured> {
  let lines: string[] = []
  const floor = async () => {
    const before = session.history.size
    await change(session)
    lines = Array.from({ length: session.history.size - before }, (_, n) => {
      return Buffer.from(session.log.line(before + n)).toString()
    })
    return ALLOWED_MS + timed(() => lines.map((line) => JSON.parse(line)))
  }
  return interleave(floor, () => timed(() => void session.context()), repeats)
}
