// Drives a program that speaks the Agent Client Protocol. It reads and writes files and runs commands by itself: it is offered no
// methods for that, and a call of one is answered with that there is none.
import { agentTitle } from "../../model/agent-title.ts"
import { RetconError } from "../../model/failure/retcon-error.ts"
import { isObject, type Json, type JsonObject } from "../../model/json.ts"
import type { AgentChoice } from "../../model/offers.ts"
import type { Part } from "../../model/record/record.ts"
import { sanitiseLine } from "../../model/text/sanitise.ts"
import { type Child, startChild } from "../child.ts"
import type { AgentProgram, LiveAgent, OpenAgent, ProgramEnd } from "../port.ts"
import { RPC, RpcError, type RpcPeer, rpcPeer } from "../rpc.ts"
import { type AcpLaunch, loadsIn } from "./launch.ts"
import { AcpOffers } from "./offers.ts"
import { CANCELLED, outcomeOf, questionOf } from "./question.ts"
import { type TurnUpdates, textOf, turnUpdates } from "./updates.ts"

export interface AcpProgramOptions {
  launch: AcpLaunch
  /** The program's path. */
  program: string
  env: Readonly<Record<string, string | undefined>>
  version: string
  now: () => number
  /** How long it may take to answer while it starts. */
  startMs?: number
}

/** A busy machine and a program of many megabytes. */
const START_MS = 60_000
/** How long a program may take to end a turn by itself. */
const STOP_MS = 900

export function acpProgram(options: AcpProgramOptions): AgentProgram {
  const { launch, program, env } = options
  const title = agentTitle(launch.agent)
  return {
    async open(request) {
      const wait = request.session === undefined ? 0 : loadsIn(launch, request.session.file, options.now())
      if (wait > 0) throw tooEarly(title, wait)
      const agent = new AcpAgent(title, request, launch)
      const child = startChild({
        command: [program, ...launch.command.slice(1)],
        cwd: request.cwd,
        env,
        line: (line) => agent.peer.take(line),
      })
      agent.child = child
      void child.gone.then(({ problem, said, code }) =>
        agent.peer.close(problem ?? `${title} has ended (${code ?? "it could not be started"}).${lastLine(said)}`),
      )
      try {
        await within(options.startMs ?? START_MS, title, open(agent, request, options))
      } catch (error) {
        await child.end()
        throw openFailure(error, launch, title)
      }
      return agent
    },
  }
}

/** The protocol's first requests, up to a session that a prompt can be sent to. */
async function open(agent: AcpAgent, { session, cwd }: OpenAgent, { launch, env, version }: AcpProgramOptions) {
  const { peer } = agent
  const about = await peer.request("initialize", {
    protocolVersion: 1,
    clientCapabilities: { fs: { readTextFile: false, writeTextFile: false }, terminal: false },
    clientInfo: { name: "retcon", title: "retcon", version },
  })
  const capabilities = fieldsOf(fieldsOf(about).agentCapabilities)
  agent.acp = new AcpOffers(capabilities)
  const key = launch.auth
  if (key !== undefined && env[key.variable] !== undefined) await peer.request("authenticate", { methodId: key.method })
  if (session === undefined) {
    const made = fieldsOf(await peer.request("session/new", { cwd, mcpServers: [] }))
    agent.session = textOf(made.sessionId)
    agent.acp.take(made)
    // Its answer to a method that it does not have comes after the greeting.
    if (launch.greets === true) await peer.request("_retcon/greeted", {}).catch(() => undefined)
    return
  }
  const can = fieldsOf(capabilities.sessionCapabilities)
  // Resuming replays nothing. What loading replays comes before its answer, when no prompt runs, and is passed over.
  const method = isObject(can.resume) ? "session/resume" : "session/load"
  agent.session = session.id
  agent.acp.take(fieldsOf(await peer.request(method, { sessionId: session.id, cwd, mcpServers: [] })))
}

interface Turn {
  updates: TurnUpdates
  /** Aborted when it is stopped or has ended: what it asks then is nobody's to answer. */
  over: AbortController
  stopping: boolean
  ended: Promise<ProgramEnd>
}

class AcpAgent implements LiveAgent {
  session = ""
  acp = new AcpOffers({})
  readonly peer: RpcPeer
  readonly #title: string
  readonly #callPrefix: RegExp | undefined
  readonly #request: OpenAgent
  #child: Child | undefined
  #turn: Turn | undefined

  constructor(title: string, request: OpenAgent, { callPrefix }: AcpLaunch) {
    this.#callPrefix = callPrefix
    this.#title = title
    this.#request = request
    this.peer = rpcPeer({
      send: (message) => this.#child?.send(message),
      methods: {
        "session/update": ({ update }) => this.#update(fieldsOf(update)),
        "session/request_permission": (params, signal) => this.#asked(params, signal),
      },
    })
  }

  set child(child: Child) {
    this.#child = child
  }

  get offers() {
    return this.acp.now
  }

  get gone(): Promise<void> {
    return (this.#child as Child).gone.then(() => undefined)
  }

  prompt({ text, media }: Parameters<LiveAgent["prompt"]>[0]): Promise<ProgramEnd> {
    const { images, files } = this.offers
    const unfit = media.find(({ type }) => (type === "image" ? !images : !files))
    if (unfit !== undefined) {
      const message = `${this.#title} takes no ${unfit.type === "image" ? "images" : "files"} with a prompt.`
      return Promise.resolve({ outcome: "failed", message, denied: [] })
    }
    const over = new AbortController()
    const turn: Omit<Turn, "ended"> = {
      updates: turnUpdates(this.#request.told, this.#callPrefix),
      over,
      stopping: false,
    }
    const ended = this.#prompted(turn, [{ type: "text", text }, ...media.flatMap(blockOf)])
    this.#turn = Object.assign(turn, { ended })
    return ended
  }

  async #prompted(turn: Omit<Turn, "ended">, prompt: Json[]): Promise<ProgramEnd> {
    try {
      const answer = fieldsOf(await this.peer.request("session/prompt", { sessionId: this.session, prompt }))
      turn.updates.end(answer)
      return { outcome: turn.stopping || answer.stopReason === "cancelled" ? "stopped" : "done", denied: [] }
    } catch (error) {
      turn.updates.end({})
      if (turn.stopping) return { outcome: "stopped", denied: [] }
      return { outcome: "failed", message: failureWords(error, this.#title), denied: [] }
    } finally {
      this.#turn = undefined
      turn.over.abort()
    }
  }

  /** Whatever it says when no prompt runs belongs to no turn: a replay, or a banner. */
  #update(update: JsonObject): undefined {
    const changed = this.acp.update(update)
    if (changed !== undefined) this.#request.told({ type: changed })
    else if (update.sessionUpdate === "notice") this.#noticed(update)
    else this.#turn?.updates.take(update)
  }

  #noticed({ severity, title, description }: JsonObject): void {
    const text = [title, description]
      .map(textOf)
      .filter((each) => each !== "")
      .join(" ")
    const level = severity === "warning" || severity === "error" ? "warning" : "info"
    if (text !== "") this.#request.told({ type: "notice", level, text })
  }

  async #asked({ toolCall, options }: JsonObject, withdrawn: AbortSignal): Promise<Json> {
    const turn = this.#turn
    if (turn === undefined || turn.stopping) return CANCELLED
    const question = questionOf(turn.updates.call(fieldsOf(toolCall)), options, this.#request.cwd)
    if (question === undefined) {
      const text = `${this.#title} asked something that retcon cannot ask, so the answer was no: ${sanitiseLine(textOf(fieldsOf(toolCall).title))}`
      this.#request.told({ type: "notice", level: "warning", text })
      return CANCELLED
    }
    const signal = AbortSignal.any([turn.over.signal, withdrawn])
    const answer = await this.#request.ask(question, signal)
    return signal.aborted ? CANCELLED : outcomeOf(answer, question.options)
  }

  steer(): Promise<boolean> {
    return Promise.resolve(false)
  }

  async stop(): Promise<void> {
    const turn = this.#turn
    if (turn === undefined) return
    turn.stopping = true
    this.peer.notify("session/cancel", { sessionId: this.session })
    turn.over.abort()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<"late">((settle) => (timer = setTimeout(() => settle("late"), STOP_MS)))
    if ((await Promise.race([turn.ended, late])) === "late") await this.#child?.end()
    clearTimeout(timer)
    await turn.ended
  }

  async choose(what: AgentChoice, value: string): Promise<void> {
    const request = this.acp.request(what, value)
    if (request === undefined) throw invalid(`${this.#title} has no choice of ${what}.`, "Choose it in that program.")
    try {
      const answer = await this.peer.request(request.method, { sessionId: this.session, ...request.params })
      this.acp.chose(what, value)
      this.acp.take(fieldsOf(answer))
      this.#request.told({ type: "settings" })
    } catch (error) {
      throw invalid(failureWords(error, this.#title), "Choose another.")
    }
  }

  async release() {
    await this.stop()
    return (this.#child as Child).end()
  }
}

function blockOf(part: Part): Json[] {
  if (part.type === "image") return [{ type: "image", mimeType: part.mediaType, data: part.data }]
  if (part.type !== "file") return []
  const uri = `file:///${encodeURIComponent(part.name ?? "file")}`
  return [{ type: "resource", resource: { uri, mimeType: part.mediaType, blob: part.data } }]
}

function fieldsOf(value: Json | undefined): JsonObject {
  return isObject(value) ? value : {}
}

/** Some put what is wrong into the data. */
function failureWords(error: unknown, title: string): string {
  const { message, data } = error instanceof RpcError ? error : { message: String(error), data: undefined }
  const details = isObject(data) ? textOf(data.details) || textOf(data.message) : textOf(data)
  const said = details === "" || message.includes(details) ? message : `${message}: ${details}`
  return said.startsWith(title) ? said : `${title} failed: ${said}`
}

function lastLine(said: string): string {
  const line = said.trim().split("\n").at(-1) ?? ""
  return line === "" ? "" : ` ${sanitiseLine(line)}`
}

function invalid(problem: string, advice: string): RetconError {
  return new RetconError({ code: "invalid", problem, advice })
}

function tooEarly(title: string, wait: number): RetconError {
  const seconds = Math.ceil(wait / 1000)
  const problem = `${title} can continue this session in ${seconds} s: within the minute of its creation it would lose it.`
  return invalid(problem, "Send your message again then.")
}

const LOGGED_OUT = /auth|log ?in|logged|api[ _]key|credential/i

function openFailure(error: unknown, { login, command }: AcpLaunch, title: string): RetconError {
  if (error instanceof RetconError) return error
  const needsLogin = error instanceof RpcError && error.code === RPC.needsLogin
  const words = failureWords(error, title)
  if (needsLogin || LOGGED_OUT.test(words))
    return invalid(`${words} Perhaps nobody is logged in.`, `Log in with: ${login}`)
  return invalid(words, `Try it in a shell: ${command.join(" ")}`)
}

async function within<Value>(ms: number, title: string, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const problem = `${title} did not answer within ${Math.round(ms / 1000)} s.`
    timer = setTimeout(() => reject(invalid(problem, "Try again, or start it in a terminal to see why.")), ms)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
