// A session of many rounds, with code and calls like a real one.
import { answerDraft, createSession, type EntryDraft, fileStore, promptDraft } from "../../src/index.ts"

const CODE =
  "```ts\nexport async function add(cart: Cart, item: Item): Promise<void> {\n  await cart.write([...cart.items, item])\n}\n```"

interface LongSession {
  rounds: number
  /** After this many rounds, two are abandoned, again and again. */
  leaveEvery?: number
}

export async function makeLongSession(home: string, { rounds, leaveEvery = 0 }: LongSession): Promise<string> {
  const session = await createSession(fileStore({ home }), { cwd: "/bench/web", made: { name: "bench", version: "0" } })
  const batch = leaveEvery === 0 ? 1000 : leaveEvery
  for (let start = 0; start < rounds; start += batch) {
    const drafts: EntryDraft[] = []
    for (let n = start + 1; n <= Math.min(rounds, start + batch); n++)
      drafts.push(promptDraft(`Prompt ${n}`), answer(n))
    await session.append(drafts)
    if (leaveEvery > 0) await session.back({ rounds: 2 })
  }
  await session.close()
  return session.id
}

function answer(n: number): EntryDraft {
  const list = "\n\n- one thing\n- **another** thing\n- and `a third`"
  return answerDraft(`Answer ${n}${n % 5 === 0 ? `\n\n${CODE}` : ""}${n % 3 === 0 ? list : ""}`)
}
