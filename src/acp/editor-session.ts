// One session that an editor has open: what happens in it, as updates; what the editor asks of it, as calls of the Host port.
import { path } from "../history/tree/tree.ts"
import { isObject, type Json, type JsonObject } from "../model/json.ts"
import { CHOICES, type Offers, offeredAs, offeredFor } from "../model/offers.ts"
import { PERMISSION_MODES } from "../model/permission-mode.ts"
import { parseThinking, THINKING_LEVELS } from "../model/thinking.ts"
import { unreachable } from "../model/unreachable.ts"
import { RPC, RpcError, type RpcPeer } from "../programs/rpc.ts"
import type { HostEvent } from "../protocol/event.ts"
import type { HostSession } from "../protocol/host.ts"
import type { Question } from "../protocol/numbered-event.ts"
import { workIn } from "../protocol/open-to-work.ts"
import { ownRequests } from "../protocol/own-requests.ts"
import { nobodyThere } from "../protocol/question.ts"
import type { ModelItem, Status } from "../protocol/shapes.ts"
import type { CommandServices } from "../tui/commands/command.ts"
import { COMMANDS, runCommand } from "../tui/commands/commands.ts"
import { isDriven, OF_OUR_AGENT } from "../tui/commands/their-commands.ts"
import { plainEvents } from "../tui/plain/plain-events.ts"
import { plainTerminal } from "../tui/plain/plain-terminal.ts"
import { makeUnsent } from "../tui/plain/plain-unsent.ts"
import { plainAdvice } from "../tui/words/advice-words.ts"
import { MODE_WORDS } from "../tui/words/mode-words.ts"
import { absolute, callEnd, callStart, chunk, fenced, partUpdates, promptOf, textOf } from "./content.ts"
import { editOf } from "./edit.ts"
import { approvalOf, permissionRequest, type ReadText } from "./question.ts"

export interface EditorSessionDeps extends Omit<CommandServices, "cwd"> {
  now: () => number
  /** The models that can be chosen. */
  models: () => Promise<ModelItem[]>
  /** A file as it is now; undefined if there is none, or if it is not a text that an editor would show. */
  read: ReadText
}

/** What an editor has its own ways for. */
const NOT_HERE: ReadonlySet<string> = new Set(["new", "resume", "split", "quit", "help", "model", "think", "mode"])
/** What is printed in columns. */
const IN_COLUMNS: ReadonlySet<string> = new Set(["tree", "branches", "rewind", "diff", "cost", "doctor", "allow"])
const OFFERED = COMMANDS.filter(({ name }) => !NOT_HERE.has(name))

/** What the terminal says of events that are neither text nor calls. */
const WORTH_A_NOTICE: ReadonlySet<HostEvent["type"]> = new Set([
  "notice",
  "retry",
  "compaction-start",
  "compaction-end",
  "backtracked",
  "changed",
  "sandbox",
])

const AS_CONFIGURED = "default"

export class EditorSession {
  readonly session: HostSession
  readonly #peer: RpcPeer
  readonly #deps: EditorSessionDeps
  /** Whether the editor shows notices apart from the agent's messages. */
  readonly #notices: boolean
  readonly #asked = new Map<string, AbortController>()
  /** Calls that are shown as an edit. */
  readonly #edits = new Set<string>()
  #models: ModelItem[] = []
  /** What another agent's program offers that works in the session. */
  #offers: Offers | undefined
  #told: Status
  #moves = 0

  constructor(session: HostSession, peer: RpcPeer, deps: EditorSessionDeps, notices: boolean) {
    this.session = session
    this.#peer = peer
    this.#deps = deps
    this.#notices = notices
    this.#told = session.status()
    session.on(({ event }) => this.#tell(event))
  }

  /** What the editor gets when it opens the session. Its commands follow. */
  async about(): Promise<JsonObject> {
    this.#models = this.session.agent === undefined ? await this.#deps.models() : []
    const offers = isDriven(this.session) ? await this.session.offers().catch(() => undefined) : undefined
    this.#offers = offers
    const theirs = (offers?.commands ?? []).filter(({ name }) => !this.#isOurs(name))
    const ours = OFFERED.filter(({ name }) => this.#isOurs(name))
    const availableCommands = [...ours, ...theirs].map(({ name, hint = "", about }) => ({
      name,
      description: about.replace(/ \(or [^)]*\)$/, ""),
      ...(hint !== "" && { input: { hint } }),
    }))
    setImmediate(() => this.#update({ sessionUpdate: "available_commands_update", availableCommands }))
    return {
      sessionId: this.session.id,
      ...this.#modes(),
      configOptions: this.#configOptions(),
      _meta: { retcon: { agent: this.session.agent ?? "retcon" } },
    }
  }

  /** Whether a command of this name is one of ours here. */
  #isOurs(name: string): boolean {
    const isTheirs = OF_OUR_AGENT.has(name) && this.#offers?.commands.some((each) => each.name === name) === true
    return !isTheirs && OFFERED.some((each) => each.name === name)
  }

  #modes(): JsonObject {
    const offers = this.#offers
    const own = PERMISSION_MODES.map((id) => ({ id, name: id, description: MODE_WORDS[id] }))
    if (offers === undefined) return { modes: { currentModeId: this.session.status().mode, availableModes: own } }
    const [first] = offers.modes
    if (first === undefined) return {}
    const availableModes = offers.modes.map(({ id, name, about = "" }) => ({ id, name, description: about }))
    return { modes: { currentModeId: offers.mode ?? first.id, availableModes } }
  }

  #offered(offers: Offers): JsonObject[] {
    return (["model", "effort"] as const).flatMap((what) => {
      const options = offeredFor(offers, what).map(({ id, name, about = "" }) => ({
        value: id,
        name,
        description: about,
      }))
      const [first] = options
      if (first === undefined) return []
      const now = offers[what] ?? first.value
      const id = offeredAs(offers, what, now)?.id
      if (id === undefined) options.unshift({ value: now, name: now, description: "" })
      const [name, category] = what === "model" ? ["Model", "model"] : ["Effort", "thought_level"]
      return [{ type: "select", id: what, name, category, currentValue: id ?? now, options }]
    })
  }

  #configOptions(): JsonObject[] {
    if (this.#offers !== undefined) return this.#offered(this.#offers)
    if (this.session.agent !== undefined) return []
    const { model, thinking } = this.session.status()
    const usable = this.#models.filter(({ missing }) => missing === undefined)
    const models = usable.map(({ value, about }) => ({ value, name: value, description: about }))
    if (!usable.some(({ value }) => value === model)) models.unshift({ value: model, name: model, description: "" })
    const levels = [AS_CONFIGURED, ...THINKING_LEVELS].map((value) => ({ value, name: value }))
    const select = { type: "select" }
    return [
      { ...select, id: "model", name: "Model", category: "model", currentValue: model, options: models },
      {
        ...select,
        id: "thinking",
        name: "Thinking",
        category: "thought_level",
        currentValue: thinking ?? AS_CONFIGURED,
        options: levels,
      },
    ]
  }

  async set(option: Json | undefined, value: Json | undefined): Promise<JsonObject> {
    const choice = CHOICES.find((each) => each === option)
    const work = workIn(this.session)
    if (this.#offers !== undefined && choice !== undefined) {
      await work.choose(choice, textOf(value))
      this.#offers = await work.offers()
    } else if (option === "model") await work.setModel(textOf(value))
    else if (option === "thinking") await work.setThinking(parseThinking(value) ?? null)
    else throw new RpcError(RPC.wrongParams, `There is no option ${JSON.stringify(option)}.`)
    return { configOptions: this.#configOptions() }
  }

  /** The path, as if it happened now. What was left behind is not on it. */
  async replay(): Promise<void> {
    const { history } = this.session
    const rows = path(history, this.session.head)
    await this.session.load(rows)
    for (const row of rows) {
      const record = history.record(row)
      if (record?.type !== "message") continue
      for (const part of record.content)
        for (const each of partUpdates(part, record.role, record.id)) this.#update(each)
    }
  }

  /** Contract: everything that it led to has been told when it resolves. */
  async prompt(blocks: Json | undefined, cancelled: AbortSignal): Promise<JsonObject> {
    const input = promptOf(blocks)
    const [, name = ""] = /^\/([a-z]+)(?:\s|$)/.exec(input.text) ?? []
    if (this.#isOurs(name)) {
      await this.#command(name, input.text)
      return { stopReason: "end_turn" }
    }
    cancelled.addEventListener("abort", () => void this.session.stop())
    const own = ownRequests(this.session)
    const answer = await own.send(own.expects(), (asked) => workIn(this.session).send(input, asked))
    if (answer.outcome === "failed") {
      const words = `${answer.message} ${plainAdvice(answer.advice, this.session.id)}`.trimEnd()
      throw new RpcError(RPC.internal, words)
    }
    return { stopReason: answer.outcome === "done" || answer.outcome === "steered" ? "end_turn" : "cancelled" }
  }

  async #command(name: string, line: string): Promise<void> {
    const said: string[] = []
    let settled: Promise<void> | undefined
    const terminal = plainTerminal({
      ...this.#deps,
      cwd: this.session.cwd,
      say: (text) => void said.push(text),
      asks: true,
      confirm: (question, act) => {
        const asked = this.#confirm([...said.splice(0), question.replace(/ y\/N$/, "")].join("\n"))
        settled = asked.then((yes) => (yes ? act() : void said.push("Nothing was changed.")))
        return true
      },
      unsent: makeUnsent((text) => void said.push(text)),
      session: () => this.session,
      change: (next) => next.close().then(() => undefined),
    })
    await runCommand(terminal, line)
    await settled?.catch((error: unknown) => terminal.fail(error))
    const words = said.join(IN_COLUMNS.has(name) ? "\n" : "\n\n")
    if (words !== "") this.#update(chunk("agent", IN_COLUMNS.has(name) ? fenced(words) : words))
  }

  async #confirm(question: string): Promise<boolean> {
    const answer = await this.#peer
      .request("session/request_permission", {
        sessionId: this.session.id,
        toolCall: {
          toolCallId: `retcon-move-${++this.#moves}`,
          title: "Go there?",
          kind: "other",
          status: "pending",
          content: [{ type: "content", content: { type: "text", text: fenced(question) } }],
        },
        options: [
          { optionId: "yes", name: "Yes", kind: "allow_once" },
          { optionId: "no", name: "No", kind: "reject_once" },
        ],
      })
      .catch(() => null)
    const outcome = isObject(answer) && isObject(answer.outcome) ? answer.outcome : {}
    return outcome.optionId === "yes"
  }

  #update(update: JsonObject): void {
    this.#peer.notify("session/update", { sessionId: this.session.id, update })
  }

  #notice(level: "info" | "warning", text: string): void {
    if (this.#notices) this.#update({ sessionUpdate: "notice", severity: level, title: text })
    else this.#update(chunk("agent", `\n\n_${text.replaceAll("_", "\\_")}_\n\n`))
  }

  #tell(event: HostEvent): void {
    if (event.type === "approval-start") return this.#ask(event)
    if (event.type === "approval-end") return this.#asked.get(event.approval)?.abort()
    if (event.task !== undefined) return
    if (WORTH_A_NOTICE.has(event.type)) {
      const level = event.type === "notice" ? event.level : "info"
      plainEvents(event, (text) => this.#notice(level === "info" ? "info" : "warning", text))
      return
    }
    const update = this.#updateOf(event)
    if (update !== undefined) this.#update(update)
  }

  #updateOf(event: HostEvent): JsonObject | undefined {
    switch (event.type) {
      case "text-delta":
        return chunk("agent", event.text)
      case "reasoning-delta":
        return { sessionUpdate: "agent_thought_chunk", content: { type: "text", text: event.text } }
      case "tool-start":
        return { ...callStart(event), ...this.#edit(event) }
      case "tool-end": {
        const { content, ...ended } = callEnd(event)
        const locations = event.files.map(({ path }) => ({ path: absolute(this.session.cwd, path) }))
        // The diff is what the person wants to see of an edit.
        const hasDiff = this.#edits.delete(event.call) && !event.error
        return { ...ended, ...(!hasDiff && { content: content ?? [] }), ...(locations.length > 0 && { locations }) }
      }
      case "todos":
        return { sessionUpdate: "plan", entries: event.todos.map(planEntry) }
      case "configured": {
        const title = this.session.config().get("title")
        return event.key === "title" ? { sessionUpdate: "session_info_update", title: title ?? null } : undefined
      }
      case "step-end": {
        const { used, window } = this.session.status().context
        return window === undefined ? undefined : { sessionUpdate: "usage_update", used, size: window }
      }
      case "status": {
        const before = this.#told
        this.#told = event.status
        const { model, thinking, program, mode: own } = event.status
        const mode = program?.mode ?? own
        if ((before.program?.mode ?? before.mode) !== mode)
          return { sessionUpdate: "current_mode_update", currentModeId: mode }
        const isSame = before.model === model && before.thinking === thinking
        if (isSame && before.program?.effort === program?.effort) return undefined
        return { sessionUpdate: "config_option_update", configOptions: this.#configOptions() }
      }
      case "appended":
      case "approval-end":
      case "approval-start":
      case "backtracked":
      case "changed":
      case "compaction-end":
      case "compaction-start":
      case "denied":
      case "end":
      case "host-closing":
      case "labelled":
      case "moved":
      case "not-covered":
      case "notice":
      case "reasoning-end":
      case "retry":
      case "attempt":
      case "rows-anew":
      case "sandbox":
      case "steer-given":
      case "steer-queued":
      case "steer-withdrawn":
      case "step-start":
      case "text-end":
      case "tool-delta":
      case "turn-end":
      case "turn-start":
        return undefined
      default:
        return unreachable(event)
    }
  }

  #edit({ call, diff, input }: Extract<HostEvent, { type: "tool-start" }>): JsonObject {
    const named = isObject(input) ? textOf(input.path ?? input.file_path) : ""
    if (diff === undefined || named === "") return {}
    const path = absolute(this.session.cwd, named)
    const edit = editOf(diff, this.#deps.read(path))
    if (edit === undefined) return {}
    this.#edits.add(call)
    return { content: [{ type: "diff", path, ...edit }], locations: [{ path }] }
  }

  #ask(question: Question): void {
    const { approval, title } = question
    const withdrawn = new AbortController()
    this.#asked.set(approval, withdrawn)
    const request = permissionRequest(this.session.id, question, this.#deps.read)
    void this.#peer
      .request("session/request_permission", request, withdrawn.signal)
      .then(
        (answer) => approvalOf(answer, question),
        () => nobodyThere(title),
      )
      .then((answer) => withdrawn.signal.aborted || this.session.work?.answer(approval, answer))
      .finally(() => this.#asked.delete(approval))
  }
}

function planEntry({ text, status }: { text: string; status: "pending" | "doing" | "done" }): JsonObject {
  const now = { pending: "pending", doing: "in_progress", done: "completed" }[status]
  return { content: text, priority: "medium", status: now }
}
