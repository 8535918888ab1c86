// How long it takes to open a session and build its context.
import type { SessionId } from "../../src/model/id.ts"
import { openSession } from "../../src/session/session.ts"
import type { SessionStore } from "../../src/store/port.ts"
import type { Made } from "./make-session.ts"

/** In milliseconds. Closing the session does not count. */
export async function timeOpen(store: SessionStore, made: Made): Promise<number> {
  const start = performance.now()
  const session = await openSession(store, made.id as SessionId)
  const messages = session.context().length
  const time = performance.now() - start
  if (messages !== made.context) throw new Error(`${messages} messages in the context, not ${made.context}`)
  await session.close()
  return time
}
