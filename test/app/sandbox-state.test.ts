import { expect, test } from "vitest"
import type { Sandbox } from "../../src/agent/sandbox/sandbox.ts"
import { watchSandbox } from "../../src/app/open/sandbox-state.ts"
import type { SandboxState } from "../../src/model/sandbox-state.ts"
import type { HostEvent } from "../../src/protocol/event.ts"
import { until } from "../within.ts"

test("what is found out about a sandbox after its session was closed is not reported", async () => {
  let found: (state: SandboxState) => void = () => {}
  const sandbox: Sandbox = {
    applies: () => true,
    state: () => new Promise<SandboxState>((settle) => (found = settle)),
    confine: async () => ({ how: "open" }),
    close: () => undefined,
  }
  const events: HostEvent[] = []
  const watch = watchSandbox(sandbox, (event) => events.push(event))
  const first = watch.sandbox?.confine()
  found({ state: "off" })
  await first
  expect(events).toEqual([{ type: "sandbox", state: "off" }])
  const second = watch.sandbox?.confine()
  watch.close()
  found({ state: "none", because: "the session is closed" })
  await second
  expect(events).toHaveLength(1)
})

test("who asks for the state gets what is known, and is told a moment later what was found out", async () => {
  let asked = 0
  const sandbox: Sandbox = {
    applies: () => true,
    async state() {
      asked++
      return { state: "off" }
    },
    confine: async () => ({ how: "open" }),
    close: () => undefined,
  }
  const events: HostEvent[] = []
  const watch = watchSandbox(sandbox, (event) => events.push(event))
  expect([watch.current(), watch.current()]).toEqual([undefined, undefined])
  await until(() => events.length > 0)
  expect(events).toEqual([{ type: "sandbox", state: "off" }])
  expect([watch.known(), asked]).toEqual([{ state: "off" }, 1])
  watch.close()
})
