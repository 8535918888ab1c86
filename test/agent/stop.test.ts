// Stopping a step while its tools run.
import { existsSync } from "node:fs"
import { expect, test } from "vitest"
import { makePolicy } from "../../src/agent/permission/policy.ts"
import type { Tool } from "../../src/agent/port/tool.ts"
import { step } from "../../src/agent/step/step.ts"
import type { StepEvent } from "../../src/agent/step/step-events.ts"
import { builtInTools } from "../../src/agent/tools/built-in.ts"
import { ENV, runningIn, type Setting, scripted, setting } from "./setting.ts"

/** Stops as soon as `when` is true of an event. */
function stopWhen(
  at: Setting,
  calls: { name: string; input: Record<string, string | boolean> }[],
  when: (event: StepEvent) => boolean,
  extra: Tool[] = [],
) {
  const stop = new AbortController()
  const { policy } = makePolicy({ mode: "yolo" })
  return step({
    model: scripted({ calls }),
    messages: [],
    tools: [...builtInTools({ jobs: at.jobs }), ...extra],
    root: at.root,
    env: ENV,
    consent: { policy: () => policy, ask: () => new Promise(() => undefined), granted: () => undefined },
    signal: stop.signal,
    now: () => 0,
    emit: (event) => {
      if (when(event)) stop.abort()
    },
  })
}

const outputsOf = (result: Awaited<ReturnType<typeof step>>) =>
  result.outcome === "called" ? result.results.map((part) => (part.type === "tool-result" ? part.output : "")) : []

const NOT_MADE = "This call was not made: the turn was stopped first."
const INTERRUPTED = "This call was interrupted before it ended. It may have had effects."

test("a stop keeps what has ended, interrupts what runs, and answers the rest", async () => {
  const at = setting()
  const calls = [
    { name: "Bash", input: { command: "echo first" } },
    { name: "Bash", input: { command: "echo started; sleep 100" } },
    { name: "Write", input: { path: "never", content: "" } },
  ]
  const result = await stopWhen(at, calls, (event) => event.type === "tool-delta" && event.text.includes("started"))
  expect(outputsOf(result)).toEqual(["first", `started\n(It was ended by SIGTERM.)\n(${INTERRUPTED})`, NOT_MADE])
  expect(result).toMatchObject({ outcome: "called", interrupted: true })
  expect(existsSync(at.file("never"))).toBe(false)
})

test("a stop while a person is being asked makes nothing happen", async () => {
  const at = setting()
  const calls = [{ name: "Write", input: { path: "/outside-of-everything/x", content: "" } }]
  const result = await stopWhen(at, calls, (event) => event.type === "permission-start")
  expect(outputsOf(result)).toEqual([NOT_MADE])
})

test("a command that ignores SIGTERM is gone when the stop is over, with its children", async () => {
  const at = setting()
  const command =
    "trap '' TERM; (trap '' TERM; while true; do sleep 0.05; touch alive; done) & echo up $$; while true; do sleep 0.05; done"
  let group = 0
  const result = await stopWhen(at, [{ name: "Bash", input: { command } }], (event) => {
    const found = event.type === "tool-delta" ? /up (\d+)/.exec(event.text) : null
    if (found !== null) group = Number(found[1])
    return found !== null
  })
  expect(outputsOf(result)).toEqual([`up ${group}\n(It was ended by SIGKILL.)\n(${INTERRUPTED})`])
  expect(group).toBeGreaterThan(1)
  await expect.poll(() => runningIn(group)).toEqual([])
})

test("a tool that ignores the stop is left behind, and its later output reaches nobody", async () => {
  const at = setting()
  const events: string[] = []
  const says: ((text: string) => void)[] = []
  const stubborn: Tool = {
    name: "Stubborn",
    description: "",
    input: {},
    parse: (input) => ({ ok: true, value: input }),
    effects: () => ({ effect: "reads", paths: [], anywhere: false }),
    preview: async () => ({ action: { kind: "other", input: null }, title: "" }),
    grants: () => [],
    timeout: undefined,
    limit: 1000,
    run: (_, context) => {
      says.push(context.emit)
      context.emit("running")
      return new Promise(() => undefined)
    },
  }
  const seesDelta = (event: StepEvent) => events.push(event.type) > 0 && event.type === "tool-delta"
  const result = await stopWhen(at, [{ name: "Stubborn", input: {} }], seesDelta, [stubborn])
  says[0]?.("late")
  expect(outputsOf(result)).toEqual([`running\n(${INTERRUPTED})`])
  expect(events).toEqual(["tool-call", "tool-start", "tool-delta", "tool-end"])
})
