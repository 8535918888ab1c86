// A person speaking with a live model in one session: each request is written to the voice log first, then carried out, then
// answered.
import { serial } from "../model/serial.ts"
import type { HostEvent } from "../protocol/event.ts"
import type { HostSession } from "../protocol/host.ts"
import { headingOf, questionLines } from "../protocol/question.ts"
import { act } from "./act.ts"
import type { VoiceAction, VoiceAnswer } from "./action.ts"
import { actionOf, VOICE_INSTRUCTIONS } from "./functions.ts"
import type { LiveCall, LiveConnection, LiveModel } from "./live-model.ts"
import type { VoiceLog } from "./voice-log.ts"
import type { VoiceMessage } from "./voice-message.ts"

/** `audio`: 16-bit PCM, little-endian, 24 kHz. */
export type VoiceEvent = VoiceMessage | { type: "audio"; pcm: Uint8Array }

export interface Voice {
  /** 16-bit PCM, little-endian, 16 kHz. */
  audio(pcm: Uint8Array): void
  close(): void
}

/** Contract: rejects if the model cannot be reached. `closed` is the last event. */
export async function startVoice(
  session: HostSession,
  log: VoiceLog,
  model: LiveModel,
  told: (event: VoiceEvent) => void,
): Promise<Voice> {
  const queue = serial()
  const words = agentsWords()
  const pending = { person: "", voice: "" }
  let problem: string | undefined
  let left = () => {}

  async function commit(by: "person" | "voice"): Promise<void> {
    const text = pending[by].trim()
    pending[by] = ""
    if (text !== "") told({ type: "line", line: await log.append(by, text) })
  }
  async function commitBoth(): Promise<void> {
    await commit("person")
    await commit("voice")
  }
  async function carryOut(call: LiveCall): Promise<void> {
    await commit("person")
    const action = actionOf(call)
    const answer = await answerTo(call, action)
    told({ type: "line", line: await log.append("retcon", answer.say) })
    if (action !== undefined) told({ type: "did", action: action.do, answer })
    const live = await connecting
    live.respond(call, { ok: answer.ok, say: answer.say })
  }
  async function answerTo({ name }: LiveCall, action: VoiceAction | undefined): Promise<VoiceAnswer> {
    if (action === undefined) return { ok: false, say: `${name} cannot be called like that.` }
    const live = await connecting
    return act(session, action, ({ say }) => live.tell(`${say} ${words.said()}`.trim()))
  }
  /** Ends the conversation if the voice log cannot be written: nothing may happen that is not in it. */
  const then = (work: () => Promise<void>) =>
    void queue.run(work).catch(async (error: unknown) => {
      problem = error instanceof Error ? error.message : String(error)
      const live = await connecting
      live.close()
    })

  const connecting: Promise<LiveConnection> = model.connect(VOICE_INSTRUCTIONS, {
    audio: (pcm) => told({ type: "audio", pcm }),
    heard(text) {
      pending.person += text
    },
    said(text) {
      if (pending.person !== "") then(() => commit("person"))
      pending.voice += text
    },
    interrupted() {
      told({ type: "interrupted" })
      then(() => commit("voice"))
    },
    turnEnd: () => then(commitBoth),
    call: (call) => then(() => carryOut(call)),
    closed(because) {
      left()
      then(commitBoth)
      void queue.settled().then(() => {
        const reason = problem ?? because
        told({ type: "closed", ...(reason !== undefined && { because: reason }) })
      })
    },
  })
  const live = await connecting
  left = session.on(({ event }) => {
    words.take(event)
    if (event.type === "approval-start") live.tell(askedWords(event))
  })
  told({ type: "ready" })
  return { audio: (pcm) => live.audio(pcm), close: () => live.close() }
}

const MOST = 2000

/** What to tell the voice model about the agent's work, so that it can speak about it. */
function askedWords(question: Extract<HostEvent, { type: "approval-start" }>): string {
  const lines = questionLines(question).map(({ text }) => text)
  return clipped([`The agent asks for permission: ${headingOf(question)}`, ...lines].join("\n"))
}

/** Collects the agent's words in the running turn. What it says after its last tool call is its answer. */
export function agentsWords(): { take(event: HostEvent): void; said(): string } {
  let words = ""
  return {
    take(event) {
      if (event.task !== undefined) return
      if (event.type === "turn-start" || event.type === "tool-start") words = ""
      if (event.type === "text-delta") words += event.text
    },
    said: () => clipped(words),
  }
}

function clipped(text: string): string {
  return text.length <= MOST ? text : `${text.slice(0, MOST)}…`
}
