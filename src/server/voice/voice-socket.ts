// The one WebSocket, for speaking with a live model: audio both ways, results as JSON.
import { RetconError } from "../../model/failure/retcon-error.ts"
import { parseSessionId, type SessionId } from "../../model/id.ts"
import type { LiveModel } from "../../voice/live-model.ts"
import { startVoice, type VoiceEvent } from "../../voice/voice.ts"
import type { VoiceLog } from "../../voice/voice-log.ts"
import { problem, refused } from "../answer/problem.ts"
import type { ServerDeps } from "../api/server-deps.ts"

/** The subprotocol that the page offers beside its token, because a browser cannot send a header here. */
export const VOICE_PROTOCOL = "retcon.voice"
export const VOICE_PATH = "/api/voice"

export interface SpeakingSocket {
  send(data: string | Uint8Array): void
  close(): void
  /** Contract: calls `gone` once. */
  on(heard: (pcm: Uint8Array) => void, gone: () => void): void
}

export type Upgrade = { ok: true; take(socket: SpeakingSocket): void } | { ok: false; response: Response }

/** The token, which the page offers as one of the subprotocols. */
export function protocolToken(request: Request): string | undefined {
  const offered = protocols(request)
  return offered.includes(VOICE_PROTOCOL) ? offered.find((each) => each.startsWith("token."))?.slice(6) : undefined
}

/** Contract: the caller has checked the token. */
export function voiceUpgrade(request: Request, at: ServerDeps): Upgrade {
  const name = new URL(request.url).searchParams.get("session") ?? ""
  const session = parseSessionId(name)
  if (session === undefined) return { ok: false, response: refused({ code: "not-found", what: "session", name }) }
  const { voice } = at.options
  if (voice?.model === undefined) return { ok: false, response: noModel() }
  const { logs, model } = voice
  return { ok: true, take: (socket) => void speaking(session, socket, at, { log: logs(session), model }) }
}

const STOPPING: VoiceEvent = { type: "closed", because: "The server is stopping." }

async function speaking(
  session: SessionId,
  socket: SpeakingSocket,
  { hubs, stopping }: ServerDeps,
  { log, model }: { log: VoiceLog; model: LiveModel },
): Promise<void> {
  const tell = (event: VoiceEvent) => socket.send(event.type === "audio" ? event.pcm : JSON.stringify(event))
  try {
    await hubs.use(session, async (hub) => {
      let leave = () => {}
      const left = new Promise<void>((settle) => (leave = settle))
      const voice = await startVoice(hub.session, log, model, (event) => {
        tell(event.type === "closed" && stopping.aborted ? STOPPING : event)
        if (event.type === "closed") leave()
      })
      const stop = () => voice.close()
      stopping.addEventListener("abort", stop, { once: true })
      if (stopping.aborted) stop()
      socket.on(
        (pcm) => voice.audio(pcm),
        () => voice.close(),
      )
      await left
      stopping.removeEventListener("abort", stop)
    })
  } catch (error) {
    tell({ type: "closed", because: reasonOf(error) })
  }
  socket.close()
}

function reasonOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error)
  return error instanceof RetconError ? words : `The voice model cannot be reached: ${words}`
}

function protocols({ headers }: Request): string[] {
  return (headers.get("sec-websocket-protocol") ?? "").split(",").map((each) => each.trim())
}

function noModel(): Response {
  const detail = "No voice model is set up here."
  return problem({ status: 409, code: "no-voice", detail, advice: "Set GEMINI_API_KEY and start the server again." })
}
