// Todo, Task and Backtrack: what they check and what they hand to the runner.
import { expect, test } from "vitest"
import type { ToolContext } from "../../../src/agent/port/tool.ts"
import { createJobs } from "../../../src/agent/process/jobs.ts"
import { builtInTools } from "../../../src/agent/tools/built-in.ts"
import type { TaskSpec } from "../../../src/agent/tools/task.ts"
import { scripted, setting, takeStep } from "../setting.ts"

const backtrack = (checkpoint_id: number, more = {}) => ({
  name: "Backtrack",
  input: { checkpoint_id, note: "Found it in a.ts:7", ...more },
})

test("todos are handed back as state, the last list of a step counts", async () => {
  const todos = [{ text: "write tests", status: "doing" }]
  const calls = [
    { name: "Todo", input: { todos: [] } },
    { name: "Todo", input: { todos } },
  ]
  const { result, outputs, asked } = await takeStep(setting(), scripted({ calls }), { mode: "default" })
  expect(result).toMatchObject({ state: { todos } })
  expect(outputs[1]).toBe("Noted: 1 todos, 1 open.")
  expect(asked).toEqual([])
  const wrong = scripted({ calls: [{ name: "Todo", input: { todos: [{ text: "x", status: "open" }] } }] })
  expect((await takeStep(setting(), wrong)).outputs[0]).toContain(
    'todos.0.status: Invalid option: expected one of "pending"|"doing"|"done"',
  )
})

test("tasks run beside each other, through the runner, and are stopped by the step's signal", async () => {
  const at = setting()
  const running: TaskSpec[] = []
  let bothRun = () => {}
  const both = new Promise<void>((settle) => {
    bothRun = settle
  })
  const runTask = async (task: TaskSpec, context: ToolContext) => {
    running.push(task)
    context.emit(`working on ${task.description}`)
    if (running.length === 2) bothRun()
    await both
    return { output: `report on ${task.prompt}` }
  }
  const tools = builtInTools({ jobs: createJobs(), runTask })
  const calls = ["one", "two"].map((n) => ({ name: "Task", input: { description: n, prompt: `task ${n}` } }))
  const { outputs, asked } = await takeStep(at, scripted({ calls }), { tools, mode: "default" })
  expect(outputs).toEqual(["report on task one", "report on task two"])
  expect(asked).toEqual([])
  expect(tools.map((tool) => tool.name)).not.toContain("Backtrack")
})

test("a backtrack is handed to the runner, asks nobody, and its result says that it did not happen", async () => {
  const { result, outputs, asked } = await takeStep(setting(), scripted({ calls: [backtrack(2)] }), {
    mode: "default",
    checkpoints: [0, 1, 2, 3],
  })
  expect(result).toMatchObject({
    backtrack: { call: "call-1", checkpoint: 2, note: "Found it in a.ts:7", restoreFiles: false },
  })
  expect(outputs[0]).toContain("The backtrack did not happen")
  expect(asked).toEqual([])
})

test.each([-1, 4, 99])("checkpoint %i, which cannot be used, is refused with those that can", async (id) => {
  const { result, outputs } = await takeStep(setting(), scripted({ calls: [backtrack(id)] }), {
    checkpoints: [2, 3, 5],
  })
  expect(outputs).toEqual([`There is no checkpoint ${id} to go back to. Possible: 2–3, 5.`])
  expect(result).not.toHaveProperty("backtrack")
})

test("a note is required, and there is one backtrack per step", async () => {
  const parts = { checkpoints: [0, 1] }
  expect((await takeStep(setting(), scripted({ calls: [backtrack(0, { note: "  " })] }), parts)).outputs[0]).toContain(
    "note: ",
  )
  const two = await takeStep(setting(), scripted({ calls: [backtrack(0), backtrack(1)] }), parts)
  expect(two.result).toMatchObject({ backtrack: { checkpoint: 0 } })
  expect(two.outputs[1]).toContain("there is only one per step")
})

test("a backtrack with files needs its own approval, even where edits do not", async () => {
  const calls = [backtrack(1, { restore_files: true })]
  const parts = { checkpoints: [0, 1], mode: "autoEdit" } as const
  const refused = await takeStep(setting(), scripted({ calls }), { ...parts, checkpoints: [0, 1] })
  expect(refused.asked[0]).toMatchObject({
    title: "Backtrack to checkpoint 1, with files",
    action: { kind: "restore", checkpoint: 1 },
  })
  expect(refused.result).not.toHaveProperty("backtrack")
  const allowed = await takeStep(setting(), scripted({ calls }), {
    ...parts,
    checkpoints: [0, 1],
    answer: () => ({ answer: "once" }),
  })
  expect(allowed.result).toMatchObject({ backtrack: { restoreFiles: true } })
})

test("without checkpoints there is no Backtrack to call", async () => {
  const { outputs } = await takeStep(setting(), scripted({ calls: [backtrack(0)] }))
  expect(outputs[0]).toContain('There is no tool "Backtrack".')
})
