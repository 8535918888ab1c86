// What a model may do wrong, and how each ends.
import { readFileSync, statSync } from "node:fs"
import { expect, test } from "vitest"
import type { Tool } from "../../src/agent/port/tool.ts"
import type { ModelMessage } from "../../src/provider/port/port.ts"
import { scripted, seen, setting, takeStep } from "./setting.ts"

const tool = (parts: Partial<Tool>): Tool => ({
  name: "Slow",
  description: "",
  input: { type: "object" },
  parse: (input) => ({ ok: true, value: input }),
  effects: () => ({ effect: "reads", paths: [], anywhere: false }),
  preview: async () => ({ action: { kind: "other", input: null }, title: "Slow" }),
  grants: () => [],
  timeout: undefined,
  limit: 10_000,
  run: async () => ({ output: "done" }),
  ...parts,
})

test("an unknown tool is answered with the tools there are, and the nearest", async () => {
  const { outputs, result } = await takeStep(setting(), scripted({ calls: [{ name: "grep", input: {} }] }))
  expect(outputs[0]).toBe(
    'There is no tool "grep". Did you mean Grep? Tools: Read, Write, Edit, Bash, BashOutput, Glob, Grep, Todo.',
  )
  expect(result).toMatchObject({ results: [{ type: "tool-result", call: "call-1", error: true }] })
})

test("input that is not JSON is answered with the schema that is expected", async () => {
  const call = { name: "Read", input: '{"path": "a', invalid: "Unterminated string in JSON at position 11" }
  const { outputs } = await takeStep(setting(), scripted({ calls: [call] }))
  expect(outputs[0]).toContain("The input of Read is not valid: Unterminated string in JSON at position 11")
  expect(outputs[0]).toContain('"required":["path"]')
})

test("input that does not fit is answered with what is wrong and what is expected", async () => {
  const call = { name: "Edit", input: { path: 7, old: "a" } }
  const { outputs } = await takeStep(setting(), scripted({ calls: [call] }))
  expect(outputs[0]).toContain("path: Invalid input: expected string, received number")
  expect(outputs[0]).toContain("new: Invalid input: expected string, received undefined")
  expect(outputs[0]).toContain("Expected, as JSON schema: {")
})

test("an exception in a tool is an error result", async () => {
  const broken = tool({ name: "Broken", run: () => Promise.reject(new Error("boom")) })
  const { outputs } = await takeStep(setting(), scripted({ calls: [{ name: "Broken", input: {} }] }), {
    tools: [broken],
  })
  expect(outputs).toEqual(["Broken failed: boom"])
})

test("two hundred calls at once are all answered, in order, never more than eight running", async () => {
  let [running, most] = [0, 0]
  let waiting: (() => void)[] = []
  const busy = tool({
    run: async (input) => {
      most = Math.max(most, ++running)
      // Each waits for seven others: fewer than eight at a time would never end.
      await new Promise<void>((settle) => {
        waiting.push(settle)
        if (waiting.length < 8) return
        for (const go of waiting) go()
        waiting = []
      })
      running--
      return { output: `${JSON.stringify(input)} ${"x".repeat(9000)}` }
    },
  })
  const calls = Array.from({ length: 200 }, (_, i) => ({ name: "Slow", input: { i } }))
  const { outputs, result } = await takeStep(setting(), scripted({ calls }), { tools: [busy] })
  expect(outputs.map((output) => /^\{"i":(\d+)\}/.exec(output)?.[1])).toEqual(calls.map((_, i) => String(i)))
  expect(most).toBe(8)
  expect(outputs.join("").length).toBeLessThan(600_000)
  expect(result).toMatchObject({ outcome: "called", interrupted: false, repeating: false })
})

test("reads run beside each other, and what writes runs alone and in its place", async () => {
  const at = setting({ a: "1\n" })
  const order: string[] = []
  const hooks = {
    beforeTool: async ({ call }: { call: string }) => void order.push(`+${call.slice(5)}`),
    afterTool: async ({ call }: { call: string }) => void order.push(`-${call.slice(5)}`),
  }
  const read = { name: "Read", input: { path: "a" } }
  const write = { name: "Write", input: { path: "a", content: "2\n" } }
  const { outputs } = await takeStep(at, scripted({ calls: [read, read, write, read] }), { hooks })
  expect(outputs).toEqual(["1\t1", "1\t1", "Replaced a (1 line).", "1\t2"])
  expect(order.slice(0, 2).sort()).toEqual(["+1", "+2"])
  expect(order.slice(4)).toEqual(["+3", "-3", "+4", "-4"])
})

test("the fifth same call with the same result is refused, and a model that keeps going is stopped", async () => {
  const at = setting({ a: "x\n" })
  const call = { name: "Grep", input: { pattern: "x", path: "a" } }
  const same = { ...call, output: "a:1: x" }
  const third = await takeStep(at, scripted({ calls: [call] }), { messages: seen(same, same, same) })
  expect(third.outputs).toEqual(["a:1: x"])
  const fifth = await takeStep(at, scripted({ calls: [call] }), { messages: seen(same, same, same, same) })
  expect(fifth.outputs[0]).toContain("Refused: this is the same call as before")
  expect(fifth.result).toMatchObject({ repeating: false })
  const refused = { ...call, output: fifth.outputs[0] as string }
  const sixth = await takeStep(at, scripted({ calls: [call] }), { messages: seen(same, same, same, same, refused) })
  expect(sixth.outputs[0]).toContain("the 6th time in a row")
  expect(sixth.result).toMatchObject({ repeating: true })
})

test("a cycle of calls is recognised too; a new prompt, or other results, start afresh", async () => {
  const at = setting({ a: "x\n", b: "y\n" })
  const a = { name: "Read", input: { path: "a" }, output: "1\tx" }
  const b = { name: "Read", input: { path: "b" }, output: "1\ty" }
  const cycle = seen(a, b, a, b, a, b, a, b, a)
  const next = scripted({ calls: [{ name: "Read", input: { path: "b" } }] })
  expect((await takeStep(at, next, { messages: cycle })).outputs[0]).toContain("Refused")
  const asked: ModelMessage = { role: "user", content: [{ type: "text", text: "Once more" }] }
  expect((await takeStep(at, next, { messages: [...cycle, asked] })).outputs[0]).not.toContain("Refused")
  const changing = seen(...[1, 2, 3, 4, 5, 6].map((n) => ({ name: "Read", input: { path: "b" }, output: `1\t${n}` })))
  expect((await takeStep(at, next, { messages: changing })).outputs[0]).toBe("1\ty")
})

test("an output of 50 MB is cut for the model, and all of it is in the file that is named", async () => {
  const at = setting()
  const command = "head -c 50000000 /dev/zero | tr '\\0' 'a'; echo; echo the end"
  const { outputs, events } = await takeStep(at, scripted({ calls: [{ name: "Bash", input: { command } }] }))
  expect(outputs[0]?.length).toBeLessThan(31_000)
  expect(outputs[0]).toMatch(/^a+\n\[\d+ characters left out here\. All of it is in .*\]\na+\nthe end$/)
  const file = /is in (.*?); read/.exec(outputs[0] as string)?.[1] as string
  expect(statSync(file).size).toBe(50_000_009)
  const live = events.flatMap((event) => (event.type === "tool-delta" ? [event.text.length] : []))
  expect(live.reduce((sum, length) => sum + length, 0)).toBeLessThan(500_000)
  const tail = scripted({ calls: [{ name: "Read", input: { path: file, offset: 2 } }] })
  expect((await takeStep(at, tail, { mode: "default" })).outputs[0]).toBe("2\tthe end")
})

test("a tool's own long output is cut as well, and kept", async () => {
  const long = tool({ run: async () => ({ output: `begin\n${"line\n".repeat(20_000)}end` }) })
  const { outputs } = await takeStep(setting(), scripted({ calls: [{ name: "Slow", input: {} }] }), { tools: [long] })
  expect(outputs[0]?.length).toBeLessThan(11_000)
  expect(outputs[0]).toMatch(/^begin\nline\n/)
  expect(outputs[0]).toMatch(/\nline\nend$/)
  const file = /is in (.*?); read/.exec(outputs[0] as string)?.[1] as string
  expect(readFileSync(file, "utf8")).toBe(`begin\n${"line\n".repeat(20_000)}end`)
})

test("a tool that does not end is stopped by its time limit", async () => {
  const hanging = tool({ timeout: 20, run: () => new Promise(() => undefined) })
  const { outputs } = await takeStep(setting(), scripted({ calls: [{ name: "Slow", input: {} }] }), {
    tools: [hanging],
  })
  expect(outputs).toEqual(["Slow did not finish within 0.02 seconds and was stopped."])
})

test("a call id that is a path does not lead out of the folder for outputs", async () => {
  const at = setting()
  const long = tool({ run: async () => ({ output: "x".repeat(50_000) }) })
  const calls = [{ name: "Slow", input: {}, call: "../../../evil" }]
  const { outputs } = await takeStep(at, scripted({ calls }), { tools: [long] })
  expect(/is in (.*?); read/.exec(outputs[0] as string)?.[1]).toBe(`${at.root.scratch}/_________evil.txt`)
})
