// Naming an entry in a session that has ten thousand names. Floor: the same in a session that has ten.

import { createSession, type Session } from "../../../src/session/session.ts"
import { promptDraft } from "../../../src/session/state/draft.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Repeats, timedAsync } from "../../timing.ts"

const { home, many, few, ...repeats } = given() as Repeats & { home: string; many: number; few: number }
const store = fileStore({ home })
const [large, small] = [await labelled(many), await labelled(few)]
let n = 0
answer(
  await interleave(
    () => label(small),
    () => label(large),
    repeats,
  ),
)
await Promise.all([large.close(), small.close()])

async function labelled(count: number): Promise<Session> {
  const session = await createSession(store, { cwd: "/bench/labels", made: { name: "bench", version: "1" } })
  const entries = await session.append(Array.from({ length: count }, (_, i) => promptDraft(`prompt ${i}`)))
  for (const [i, entry] of entries.entries()) await session.label(entry, `name ${i}`)
  return session
}

function label(session: Session): Promise<number> {
  return timedAsync(() => session.label("head", `another ${++n}`))
}
