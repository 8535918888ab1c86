// One call to the disk fails, anywhere: the answer is in words, what was acknowledged is there, and the next call is right.
// Here some of the calls of each flow; `npm run soak -- faults` tries all of them.
import { expect, test } from "vitest"
import { AGENT_FLOWS } from "./agent-flows.ts"
import { tryFlow } from "./machine.ts"
import { spread } from "./spread.ts"
import { STORE_FLOWS } from "./store-flows.ts"
import { WORKSPACE_FLOWS } from "./workspace-flows.ts"

const { FAULT_FLOW = "" } = process.env
const flows = [...STORE_FLOWS, ...WORKSPACE_FLOWS, ...AGENT_FLOWS].filter(({ name }) => name.includes(FAULT_FLOW))

test.each(flows)("$name", { timeout: 3_600_000 }, async (flow) => {
  const { tries, problems } = await tryFlow(flow, (calls) => spread(calls, flow.most ?? 5))
  expect(problems.join("\n\n")).toBe("")
  expect(tries).toBeGreaterThan(10)
})
