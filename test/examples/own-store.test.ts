// A store that was written from published names alone passes the published suite.
import { randomFillSync } from "node:crypto"
import { createSession, makeIds, openSession, promptDraft } from "retcon"
import { storeContract } from "retcon/store-contract"
import { describe, expect, test } from "vitest"
import { tableStore } from "../../examples/own-store.ts"

const ids = makeIds({ now: () => Date.now(), random: (bytes) => void randomFillSync(bytes) })

storeContract({ describe, test, expect }, { open: () => tableStore(), ids })

test("a session in it can go back, and be opened again", async () => {
  const store = tableStore()
  const made = { name: "test", version: "0" }
  const session = await createSession(store, { cwd: "/project", made }, { durability: "fast" })
  await session.append([promptDraft("one"), promptDraft("two")])
  expect(await session.back()).toMatchObject({ outcome: "moved", prompt: { text: "two" } })
  await session.close()
  const again = await openSession(store, session.id)
  expect(again.context()).toEqual([{ role: "user", content: [{ type: "text", text: "one" }] }])
})
