// Voice in one session: whether it listens, and what was said. Going back never removes a line.
import type { SpokenAnswer } from "../../src/voice/spoken.ts"
import type { VoiceLine } from "../../src/voice/voice-log.ts"
import { startLiveVoice } from "./live-voice.ts"
import { hasRecogniser, startRecogniser } from "./recogniser.ts"
import type { VoiceApi } from "./voice-api.ts"

/** The result of a spoken command, for the page to show like that of a button. */
export type SpokenDone = (done: Pick<SpokenAnswer, "action" | "answer">) => void

export class VoiceState {
  lines = $state.raw<readonly VoiceLine[]>([])
  listening = $state<"no" | "starting" | "yes">("no")
  /** Who listens; undefined if nothing can. */
  listener = $state<"live" | "browser" | undefined>(undefined)
  problem = $state("")
  /** Whether there is anything to show. */
  readonly hasSomething = $derived(this.lines.length > 0 || this.listening !== "no" || this.problem !== "")
  readonly #api: VoiceApi
  readonly #did: SpokenDone
  #loaded: Promise<void> | undefined
  #asked = 0
  #close: (() => void) | undefined

  constructor(api: VoiceApi, did: SpokenDone) {
    this.#api = api
    this.#did = did
  }

  load(): Promise<void> {
    this.#loaded ??= this.#load()
    return this.#loaded
  }

  async #load(): Promise<void> {
    try {
      const { lines, live } = await this.#api.read()
      this.lines = lines
      this.problem = ""
      this.listener = live ? "live" : hasRecogniser() ? "browser" : undefined
    } catch (error) {
      this.#fail(error)
      this.#loaded = undefined
    }
  }

  /** Starts once it is known who can listen, unless it was closed or asked for again by then. */
  async toggle(): Promise<void> {
    this.problem = ""
    if (this.listening !== "no") return this.close()
    const asked = ++this.#asked
    await this.load()
    if (asked !== this.#asked || this.problem !== "") return
    if (this.listener === "live") this.#startLive()
    else if (this.listener === "browser") this.#startBrowser()
    else
      this.problem =
        "This browser has no speech recognition, and the server has no key for a voice model: set GEMINI_API_KEY."
  }

  close(): void {
    this.#asked++
    this.#close?.()
    this.#close = undefined
    this.listening = "no"
  }

  #startLive(): void {
    this.listening = "starting"
    const voice = startLiveVoice(this.#api.socket, this.#api.token, {
      ready: () => {
        this.listening = "yes"
      },
      line: (line) => this.#add(line),
      did: (done) => this.#did(done),
      closed: (because) => this.#ended(because),
    })
    this.#close = () => voice.close()
  }

  #startBrowser(): void {
    this.listening = "yes"
    const recogniser = startRecogniser(
      (text) => void this.#heard(text),
      (because) => this.#ended(because),
    )
    this.#close = () => recogniser.close()
  }

  async #heard(text: string): Promise<void> {
    try {
      const { lines, ...done } = await this.#api.say(text)
      for (const line of lines) this.#add(line)
      this.#did(done)
    } catch (error) {
      this.#fail(error)
    }
  }

  #add(line: VoiceLine): void {
    if (!this.lines.some((each) => each.line === line.line)) this.lines = [...this.lines, line]
  }

  #ended(because: string | undefined): void {
    this.#close = undefined
    this.listening = "no"
    if (because !== undefined) this.problem = because
  }

  #fail(error: unknown): void {
    this.problem = error instanceof Error ? error.message : String(error)
  }
}
