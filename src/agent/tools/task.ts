// Task: what to give a sub-agent. The runner, which knows sessions, runs it.
import { z } from "zod"
import { type Tool, type ToolContext, type ToolResult, toolText } from "../port/tool.ts"
import { defineTool } from "./define-tool.ts"

const schema = z.object({
  description: z.string().min(1).max(200).describe("Three to six words"),
  prompt: z.string().min(1).describe("The task, with all it needs to know"),
  resume: z.string().min(1).optional().describe("Continue with an earlier sub-agent"),
})

export type TaskSpec = z.infer<typeof schema>

/** Contract: ends soon after `context.signal` aborts. An unknown or running `resume` is an error result. */
export type RunTask = (task: TaskSpec, context: ToolContext) => Promise<ToolResult>

export function taskTool(runTask: RunTask): Tool<TaskSpec> {
  return defineTool({
    name: "Task",
    description: toolText(import.meta.url, "task"),
    schema,
    effect: "reads",
    preview: async (input) => ({
      action: { kind: "other", input: { ...input, resume: input.resume ?? null } },
      title: `Task: ${input.description}`,
    }),
    run: runTask,
  })
}
