// The program of another agent that works in an open session: at most one. It is started for the first prompt, stays for the next
// ones, and is ended before a move, after a while without work, and with the session.
import { statSync } from "node:fs"
import { agentTitle } from "../../model/agent-title.ts"
import { orNothing, RetconError } from "../../model/failure/retcon-error.ts"
import type { EntryId } from "../../model/id.ts"
import { type AgentChoice, CHOICES, type Offers, offeredAs, offeredFor } from "../../model/offers.ts"
import type { Part } from "../../model/record/record.ts"
import type { AgentProgram, LiveAgent, OpenAgent, ProgramEnd, ProgramEvent, TheirSession } from "../../programs/port.ts"
import type { PromptInput } from "../../protocol/host.ts"
import type { Session } from "../../session/session.ts"

const COPY = { do: "split", to: "retcon" } as const
const IDLE_MS = 10 * 60_000

export interface HeldAgent {
  /** One prompt. Contract: as `LiveAgent.prompt`; rejects with what `AgentProgram.open` rejects with, or `session-busy`. */
  prompt(input: { text: string; media: readonly Part[] }, turn: HeldTurn): Promise<ProgramEnd>
  /** What it offers, once it has been started. */
  readonly offers: Offers | undefined
  /** The same; starts it if need be. Contract: rejects with what `AgentProgram.open` rejects with, or `session-busy`. */
  offered(): Promise<Offers>
  steer(text: string): Promise<boolean>
  /**
   * By id or name. It holds for this session until it is closed, even if the program is started anew.
   * Contract: as `offered`, and `invalid` if the program does not offer it.
   */
  choose(what: AgentChoice, value: string): Promise<void>
  /** Contract: afterwards no process of ours has the session open. */
  release(): Promise<void>
  /** The next prompt is the first of the session, and the program has it already. */
  readonly isBeginning: boolean
  /** A process of ours may have it open. */
  readonly isOpen: boolean
  /** Whether ours was the last program to work in the session, and has ended. */
  wasLast(): boolean
  /** Call after a move of ours: what it wrote is nobody else's work. */
  moved(): void
}

export interface HeldTurn extends Pick<OpenAgent, "told" | "ask"> {
  signal: AbortSignal
  /** Done before the prompt is sent, while the program starts. */
  before: () => Promise<void>
}

export interface HeldAgentDeps {
  session: Pick<Session, "log" | "head" | "id">
  program: AgentProgram
  cwd: string
  /** What the person has allowed so far, as rules of that agent. */
  allowed: () => readonly string[]
  /** What it says outside a turn: its offers have changed, or a notice. */
  told: (event: ProgramEvent) => void
  idleMs?: number
  /** A program that has begun this session, and works on its first prompt. */
  begun?: BegunAgent
}

export interface BegunAgent {
  live: LiveAgent
  input: PromptInput
  ended: Promise<ProgramEnd>
  /** What it says and asks is for this turn from now on; what it has said before comes first. */
  attach(turn: Pick<OpenAgent, "told" | "ask">): void
}

/** Starts the program for a new session, with its first prompt: its file appears only then. Contract: as `AgentProgram.open`. */
export async function beginAgent(program: AgentProgram, cwd: string, input: PromptInput): Promise<BegunAgent> {
  let early: ProgramEvent[] | undefined = []
  let attach: BegunAgent["attach"] = () => undefined
  const attached = new Promise<Pick<OpenAgent, "told" | "ask">>((settle) => (attach = settle))
  let told: OpenAgent["told"] = (event) => void early?.push(event)
  const live = await program.open({
    cwd,
    session: undefined,
    allow: [],
    told: (event) => told(event),
    ask: async (question, signal) => (await attached).ask(question, signal),
  })
  const ended = live.prompt({ text: input.text, media: input.media ?? [] })
  return {
    live,
    input,
    ended,
    attach(turn) {
      told = turn.told
      attach(turn)
      for (const event of early ?? []) turn.told(event)
      early = undefined
    },
  }
}

export function holdAgent({ session, program, cwd, allowed, told, idleMs = IDLE_MS, begun }: HeldAgentDeps): HeldAgent {
  let opening = begun && Promise.resolve(begun.live)
  let live = begun?.live
  let first = begun
  let turn: HeldTurn | undefined
  let ending: Promise<void> | undefined
  let unhold = begun === undefined ? () => {} : hold()
  /** A prompt is on its way, from before the program is started until it has ended. */
  let works = begun !== undefined
  /** Where the conversation was when it last worked. Elsewhere it would not know of the move. */
  let at: EntryId | null | undefined
  let idle: NodeJS.Timeout | undefined
  let left: string | undefined
  /** The rules that it was started with. */
  let given = ""
  /** By the person. A program that is started anew begins with its own defaults. */
  const chosen = new Map<AgentChoice, string>()
  const title = agentTitle(session.log.agent ?? "")

  /** Between turns another process may ask for the session. */
  function hold(): () => void {
    return session.log.program?.hold(() => void (!works && release())) ?? (() => {})
  }

  async function open(): Promise<LiveAgent> {
    await ending
    const allow = allowed()
    const isStale = (at !== undefined && at !== session.head) || given !== allow.join("\n")
    if (live !== undefined && isStale) await release()
    if (opening !== undefined) return opening
    const opened = start(allow)
    opening = opened
    given = allow.join("\n")
    const forget = () => {
      if (opening !== opened) return
      ;[opening, live] = [undefined, undefined]
      unhold()
    }
    const agent = await opened.catch((error: unknown) => {
      forget()
      throw error
    })
    if (opening === opened) live = agent
    void agent.gone.then(forget)
    rest()
    return agent
  }

  async function again(agent: LiveAgent, what: AgentChoice): Promise<void> {
    const value = chosen.get(what)
    if (value === undefined || agent.offers[what] === value) return
    try {
      await agent.choose(what, value)
    } catch (error) {
      if (!(error instanceof RetconError)) throw error
      chosen.delete(what)
      const text = `${title} was started again, and does not take the ${what} ${value} any more: ${error.message}`
      told({ type: "notice", level: "warning", text })
    }
  }

  /** Ends it after a while, unless a prompt comes. */
  function rest(): void {
    clearTimeout(idle)
    if (!works) idle = setTimeout(() => void release(), idleMs).unref()
  }

  async function start(allow: readonly string[]): Promise<LiveAgent> {
    await session.log.program?.free()
    const holder = session.log.lease.holder()
    if (holder !== undefined) {
      const { drives, ...who } = holder
      const theirs = drives === true ? {} : { agent: session.log.agent ?? "" }
      throw new RetconError({ code: "session-busy", session: session.id, ...who, ...theirs })
    }
    if (orNothing(() => statSync(cwd))?.isDirectory() !== true) {
      const problem = `The folder of this session is gone: ${cwd}`
      throw new RetconError({ code: "invalid", problem, advice: ["Create it again, or continue in a copy: ", COPY] })
    }
    unhold = hold()
    const agent = await program.open({
      cwd,
      session: theirSession(session.log),
      allow,
      told: (event) => (turn?.told ?? told)(event),
      ask: (question, signal) => turn?.ask(question, signal) ?? Promise.resolve({ refused: "No turn is running." }),
    })
    for (const what of CHOICES) await again(agent, what)
    return agent
  }

  function release(): Promise<void> {
    ending ??= end().finally(() => {
      ending = undefined
    })
    return ending
  }

  async function end(): Promise<void> {
    clearTimeout(idle)
    const opened = opening
    if (opened === undefined) return
    const started = await opened.catch(() => undefined)
    await started?.release()
    if (opening === opened) [opening, live] = [undefined, undefined]
    unhold()
    left = stateOf(session.log.file)
  }

  return {
    async prompt(input, own) {
      works = true
      const [agent] = await Promise.all([open(), own.before()]).catch((error: unknown) => {
        works = false
        throw error
      })
      if (own.signal.aborted) {
        works = false
        return { outcome: "stopped", denied: [] }
      }
      clearTimeout(idle)
      const stop = () => void agent.stop()
      own.signal.addEventListener("abort", stop, { once: true })
      turn = own
      try {
        if (first === undefined) return await agent.prompt(input)
        const begun = first
        first = undefined
        begun.attach({ told: (event) => (turn?.told ?? told)(event), ask: (...asked) => own.ask(...asked) })
        return await begun.ended
      } finally {
        own.signal.removeEventListener("abort", stop)
        turn = undefined
        works = false
        session.log.refresh()
        at = session.head
        left = stateOf(session.log.file)
        rest()
      }
    },
    get offers() {
      return live?.offers
    },
    steer: async (text) => (await live?.steer(text)) ?? false,
    offered: async () => (await open()).offers,
    async choose(what, value) {
      const agent = await open()
      const id = offeredAs(agent.offers, what, value)?.id ?? (what === "model" ? value : undefined)
      if (id === undefined || offeredFor(agent.offers, what).length === 0) throw notOffered(agent.offers, what, value)
      await agent.choose(what, id)
      chosen.set(what, id)
      told({ type: "settings" })
    },
    release,
    get isBeginning() {
      return first !== undefined
    },
    get isOpen() {
      return opening !== undefined
    },
    wasLast: () => opening === undefined && (left ?? "") !== "" && left === stateOf(session.log.file),
    moved() {
      if (left === undefined) return
      left = stateOf(session.log.file)
      at = undefined
    },
  }
}

function notOffered(offers: Offers, what: AgentChoice, value: string): RetconError {
  const all = offeredFor(offers, what).map(({ id }) => id)
  const problem =
    all.length === 0 ? `This program offers no choice of ${what} here.` : `This program offers no ${what} "${value}".`
  const advice = all.length === 0 ? "Choose it in the program itself." : `It offers: ${all.join(", ")}`
  return new RetconError({ code: "invalid", problem, advice })
}

function theirSession({ resume = [], file = "" }: Session["log"]): TheirSession {
  return { id: resume.at(-1) ?? "", file, resume: resume.slice(1) }
}

/** Changes with everything that is written to the file; empty if nobody can tell. */
function stateOf(file: string | undefined): string {
  const stat = file === undefined ? undefined : orNothing(() => statSync(file))
  return stat === undefined ? "" : `${stat.ino} ${stat.size} ${stat.mtimeMs}`
}
