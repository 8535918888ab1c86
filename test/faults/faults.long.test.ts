// One call to the disk fails, anywhere: the answer is in words, what was acknowledged is there, and the next call is right.
// Here some of the calls of each flow; `npm run soak -- faults` tries all of them.
import { expect, test } from "vitest"
import { AGENT_FLOWS } from "./agent-flows.ts"
import { tryFlow } from "./machine.ts"
import { STORE_FLOWS } from "./store-flows.ts"

const { FAULT_FLOW = "", FAULT_MOST = "5" } = process.env

/** Evenly spread; the first one too. */
function some(calls: number): number[] {
  const step = Math.max(1, calls / Number(FAULT_MOST))
  return Array.from({ length: Math.ceil(calls / step) }, (_, i) => Math.floor(i * step))
}

const flows = [...STORE_FLOWS, ...AGENT_FLOWS].filter(({ name }) => name.includes(FAULT_FLOW))

test.each(flows)("$name", { timeout: 3_600_000 }, async (flow) => {
  const { tries, problems } = await tryFlow(flow, some)
  expect(problems.join("\n\n")).toBe("")
  expect(tries).toBeGreaterThan(10)
})
