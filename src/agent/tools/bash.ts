// Bash: a command in the workspace, in the foreground or background.
import { z } from "zod"
import type { JsonObject } from "../../model/json.ts"
import { unreachable } from "../../model/unreachable.ts"
import { commandGrants } from "../permission/grants.ts"
import { outputFile } from "../port/output.ts"
import { failure, type Tool, type ToolContext, type ToolResult, toolText } from "../port/tool.ts"
import type { Jobs } from "../process/jobs.ts"
import { keepOutput } from "../process/kept-output.ts"
import { type Ended, type Left, runCommand } from "../process/run-command.ts"
import type { CommandSandbox, Confinement } from "../sandbox/port.ts"
import { defineTool } from "./define-tool.ts"

const DEFAULT_SECONDS = 120
const MOST_SECONDS = 3600

const plain = z.object({
  command: z.string().min(1).describe("The command line"),
  timeout: z.number().positive().max(MOST_SECONDS).optional().describe("Seconds; 120 if left out"),
  background: z.boolean().optional().describe("Let it run, and continue"),
})

const confinable = plain.extend({
  sandbox: z.boolean().optional().describe("false: run it outside the sandbox. The person is asked, in every mode"),
})

type BashInput = z.infer<typeof confinable>

/** Without a sandbox, commands see the machine as it is, and none can ask to leave one. */
export function bashTool(jobs: Jobs, sandbox?: CommandSandbox): Tool<BashInput> {
  const leaves = (input: BashInput) => input.sandbox === false && sandbox?.always !== true
  const confine = async (input: BashInput): Promise<Confinement> =>
    leaves(input) ? { how: "open" } : ((await sandbox?.confine()) ?? { how: "open" })
  const description = toolText(import.meta.url, "bash")
  return defineTool({
    name: "Bash",
    description: sandbox === undefined ? description : `${description}\n${toolText(import.meta.url, "bash-sandbox")}`,
    schema: sandbox === undefined ? (plain as typeof confinable) : confinable,
    effect: "runs",
    anywhere: true,
    async preview(input, root) {
      const { command, background } = input
      const outside = leaves(input) && (await sandbox?.confine())?.how === "confined"
      const how = [...(background === true ? ["in the background"] : []), ...(outside ? ["outside the sandbox"] : [])]
      return {
        action: {
          kind: "command",
          command,
          cwd: root.origin ?? root.folder,
          background: background === true,
          ...(outside ? { outsideSandbox: true } : {}),
        },
        title: `${["Bash", ...how].join(", ")}: ${command}`,
      }
    },
    grants: (input, _, root) => commandGrants(input.command, root.origin ?? root.folder),
    async run(input, context) {
      const how = await confine(input)
      if (how.how === "refused") return failure(`The command was not started. ${how.problem}`)
      return input.background === true
        ? inBackground(input, context, jobs, how)
        : inFront(input, context, how, sandbox?.always !== true)
    },
  })
}

type Started = Exclude<Confinement, { how: "refused" }>

/** What a command is started with. */
function startOf({ command }: BashInput, { root, env }: ToolContext, how: Started) {
  const started = { command, cwd: root.folder, env }
  return how.how === "open" ? started : { ...started, env: how.env(env), confine: how.words }
}

async function inBackground(input: BashInput, context: ToolContext, jobs: Jobs, how: Started): Promise<ToolResult> {
  const job = jobs.start({
    ...startOf(input, context, how),
    call: context.call,
    limit: context.limit,
    file: (id) => outputFile(context.root.scratch, `${context.call}-${id}`),
  })
  return { output: `Started as ${job.id}. BashOutput shows what it prints and can end it.` }
}

async function inFront(input: BashInput, context: ToolContext, how: Started, mayLeave: boolean): Promise<ToolResult> {
  const output = keepOutput({ file: outputFile(context.root.scratch, context.call), limit: context.limit })
  const decoder = new TextDecoder()
  const running = runCommand({
    ...startOf(input, context, how),
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
  const confined = how.how === "confined"
  const all = confined ? "all that it started" : "what could be found of it"
  const late = timedOut ? `It did not finish within ${seconds} seconds and was ended, with ${all}.` : undefined
  const result = outcome(output.text(), ended, confined, late)
  if (!confined || ended.how !== "exit") return result
  const blocked = blockedBy(output.text(), how.network)
  if (blocked === undefined) return result
  // It continued nevertheless: the agent judges what that means, and nobody is asked.
  if (ended.code === 0) return { ...result, output: `${result.output}\n(A part of it may have failed. ${blocked})` }
  if (!mayLeave) return { ...result, output: `${result.output}\n(${blocked})` }
  return { ...result, output: `${result.output}\n(${blocked})`, again: { ...input, sandbox: false } as JsonObject }
}

/** Only a sandbox knows everything that was started in it. */
function leftWords(left: Left, confined: boolean): string {
  switch (left) {
    case "nothing":
      return ""
    case "ended":
      return ` What ${confined ? "it left running" : "could be found of it still running"} was ended; use background for that.`
    case "not found":
      return " Something that it started holds its output open, could not be found and may still run; use background for that."
    default:
      return unreachable(left)
  }
}

function outcome(text: string, ended: Ended, confined: boolean, late: string | undefined): ToolResult {
  const body = text.trimEnd()
  if (late !== undefined) return failure(withNote(body, late))
  switch (ended.how) {
    case "failed":
      return failure(`The command could not be started: ${ended.problem}`)
    case "signal":
      return failure(withNote(body, `It was ended by ${ended.signal}.`))
    case "exit": {
      const left = leftWords(ended.left, confined)
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

/** The C library's messages; most programs include them in their own. */
const READ_ONLY = /Read-only file system|EROFS/

const NO_NETWORK =
  /Network is unreachable|Could not resolve host|Temporary failure in name resolution|ENETUNREACH|EAI_AGAIN|Name or service not known/

/**
 * Whether a command, or part of it, failed because of its sandbox, judged by its output. Pure. What to tell the model;
 * undefined if the sandbox was not the cause.
 */
function blockedBy(output: string, network: "on" | "off"): string | undefined {
  if (READ_ONLY.test(output)) return "The sandbox lets commands write only to the workspace, /tmp and caches."
  if (network === "off" && NO_NETWORK.test(output)) return "The sandbox has no network."
  return undefined
}
