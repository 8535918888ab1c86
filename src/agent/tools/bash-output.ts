// BashOutput: looks at a background command, or ends it.
import { z } from "zod"
import { unreachable } from "../../model/unreachable.ts"
import { failure, type Tool, type ToolContext, type ToolResult, toolText } from "../port/tool.ts"
import type { BackgroundJob, Jobs } from "../process/jobs.ts"
import { defineTool } from "./define-tool.ts"

const schema = z.object({
  job: z.string().describe("The name that Bash gave, such as job-1"),
  wait: z.number().min(0).max(60).optional().describe("Seconds to wait for something to happen"),
  kill: z.boolean().optional().describe("End it"),
})

type Input = z.infer<typeof schema>

export function bashOutputTool(jobs: Jobs): Tool<Input> {
  return defineTool({
    name: "BashOutput",
    description: toolText(import.meta.url, "bash-output"),
    schema,
    effect: "reads",
    timeout: 90_000,
    run: (input, context) => look(input, context, jobs),
  })
}

async function look(input: Input, context: ToolContext, jobs: Jobs): Promise<ToolResult> {
  if (input.kill === true) await jobs.kill(input.job)
  const found = await jobs.read(input.job, (input.wait ?? 0) * 1000, context.signal)
  if (found === undefined) {
    const names = jobs.list().map(({ id }) => id)
    return failure(
      `There is no ${input.job}. ${names.length === 0 ? "No job was started." : `Jobs: ${names.join(", ")}.`}`,
    )
  }
  return { output: `${found.fresh.trimEnd() || "(nothing new)"}\n(${found.job.id} ${status(found.job)})` }
}

function status({ ended }: BackgroundJob): string {
  if (ended === undefined) return "is running"
  switch (ended.how) {
    case "exit":
      return `has ended with exit code ${ended.code}`
    case "signal":
      return `was ended by ${ended.signal}`
    case "failed":
      return `could not be started: ${ended.problem}`
    default:
      return unreachable(ended)
  }
}
