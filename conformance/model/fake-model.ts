// A model that answers from a script: for each prompt, what to answer first, what after the results of those calls, …
import type { WireAnswer } from "../../test/provider/wire/answer.ts"
import { type WireReply, type WireRequest, WireServer } from "../../test/provider/wire/server.ts"
import type { Said } from "../said.ts"
import type { Protocol } from "./protocol.ts"

export class FakeModel {
  readonly #server: WireServer
  readonly #protocol: Protocol
  readonly #script = new Map<string, WireAnswer[]>()
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
  script(prompt: string, answers: WireAnswer[]): void {
    this.#script.set(prompt, answers)
  }

  /** The first request by the agent itself that has this prompt and came after `since` others. */
  asked(prompt: string, since: number): Said[] | undefined {
    const agent = this.#server.requests.slice(since).filter((request) => this.#isAgent(request))
    return agent.map((request) => this.#protocol.said(request)).find((said) => promptIn(said, prompt) >= 0)
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
    return this.#protocol.reply(full, `msg_${process.pid}_${number}`, request)
  }

  #next(said: readonly Said[]): WireAnswer {
    const last = [...this.#script.keys()]
      .map((prompt) => ({ prompt, at: promptIn(said, prompt) }))
      .reduce((one, other) => (other.at > one.at ? other : one), { prompt: "", at: -1 })
    const after = said.slice(last.at + 1)
    const rounds = after.filter(({ by }, index) => by === "result" && after[index - 1]?.by !== "result").length
    return this.#script.get(last.prompt)?.[rounds] ?? { text: "A summary of what was said." }
  }
}

function promptIn(said: readonly Said[], prompt: string): number {
  return said.findLastIndex(({ by, text }) => by === "user" && text === prompt)
}
