// One tool call from the model's words to its result: known, valid, allowed, run, cut to size. It always has a result.
import { likeness } from "../files/nearest.ts"
import { isHidden } from "../permission/policy.ts"
import { limitOutput } from "../port/output.ts"
import { failure, type Tool, type ToolContext, type ToolResult } from "../port/tool.ts"
import type { AnswerCall, ReadyCall } from "./call.ts"
import { untilAborted } from "./model-call.ts"
import { permit } from "./permit.ts"
import type { StepContext, StepLimits, StepMachine } from "./step-context.ts"

const NOT_STARTED = "This call was not made: the turn was stopped first."
const INTERRUPTED = "This call was interrupted before it ended. It may have had effects."
/** How long a tool may take to clean up after an abort; killing a command takes this long. */
const ABORT_GRACE = 700
/** Every call of a step may return at least this many characters. */
const LEAST_OUTPUT = 2000
const SLACK = 500
/** How many characters of a call's output people see at once; after that, the milliseconds between two updates. */
const LIVE_OUTPUT = 250_000
const LIVE_PAUSE = 200

/** Contract: the call was not made. */
export function notStarted(): ToolResult {
  return failure(NOT_STARTED)
}

/** The call, ready; or what is wrong with it, in words that let the model do better. */
export function prepare(call: AnswerCall, context: Pick<StepContext, "tools" | "root">): ReadyCall | ToolResult {
  const tool = context.tools.find((candidate) => candidate.name === call.name)
  if (tool === undefined) return failure(unknownTool(call.name, context.tools))
  if (call.invalid !== undefined)
    return failure(`The input of ${tool.name} is not valid: ${call.invalid}. ${expected(tool)}`)
  const parsed = tool.parse(call.input)
  if (!parsed.ok) return failure(`The input of ${tool.name} does not fit: ${parsed.problem}. ${expected(tool)}`)
  return { call, tool, input: parsed.value, effects: tool.effects(parsed.value, context.root) }
}

export function isReady(prepared: ReadyCall | ToolResult): prepared is ReadyCall {
  return "tool" in prepared
}

function unknownTool(name: string, tools: readonly Tool[]): string {
  const near = tools.map((tool) => tool.name).filter((each) => likeness(each.toLowerCase(), name.toLowerCase()) > 0.6)
  const hint = near.length === 0 ? "" : ` Did you mean ${near.join(" or ")}?`
  return `There is no tool ${JSON.stringify(name.slice(0, 100))}.${hint} Tools: ${tools.map((tool) => tool.name).join(", ")}.`
}

function expected(tool: Tool): string {
  return `Expected, as JSON schema: ${JSON.stringify(tool.input)}`
}

/** Contract: rejects only if a hook or the person's side does; whatever the tool does becomes a result. */
export async function runCall(ready: ReadyCall, context: StepContext): Promise<ToolResult> {
  if (context.signal.aborted) return notStarted()
  const permission = await permit(ready, context)
  if (context.signal.aborted) return notStarted()
  if (!permission.ok) return failure(permission.problem)
  const { call, effects } = ready
  const info = { call: call.call, name: call.name, input: call.input, effects }
  const before = await context.hooks.beforeTool?.(info)
  if (before !== undefined) return failure(before.refuse)
  const first = context.signal.aborted ? notStarted() : await finished(ready, context, permission.basis)
  const result = await askedAgain(ready, context, first)
  await context.hooks.afterTool?.(info, result)
  return result
}

/** A call that a sandbox blocked is made again without it, if the person agrees. */
async function askedAgain(ready: ReadyCall, context: StepContext, result: ToolResult): Promise<ToolResult> {
  if (result.again === undefined || context.signal.aborted) return result
  const again = prepare({ ...ready.call, input: result.again }, context)
  if (!isReady(again)) return result
  const permission = await permit(again, context)
  if (!permission.ok) return { ...result, output: `${result.output}\n(Outside the sandbox: ${permission.problem})` }
  return context.signal.aborted ? result : finished(again, context, permission.basis)
}

async function finished(ready: ReadyCall, context: StepContext, basis: string | undefined): Promise<ToolResult> {
  const { tool, call } = ready
  const late = new AbortController()
  const timer = tool.timeout === undefined ? undefined : setTimeout(() => late.abort(), tool.timeout)
  const signal = AbortSignal.any([context.signal, late.signal])
  const abort = untilAborted(signal)
  let live = true
  let shown = ""
  const pass = liveOutput(context, call.call)
  const emit = (text: string) => {
    if (!live) return
    shown = (shown + text).slice(-limitOf(tool, context))
    pass(text)
  }
  const running = attempt(ready, contextOf(context, call.call, { signal, emit, basis, limit: limitOf(tool, context) }))
  const first = await Promise.race([running, abort.promise])
  const ended = first === "aborted" ? await Promise.race([running, pause(ABORT_GRACE)]) : first
  live = false
  clearTimeout(timer)
  abort.forget()
  if (context.signal.aborted && first === "aborted") {
    const until = (ended?.output ?? shown).trimEnd()
    return cutToSize(failure(until === "" ? INTERRUPTED : `${until}\n(${INTERRUPTED})`), ready, context)
  }
  if (first === "aborted")
    return failure(`${tool.name} did not finish within ${(tool.timeout ?? 0) / 1000} seconds and was stopped.`)
  return cutToSize(first, ready, context)
}

/** Output for people, as it arrives; if there is very much of it, only the newest now and then. */
function liveOutput(context: Pick<StepContext, "emit" | "now" | "redact">, call: string): (text: string) => void {
  let [passed, last] = [0, Number.NEGATIVE_INFINITY]
  return (text) => {
    const now = context.now()
    if (passed > LIVE_OUTPUT && now - last < LIVE_PAUSE) return
    const newest = passed > LIVE_OUTPUT ? text.slice(-2000) : text
    passed += newest.length
    last = now
    context.emit({ type: "tool-delta", call, text: context.redact(newest) })
  }
}

async function attempt(ready: ReadyCall, context: ToolContext): Promise<ToolResult> {
  try {
    return await ready.tool.run(ready.input, context)
  } catch (error) {
    return failure(`${ready.tool.name} failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

type OfCall = Pick<ToolContext, "signal" | "emit" | "limit"> & { basis: string | undefined }

function contextOf(context: StepContext, call: string, { basis, ...ofCall }: OfCall): ToolContext {
  const { root, env, messages, now } = context
  const policy = context.consent.policy()
  const { folder, home, scratch } = root
  const copy = root.origin === undefined ? {} : { copy: folder }
  const own = root.own === undefined ? undefined : { folder: root.own, scratch, names: [], ...copy }
  const hidden = (path: string) => isHidden(path, { root: folder, home, own }, policy)
  return { call, root, env, messages, now, hidden, ...ofCall, ...(basis === undefined ? {} : { basis }) }
}

/** The calls of a step share the output that a step may have. */
function limitOf(tool: Tool, { characters, calls }: StepLimits): number {
  return Math.min(tool.limit, Math.max(LEAST_OUTPUT, Math.floor(characters / Math.max(1, calls))))
}

async function cutToSize(result: ToolResult, ready: ReadyCall, context: StepMachine & StepLimits): Promise<ToolResult> {
  const output = context.redact(result.output === "" ? "(no output)" : result.output)
  const keep = { folder: context.root.scratch, name: ready.call.call }
  // A tool that limits its own output may exceed the limit by the words that say so.
  const limit = limitOf(ready.tool, context) + SLACK
  return { ...result, output: await limitOutput(output, limit, keep) }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((settle) => {
    setTimeout(settle, milliseconds).unref()
  })
}
