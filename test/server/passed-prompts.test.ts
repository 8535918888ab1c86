// An agent that goes back past the person's prompts, as a client of the server sees it.
import { expect, test } from "vitest"
import { serve } from "./test-server.ts"

const backtrack = { calls: [{ name: "Backtrack", input: { checkpoint_id: 0, note: "Only b.ts matters." } }] }

test("the person's prompts stay listed after the agent went back past them, and back gives the last one back", async () => {
  const at = serve([{ text: "answer 1" }, { text: "answer 2" }, backtrack, { text: "answer 3" }])
  const session = await at.newSession()
  for (const text of ["one", "two", "three"]) await at.post(`${session}/converse`, { text, wait: true })
  const { prompts } = (await at.get<{ prompts: { text: string; passed?: boolean }[] }>(`${session}/prompts`)).body
  expect(prompts.map(({ text, passed = false }) => [text, passed])).toEqual([
    ["one", false],
    ["two", true],
    ["three", true],
  ])
  const { leaves } = (await at.get<{ leaves: object[] }>(`${session}/leaves`)).body
  expect(leaves.at(-1)).toMatchObject({ prompt: "three", onPath: true })
  const back = await at.post(`${session}/back`)
  expect(back).toMatchObject({ status: 200, body: { outcome: "moved", prompt: { text: "three", passed: true } } })
  const { messages } = (await at.get<{ messages: object[] }>(`${session}/context`)).body
  expect(JSON.stringify(messages.at(-1))).toContain("answer 2")
})

test("a branch whose last prompt was stopped before any output is still there, and counted", async () => {
  const at = serve([{ text: "answer 1" }, { text: "answer 2" }, { hangs: true }, { text: "answer 4" }])
  const session = await at.newSession()
  for (const text of ["one", "two"]) await at.post(`${session}/converse`, { text, wait: true })
  await at.post(`${session}/converse`, { text: "three" })
  expect((await at.post(`${session}/stop`)).body).toMatchObject({ stopped: true, withdrawn: { text: "three" } })
  const status = async () => (await at.get(session)).body.status
  expect(await status()).toMatchObject({ round: 2, rounds: 2, branches: 1 })
  await at.post(`${session}/goto`, { entry: "@2" })
  await at.post(`${session}/converse`, { text: "four", wait: true })
  const { leaves } = (await at.get<{ leaves: object[] }>(`${session}/leaves`)).body
  expect(leaves).toMatchObject([
    { prompt: "two", rounds: 2, onPath: false },
    { prompt: "four", rounds: 2, onPath: true },
  ])
  expect(await status()).toMatchObject({ rounds: 2, branches: 2 })
})
