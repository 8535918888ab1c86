// A workspace in a temporary folder, a scripted model, and a step over both.
import { execFileSync } from "node:child_process"
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { onTestFinished } from "vitest"
import type { PermissionRequest } from "../../src/agent/permission/consent.ts"
import { makePolicy } from "../../src/agent/permission/policy.ts"
import type { Tool, ToolContext, ToolResult, WorkRoot } from "../../src/agent/port/tool.ts"
import { createJobs, type Jobs } from "../../src/agent/process/jobs.ts"
import { type StepResult, step } from "../../src/agent/step/step.ts"
import type { StepHooks } from "../../src/agent/step/step-context.ts"
import type { StepEvent } from "../../src/agent/step/step-events.ts"
import { builtInTools } from "../../src/agent/tools/built-in.ts"
import type { Approval } from "../../src/model/approval.ts"
import type { Json } from "../../src/model/json.ts"
import type { PermissionMode } from "../../src/model/permission-mode.ts"
import type { Part } from "../../src/model/record/record.ts"
import type { Model, ModelEvent, ModelMessage } from "../../src/provider/port/port.ts"

export interface Setting {
  root: WorkRoot
  file(path: string, text?: string | Uint8Array): string
  jobs: Jobs
}

export const ENV = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C.UTF-8" }

export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "retcon-agent-")))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function setting(files: Record<string, string> = {}): Setting {
  const folder = temporaryFolder()
  const root = { folder: join(folder, "workspace"), scratch: join(folder, "scratch") }
  const jobs = createJobs()
  onTestFinished(() => jobs.close())
  mkdirSync(root.folder)
  const file = (path: string, text?: string | Uint8Array) => {
    const full = join(root.folder, path)
    mkdirSync(dirname(full), { recursive: true })
    if (text !== undefined) writeFileSync(full, text)
    return full
  }
  for (const [path, text] of Object.entries(files)) file(path, text)
  return { root, file, jobs }
}

type Scripted = { text?: string; calls?: { name: string; input: Json; call?: string; invalid?: string }[] }

/** A model that answers one thing. */
export function scripted(answer: Scripted): Model {
  const content: Part[] = []
  if (answer.text !== undefined) content.push({ type: "text", text: answer.text })
  const events: ModelEvent[] = []
  if (answer.text !== undefined) {
    events.push({ type: "text-start" }, { type: "text-delta", text: answer.text }, { type: "text-end" })
  }
  for (const [i, { name, input, call = `call-${i + 1}`, invalid }] of (answer.calls ?? []).entries()) {
    content.push({ type: "tool-call", call, name, input })
    events.push({ type: "tool-call", call, name, input, ...(invalid === undefined ? {} : { invalid }) })
  }
  const reason = answer.calls === undefined ? "stop" : "tool-calls"
  events.push({ type: "finish", reason, content, usage: { input: 10, output: 5 } })
  return modelOf(async function* () {
    yield* events
  })
}

export function modelOf(run: () => AsyncIterable<ModelEvent>): Model {
  return { id: "test/scripted", window: undefined, maxOutput: undefined, step: run }
}

export interface StepParts {
  mode?: PermissionMode
  allow?: string[]
  deny?: string[]
  answer?: (request: PermissionRequest, signal: AbortSignal) => Approval | Promise<Approval>
  tools?: Tool[]
  checkpoints?: number[]
  messages?: ModelMessage[]
  hooks?: StepHooks
  signal?: AbortSignal
  secrets?: string[]
  env?: Record<string, string>
}

export interface Stepped {
  result: StepResult
  events: StepEvent[]
  asked: PermissionRequest[]
  granted: string[]
  /** The output of each call, in order. */
  outputs: string[]
}

export async function takeStep(at: Setting, model: Model, parts: StepParts = {}): Promise<Stepped> {
  const [events, asked, granted]: [StepEvent[], PermissionRequest[], string[]] = [[], [], []]
  const { mode = "yolo", allow = [], deny = [], checkpoints } = parts
  const result = await step({
    model,
    messages: parts.messages ?? [],
    tools:
      parts.tools ??
      builtInTools({
        jobs: at.jobs,
        ...(checkpoints ? { checkpoints: () => checkpoints.map((n) => ({ n, times: 0 })) } : {}),
      }),
    root: at.root,
    env: parts.env ?? ENV,
    consent: {
      policy: () => makePolicy({ mode, allow: [...allow, ...granted], deny }).policy,
      ask: async (request, signal) => {
        asked.push(request)
        return (await parts.answer?.(request, signal)) ?? { answer: "no", reason: "nobody is here" }
      },
      granted: (rules) => void granted.push(...rules),
    },
    signal: parts.signal ?? new AbortController().signal,
    now: () => 0,
    emit: (event) => void events.push(event),
    ...(parts.hooks ? { hooks: parts.hooks } : {}),
    ...(parts.secrets ? { secrets: parts.secrets } : {}),
  })
  const results = result.outcome === "called" ? result.results : []
  const outputs = results.map((part) => (part.type === "tool-result" ? part.output : ""))
  return { result, events, asked, granted, outputs }
}

/** One tool by itself, without permissions. */
export function runTool<Input>(
  at: Setting,
  tool: Tool<Input>,
  input: Input,
  context: Partial<ToolContext> = {},
): Promise<ToolResult> {
  return tool.run(input, {
    call: "call-1",
    root: at.root,
    signal: new AbortController().signal,
    env: ENV,
    messages: [],
    limit: tool.limit,
    emit: () => undefined,
    now: () => 0,
    hidden: () => false,
    ...context,
  })
}

/** What the model sees after these calls and their outputs. */
export function seen(...calls: { name: string; input: Json; output: string }[]): ModelMessage[] {
  const user: ModelMessage = { role: "user", content: [{ type: "text", text: "go" }] }
  return [
    user,
    ...calls.flatMap(({ name, input, output }, i): ModelMessage[] => [
      { role: "assistant", content: [{ type: "tool-call", call: `earlier-${i}`, name, input }] },
      { role: "tool", content: [{ type: "tool-result", call: `earlier-${i}`, name, output }] },
    ]),
  ]
}

/**
 * Which processes run, as the machine sees it. The commands of a process group that run; one that is dead and not yet
 * collected does not.
 */
export function runningIn(group: number): string[] {
  const table = execFileSync("ps", ["-eo", "pgid=,stat=,args="], { encoding: "utf8" })
  return table.split("\n").flatMap((line) => {
    const [, pgid, state, command] = /^\s*(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? []
    return Number(pgid) === group && state?.startsWith("Z") === false ? [command as string] : []
  })
}

/** What runs on this machine with these words in its command line. */
export function runningWith(words: string): string[] {
  const table = execFileSync("ps", ["-eo", "stat=,args="], { encoding: "utf8" })
  return table.split("\n").filter((line) => line.endsWith(words) && !line.startsWith("Z"))
}

/** A command that no other run of the tests on this machine has. */
export function ownSleep(seconds: number): string {
  return `sleep ${seconds}.${process.pid}`
}
