// The estimate of what was not sent yet learns from what a provider reports of the whole request.
import { expect, test } from "vitest"
import { talk } from "./talk.ts"

test("the first report of a conversation is compared with an estimate of all that was sent", async () => {
  const learned: { estimated: number; reported: number }[] = []
  const { open, model } = talk(
    [
      { text: "One.", usage: { input: 5000, cacheRead: 700, cacheWrite: 300, output: 50 } },
      { text: "Two.", usage: { input: 6000 } },
    ],
    { learn: (estimated, reported) => void learned.push({ estimated, reported }) },
  )
  const { session } = await open()
  await session.send({ text: "x".repeat(4000) })
  await session.send({ text: "and now?" })
  expect(learned).toHaveLength(1)
  expect(learned[0]?.reported).toBe(6000)
  const request = model.requests[0]
  const sent = JSON.stringify([request?.messages, request?.tools]).length / 4
  expect(learned[0]?.estimated).toBeGreaterThan(sent * 0.9)
  expect(learned[0]?.estimated).toBeLessThan(sent * 1.1)
})
