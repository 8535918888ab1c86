// How long the loop itself takes per step: checkpoint, append, context, permissions. The model and the tool do nothing.
// Floor: the same in a conversation that has just begun.

import { z } from "zod"
import { defineTool } from "../../../src/agent/tools/define-tool.ts"
import { textTokens } from "../../../src/model/tokens.ts"
import type { HostSession } from "../../../src/protocol/host.ts"
import { workIn } from "../../../src/protocol/open-to-work.ts"
import { createSession } from "../../../src/session/session.ts"
import { answerDraft, promptDraft, toolDraft } from "../../../src/session/state/draft.ts"
import { systemOptions } from "../../../src/session/state/system.ts"
import { fileStore } from "../../../src/store/file/file-store.ts"
import { answer, given } from "../../child.ts"
import { interleave, type Measured, type Repeats } from "../../timing.ts"
import { benchHost } from "../host.ts"

export interface StepGiven extends Repeats {
  home: string
  cwd: string
  /** Messages on the path, and on abandoned branches. */
  messages: number
  abandoned: number
  durability: "sync" | "fast"
  /** Steps per sample. */
  steps: number
}

export type StepFound = Measured

const { home, cwd, messages, abandoned, durability, steps, ...repeats } = given() as StepGiven
const parts = { ...systemOptions(), durability: "fast" as const }
const output = "a line of output, as tools have them\n".repeat(40)

const nothing = defineTool({
  name: "Nothing",
  description: "Does nothing.",
  schema: z.object({ n: z.number(), path: z.string() }),
  effect: "reads",
  paths: ({ path }) => [path],
  run: async () => ({ output }),
})

let left = 0
let n = 0
const host = benchHost({
  home,
  durability,
  backtrack: true,
  tools: [nothing],
  tokens: textTokens,
  model: () =>
    left-- > 0 ? { text: "On.", calls: [{ name: "Nothing", input: { n: n++, path: "." } }] } : { text: "Done." },
})
const [short, long] = [
  await host.open(await makeSession(0, 0)),
  await host.open(await makeSession(messages, abandoned)),
]
const found = await interleave(
  () => perStep(short),
  () => perStep(long),
  repeats,
)
answer(found satisfies StepFound)
await host.close()
process.exit(0)

/** A turn of `steps` steps, then back to where it began, so that the next sample starts from the same state. */
async function perStep(session: HostSession): Promise<number> {
  left = steps
  const head = session.history.id(session.head)
  const start = performance.now()
  await workIn(session).send({ text: "go" })
  const took = performance.now() - start
  await session.goto(head)
  return took / (steps + 1)
}

async function makeSession(wanted: number, branches: number) {
  const session = await createSession(fileStore({ home }), { cwd, made: { name: "bench", version: "1" } }, parts)
  await session.append({ type: "state", key: "system", value: "Be brief." })
  await session.append([promptDraft("begin"), answerDraft("Yes.")])
  const root = session.head as string
  for (let made = 0; made < branches; ) {
    for (const limit = made + 200; made < limit; made += 2) await session.append(stepDrafts(made))
    await session.goto(root)
  }
  for (let made = 2; made < wanted; made += 2) {
    const ask = made % 20 === 0 ? [answerDraft("So far."), promptDraft(`prompt ${made}`)] : []
    await session.append([...ask, ...stepDrafts(made)])
  }
  await session.append(answerDraft("Ready."))
  await session.close()
  return session.id
}

function stepDrafts(at: number) {
  const call = `made_${at}`
  const usage = { input: 1000, output: 10 }
  return [
    { type: "checkpoint" as const, n: at },
    answerDraft([{ type: "tool-call", call, name: "Nothing", input: { n: -at } }], { usage }),
    toolDraft([{ type: "tool-result", call, name: "Nothing", output }]),
  ]
}
