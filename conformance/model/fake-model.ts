// A model that answers from a script: for each prompt, what to answer first, what after the results of those calls, …
import { type WireAnswer, type WireReply, type WireRequest, WireServer } from "../../test/provider/wire/server.ts"
import type { Said } from "../said.ts"
import type { Protocol } from "./protocol.ts"

/** `hangs`: the answer begins, and never ends. */
export type Scripted = WireAnswer & { hangs?: true }

export class FakeModel {
  readonly #server: WireServer
  readonly #protocol: Protocol
  readonly #script = new Map<string, Scripted[]>()
  #answers = 0

  private constructor(server: WireServer, protocol: Protocol) {
    this.#server = server
    this.#protocol = protocol
    server.otherwise = (request) => this.#answer(request)
  }

  static async start(protocol: Protocol): Promise<FakeModel> {
    return new FakeModel(await WireServer.start(), protocol)
  }

  get url(): string {
    return this.#server.url
  }

  /** How many requests have arrived so far. */
  get count(): number {
    return this.#server.requests.length
  }

  close(): Promise<void> {
    return this.#server.close()
  }

  /** Its answers to a prompt, whenever that arrives. Anything else is answered with a sentence. */
  script(prompt: string, answers: Scripted[]): void {
    this.#script.set(prompt, answers)
  }

  /** The first request by the agent itself that has this prompt and came after `since` others. */
  asked(prompt: string, since: number): Said[] | undefined {
    const agent = this.#server.requests.slice(since).filter((request) => this.#isAgent(request))
    return agent.map((request) => this.#protocol.said(request)).find((said) => promptIn(said, prompt) >= 0)
  }

  /** Whether any request has had this text. */
  heard(text: string): boolean {
    return this.#server.requests.some((request) => request.text.includes(text))
  }

  /** Resolves with the first request by the agent itself that came after `since` others and of which this is true. */
  async arrives(since: number, is: (said: readonly Said[]) => boolean): Promise<WireRequest> {
    for (let index = since; ; index++) {
      const request = await this.#server.request(index)
      if (this.#isAgent(request) && is(this.#protocol.said(request))) return request
    }
  }

  #isAgent(request: WireRequest): boolean {
    return this.#protocol.asks(request) && this.#protocol.hasTools(request)
  }

  #answer(request: WireRequest): WireReply {
    if (!this.#protocol.asks(request)) return this.#protocol.elsewhere(request)
    const answer = this.#isAgent(request) ? this.#next(this.#protocol.said(request)) : { text: "A few words." }
    const number = ++this.#answers
    const calls = answer.calls?.map((each, index) => ({ ...each, id: `${each.id}_${number}_${index}` }))
    const full = calls === undefined ? answer : { ...answer, calls }
    const reply = this.#protocol.reply(full, `msg_${process.pid}_${number}`, request)
    if (answer.hangs !== true || typeof reply !== "object" || !("events" in reply)) return reply
    return { events: reply.events.slice(0, Math.ceil(reply.events.length / 2)), ending: "hang" }
  }

  #next(said: readonly Said[]): Scripted {
    const last = [...this.#script.keys()]
      .map((prompt) => ({ prompt, at: promptIn(said, prompt) }))
      .reduce((one, other) => (other.at > one.at ? other : one), { prompt: "", at: -1 })
    const after = said.slice(last.at + 1)
    const rounds = after.filter(({ by }, index) => by === "result" && after[index - 1]?.by !== "result").length
    return this.#script.get(last.prompt)?.[rounds] ?? { text: "A summary of what was said." }
  }
}

/** Where a prompt is; some programs send it together with an earlier one that was not answered. */
export function promptIn(said: readonly Said[], prompt: string): number {
  return said.findLastIndex(({ by, text }) => by === "user" && (text === prompt || text.endsWith(`\n\n${prompt}`)))
}
