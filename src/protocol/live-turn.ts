// What a turn has said and done that is not in the tree yet, for front ends that join late. Host and clients both track it.
import type { EntryId } from "../model/id.ts"
import { type HostEvent, OWN_COMMAND } from "./event.ts"
import type { Live, LiveTool, Question } from "./numbered-event.ts"

export interface LiveTurn {
  follow(event: HostEvent): void
  /** The turn was stopped: nothing of it is live any more, except the person's own commands. */
  clear(): void
  /** Starts from the state that someone else has tracked so far. */
  join(live: Omit<Live, "turn"> | undefined): void
  /** Undefined if nothing runs. `active`: whether a turn runs. */
  now(active: boolean): Omit<Live, "turn"> | undefined
}

/** Characters of a tool's output to keep. */
const MOST_OUTPUT = 65_536

export function makeLive(): LiveTurn {
  let prompt: EntryId | null = null
  let [text, reasoning] = ["", ""]
  const tools = new Map<string, LiveTool>()
  const approvals = new Map<string, Question>()
  let queued: string[] = []

  function said(): void {
    text = ""
    reasoning = ""
  }

  /** The step is recorded, so it is in the tree. The person's own commands keep running from step to step. */
  function recorded(): void {
    said()
    for (const [call, { name, ended }] of tools) if (ended || name !== OWN_COMMAND) tools.delete(call)
  }

  function clear(): void {
    prompt = null
    recorded()
    approvals.clear()
  }

  function followTool(event: HostEvent): void {
    if (event.type === "tool-start") {
      const { call, name, title } = event
      tools.set(call, { call, name, title, output: "", ended: false })
    }
    const tool = event.type === "tool-delta" || event.type === "tool-end" ? tools.get(event.call) : undefined
    if (tool === undefined) return
    if (event.type === "tool-delta") tool.output = (tool.output + event.text).slice(-MOST_OUTPUT)
    if (event.type !== "tool-end") return
    tool.output = event.output.slice(-MOST_OUTPUT)
    tool.ended = true
    if (tool.name === OWN_COMMAND) tools.delete(event.call)
  }

  /** A message typed too late for the last step becomes the next prompt. If the turn did not end well, all of them come back. */
  function followQueue(event: HostEvent): void {
    if (event.type === "steer-queued") queued.push(event.text)
    if (event.type === "steer-given") queued.shift()
    if (event.type === "steer-withdrawn") queued.pop()
    if (event.type === "turn-end") queued = event.outcome === "done" ? queued.slice(1) : []
  }

  return {
    clear,
    follow(event) {
      const { type } = event
      if (type === "approval-start") approvals.set(event.approval, event)
      if (type === "approval-end") approvals.delete(event.approval)
      if (event.task !== undefined) return
      if (type === "turn-start" || type === "step-start") recorded()
      if (type === "turn-start") prompt = event.entry
      if (type === "text-delta" && !event.recorded) text += event.text
      if (type === "reasoning-delta" && !event.recorded) reasoning += event.text
      if (type === "step-end" || type === "retry") said()
      if (type === "turn-end") clear()
      followTool(event)
      followQueue(event)
    },
    join(live) {
      clear()
      tools.clear()
      prompt = live?.prompt ?? null
      text = live?.text ?? ""
      reasoning = live?.reasoning ?? ""
      for (const tool of live?.tools ?? []) tools.set(tool.call, { ...tool })
      for (const question of live?.approvals ?? []) approvals.set(question.approval, question)
      queued = [...(live?.queued ?? [])]
    },
    now(active) {
      if (!active && tools.size === 0) return undefined
      const running = [...tools.values()].map((tool) => ({ ...tool }))
      return { prompt, text, reasoning, tools: running, approvals: [...approvals.values()], queued: [...queued] }
    },
  }
}
