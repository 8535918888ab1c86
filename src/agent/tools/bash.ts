// Bash: a command in the workspace, in front or in the background.
import { z } from "zod"
import { unreachable } from "../../model/unreachable.ts"
import { defineTool } from "../define-tool.ts"
import { outputFile } from "../output.ts"
import { commandGrants } from "../permission/command-rule.ts"
import type { Jobs } from "../process/jobs.ts"
import { keepOutput } from "../process/kept-output.ts"
import { type Ended, runCommand } from "../process/run-command.ts"
import { failure, type Tool, type ToolContext, type ToolResult } from "../tool.ts"
import { toolText } from "../tool-text.ts"

const DEFAULT_SECONDS = 120
const MOST_SECONDS = 3600

const schema = z.object({
  command: z.string().min(1).describe("The command line"),
  timeout: z.number().positive().max(MOST_SECONDS).optional().describe("Seconds; 120 if left out"),
  background: z.boolean().optional().describe("Let it run, and go on"),
})

type BashInput = z.infer<typeof schema>

export function bashTool(jobs: Jobs): Tool<BashInput> {
  return defineTool({
    name: "Bash",
    description: toolText(import.meta.url, "bash"),
    schema,
    effect: "runs",
    anywhere: true,
    preview: async ({ command, background }, place) => ({
      action: { kind: "command", command, cwd: place.root, background: background === true },
      title: background === true ? `Bash, in the background: ${command}` : `Bash: ${command}`,
    }),
    grants: (input) => commandGrants(input.command),
    run: (input, context) => (input.background === true ? inBackground(input, context, jobs) : inFront(input, context)),
  })
}

async function inBackground(input: BashInput, context: ToolContext, jobs: Jobs): Promise<ToolResult> {
  const job = jobs.start({
    command: input.command,
    call: context.call,
    cwd: context.place.root,
    env: context.env,
    limit: context.limit,
    file: (id) => outputFile(context.place.scratch, `${context.call}-${id}`),
  })
  return { output: `Started as ${job.id}. BashOutput gives what it prints and ends it.` }
}

async function inFront(input: BashInput, context: ToolContext): Promise<ToolResult> {
  const output = keepOutput({ file: outputFile(context.place.scratch, context.call), limit: context.limit })
  const decoder = new TextDecoder()
  const running = runCommand({
    command: input.command,
    cwd: context.place.root,
    env: context.env,
    onOutput(bytes) {
      output.add(bytes)
      context.emit(decoder.decode(bytes, { stream: true }))
    },
  })
  const seconds = input.timeout ?? DEFAULT_SECONDS
  let timedOut = false
  const timer = setTimeout(() => {
    timedOut = true
    running.kill()
  }, seconds * 1000)
  if (context.signal.aborted) running.kill()
  context.signal.addEventListener("abort", running.kill, { once: true })
  const ended = await running.ended
  clearTimeout(timer)
  context.signal.removeEventListener("abort", running.kill)
  output.close()
  const late = timedOut ? `It did not end within ${seconds} seconds and was ended, with all it had started.` : undefined
  return outcome(output.text(), ended, late)
}

function outcome(text: string, ended: Ended, late: string | undefined): ToolResult {
  const body = text.trimEnd()
  if (late !== undefined) return failure(withNote(body, late))
  switch (ended.how) {
    case "failed":
      return failure(`The command could not be started: ${ended.problem}`)
    case "signal":
      return failure(withNote(body, `It was ended by ${ended.signal}.`))
    case "exit": {
      const left = ended.leftRunning ? " What it had left running was ended; use background for that." : ""
      if (ended.code !== 0) return failure(withNote(body, `Exit code ${ended.code}.${left}`))
      return { output: left === "" ? body || "(no output)" : withNote(body, `Exit code 0.${left}`) }
    }
    default:
      return unreachable(ended)
  }
}

function withNote(body: string, note: string): string {
  return body === "" ? `(${note})` : `${body}\n(${note})`
}
