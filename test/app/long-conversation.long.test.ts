// 300 steps with backtracks, compactions and sub-agents: at each step a newly opened session sees what the agent sees.
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { contextAt } from "../../src/history/context/context.ts"
import type { SessionId } from "../../src/model/id.ts"
import type { StepRequest } from "../../src/provider/port/port.ts"
import { systemOptions } from "../../src/session/state/system.ts"
import type { SessionStore } from "../../src/store/port.ts"
import { makeTestHost, type ScriptedAnswer, scriptedModel, textOf } from "../test-host.ts"

const STEPS = 300
const BACKTRACKS = new Set([20, 45, 70, 95, 125, 145, 170, 195, 230, 270])
/** After these the provider reports a context that is nearly full. */
const FULL = new Set([110, 210])
const TASKS = new Set([30, 130, 240])
const ROUND = 50

test("300 steps, 10 backtracks, 2 compactions and 3 sub-agents give the same context after reopening at every step", async () => {
  let compared = 0
  let steps = 0
  const {
    root,
    parts: deps,
    open,
    host,
  } = makeTestHost({
    maxSteps: 100,
    session: { ...systemOptions(), durability: "fast" },
    model: async () =>
      scriptedModel(
        async (request) => {
          if (isSummary(request)) return { text: `## Goal\nStep ${steps}.`, usage: { input: 10, output: 10 } }
          if (isSubAgent(request)) return { text: "Found it in line 7." }
          expect(await contextOf(deps.store, session.id)).toEqual(request.messages)
          compared++
          return answer(++steps, request)
        },
        { window: 32_768 },
      ),
  })
  writeFileSync(join(root, "long.txt"), Array.from({ length: 400 }, (_, n) => `line ${n}\n`).join(""))
  const { session, events } = await open()
  for (let round = 1; round <= STEPS / ROUND; round++) {
    expect(await session.send({ text: `Round ${round}` })).toMatchObject({ outcome: "done" })
  }
  expect(compared).toBe(STEPS)
  expect(events.filter(({ type }) => type === "backtracked")).toHaveLength(BACKTRACKS.size)
  expect(events.filter((event) => event.type === "compaction-end" && event.entry !== null)).toHaveLength(FULL.size)
  expect((await host.list()).sessions.filter(({ from }) => from?.as === "task")).toHaveLength(TASKS.size)
  const numbers = checkpointsIn(textOf({ messages: await session.context() }))
  expect(numbers).toEqual([...new Set(numbers)].sort((a, b) => a - b))
})

function answer(step: number, request: StepRequest): ScriptedAnswer {
  if (step % ROUND === 0) return { text: `Round done at step ${step}.`, usage: { input: 100, output: 10 } }
  const usage = { input: FULL.has(step) ? 30_000 : 100, output: 10 }
  return { text: `Step ${step}.`, calls: callsOf(step, request), usage }
}

function callsOf(step: number, request: StepRequest): NonNullable<ScriptedAnswer["calls"]> {
  if (BACKTRACKS.has(step)) {
    const possible = checkpointsIn(textOf(request))
    return [{ name: "Backtrack", input: { checkpoint_id: possible.at(-5) ?? 0, note: `left at step ${step}` } }]
  }
  if (TASKS.has(step)) return [{ name: "Task", input: { description: "look", prompt: `sub-task ${step}` } }]
  if (step % 40 === 7) return [{ name: "Write", input: { path: `made-${step}.txt`, content: `${step}\n` } }]
  if (step % 25 === 3) return [{ name: "Todo", input: { todos: [{ text: `after ${step}`, status: "doing" }] } }]
  return [{ name: "Read", input: { path: "long.txt", offset: step, limit: 2 } }]
}

const isSummary = (request: StepRequest) => textOf(request).includes("write a summary of this conversation")
const isSubAgent = (request: StepRequest) => !request.tools.some(({ name }) => name === "Backtrack")

function checkpointsIn(text: string): number[] {
  return [...text.matchAll(/<system>Checkpoint (\d+)<\/system>/g)].map((found) => Number(found[1]))
}

/** As another process sees it: the log alone. */
async function contextOf(store: SessionStore, id: SessionId) {
  const log = await store.open(id)
  const context = contextAt(log.history, log.history.head, { checkpoints: "shown" })
  await log.close()
  return context
}
