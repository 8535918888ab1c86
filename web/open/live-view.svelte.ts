// What runs and is not in the tree yet. Words arrive faster than the screen is drawn, so they are added once per frame.
import type { HostEvent } from "../../src/protocol/event.ts"
import type { Live, LiveTool, Question } from "../../src/protocol/numbered-event.ts"

export interface LiveWords {
  text: string
  reasoning: string
}

export class LiveView {
  text = $state("")
  reasoning = $state("")
  /** Words that are recorded but not yet fetched from the tree: shown until they are. */
  settling = $state.raw<readonly LiveWords[]>([])
  tools = $state.raw<ReadonlyMap<string, LiveTool>>(new Map())
  approvals = $state.raw<readonly Question[]>([])
  queued = $state.raw<readonly string[]>([])
  /** Why there is no answer yet, for example a provider being retried. */
  waiting = $state("")
  #waits: HostEvent[] = []
  #frame = 0
  /** Counts how often a turn ended or was cleared for good. */
  #cleared = 0

  /** Takes over a turn that is already running. */
  join(live: Live | undefined): void {
    this.clear()
    if (live === undefined) return
    this.text = live.text
    this.reasoning = live.reasoning
    this.tools = new Map(live.tools.map((tool) => [tool.call, tool]))
    this.approvals = live.approvals
    this.queued = live.queued
  }

  follow(event: HostEvent): void {
    if ("recorded" in event) return
    this.#waits.push(event)
    if (!event.type.endsWith("-delta")) this.flush()
    else if (this.#frame === 0) this.#frame = requestAnimationFrame(() => this.flush())
  }

  /** The answer is recorded. Call the result once the tree shows it. */
  said(): () => void {
    this.flush()
    const said = { text: this.text, reasoning: this.reasoning }
    this.settling = [...this.settling, said]
    this.text = ""
    this.reasoning = ""
    this.waiting = ""
    return () => {
      this.settling = this.settling.filter((each) => each !== said)
    }
  }

  /** Clears what is shown. Call the result to bring it back, with what came since, unless the turn has ended by then. */
  setAside(): () => void {
    this.flush()
    const { text, reasoning, tools, approvals, queued } = this
    this.clear()
    const cleared = this.#cleared
    return () => {
      this.flush()
      if (cleared !== this.#cleared) return
      this.text = text + this.text
      this.reasoning = reasoning + this.reasoning
      this.tools = new Map([...tools, ...this.tools])
      this.approvals = [...approvals, ...this.approvals]
      this.queued = [...queued, ...this.queued]
    }
  }

  clear(): void {
    this.#cleared++
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    this.#waits = []
    this.text = ""
    this.reasoning = ""
    this.waiting = ""
    this.settling = []
    this.tools = new Map()
    this.approvals = []
    this.queued = []
  }

  flush(): void {
    cancelAnimationFrame(this.#frame)
    this.#frame = 0
    const tools = new Map(this.tools)
    let [text, reasoning] = [this.text, this.reasoning]
    for (const event of this.#waits.splice(0)) {
      if (event.type === "text-delta") text += event.text
      else if (event.type === "reasoning-delta") reasoning += event.text
      else this.#other(event, tools)
    }
    this.text = text
    this.reasoning = reasoning
    this.tools = tools
  }

  #other(event: HostEvent, tools: Map<string, LiveTool>): void {
    if (event.type === "tool-start") {
      const { call, name, title } = event
      tools.set(call, { call, name, title, output: "", ended: false })
    } else if (event.type === "tool-delta" || event.type === "tool-end") {
      const tool = tools.get(event.call)
      if (tool === undefined) return
      const ended = event.type === "tool-end"
      const output = (ended ? event.output : tool.output + event.text).slice(-MOST_OUTPUT)
      tools.set(event.call, { ...tool, output, ended })
    } else if (event.type === "approval-start") {
      this.approvals = [...this.approvals.filter(({ approval }) => approval !== event.approval), event]
    } else if (event.type === "approval-end") {
      this.approvals = this.approvals.filter(({ approval }) => approval !== event.approval)
    } else if (event.type === "steer-queued") this.queued = [...this.queued, event.text]
    else if (event.type === "steer-given") this.queued = this.queued.slice(1)
    else if (event.type === "retry") this.waiting = `${event.problem} Trying again…`
  }
}

const MOST_OUTPUT = 65_536
