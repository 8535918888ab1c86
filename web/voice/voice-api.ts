// The page's requests to the server about voice, for one session.
import { isObject, type Json, parseJson } from "../../src/model/json.ts"
import type { SpokenAnswer } from "../../src/voice/spoken.ts"
import type { VoiceLine } from "../../src/voice/voice-log.ts"
import type { Admission } from "../page/admission.ts"

/** `live`: the server has a live model to speak with. */
export interface VoiceInfo {
  lines: VoiceLine[]
  live: boolean
}

export interface VoiceApi {
  read(): Promise<VoiceInfo>
  /** Sends what the browser recognised. Contract: the server logs it before it acts. */
  say(text: string): Promise<SpokenAnswer>
  /** The address of the WebSocket. */
  readonly socket: string
  readonly token: string
}

/** Contract: rejects with a sentence for the person. */
export function voiceApi(base: string, admission: Admission, session: string): VoiceApi {
  const url = new URL(`api/sessions/${encodeURIComponent(session)}/voice`, base)
  const socket = new URL(`api/voice?session=${encodeURIComponent(session)}`, base)
  socket.protocol = socket.protocol === "https:" ? "wss:" : "ws:"
  async function ask(init: RequestInit = {}): Promise<unknown> {
    const headers = { "content-type": "application/json" }
    const response = await admission.fetch(url, { ...init, headers }).catch(() => {
      throw new Error("The server does not answer. Start it with: retcon serve")
    })
    const body = parseJson(await response.text())
    const value: Json = body.ok ? body.value : null
    if (response.ok) return value
    throw new Error(problemOf(value) ?? `The server answered with status ${response.status}.`)
  }
  return {
    read: async () => (await ask()) as VoiceInfo,
    say: async (text) => (await ask({ method: "POST", body: JSON.stringify({ text }) })) as SpokenAnswer,
    socket: socket.href,
    get token() {
      return admission.token ?? ""
    },
  }
}

function problemOf(body: Json): string | undefined {
  return isObject(body) && typeof body.detail === "string" ? body.detail : undefined
}
