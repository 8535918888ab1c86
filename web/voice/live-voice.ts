// Speaking with a live model through the server: audio both ways on one WebSocket, and results as JSON.
import { parseJson } from "../../src/model/json.ts"
import { unreachable } from "../../src/model/unreachable.ts"
import type { VoiceLine } from "../../src/voice/voice-log.ts"
import type { VoiceMessage } from "../../src/voice/voice-message.ts"
import { type Microphone, openMicrophone } from "./microphone.ts"
import { openPlayer } from "./player.ts"

export interface LiveVoiceEvents {
  ready(): void
  line(line: VoiceLine): void
  did(message: Extract<VoiceMessage, { type: "did" }>): void
  /** `because`: undefined if the person closed it. */
  closed(because: string | undefined): void
}

export interface LiveVoice {
  close(): void
}

/** Contract: calls `closed` once, whatever happens. */
export function startLiveVoice(url: string, token: string, events: LiveVoiceEvents): LiveVoice {
  const socket = new WebSocket(url, ["retcon.voice", `token.${token}`])
  socket.binaryType = "arraybuffer"
  const player = openPlayer()
  let microphone: Microphone | undefined
  let ended = false
  function end(because?: string): void {
    if (ended) return
    ended = true
    microphone?.close()
    player.close()
    socket.close()
    events.closed(because)
  }
  function take(message: VoiceMessage): void {
    switch (message.type) {
      case "ready":
        events.ready()
        break
      case "line":
        events.line(message.line)
        break
      case "interrupted":
        player.hush()
        break
      case "did":
        events.did(message)
        break
      case "closed":
        end(message.because ?? "Voice has stopped. Press the microphone to speak again.")
        break
      default:
        unreachable(message)
    }
  }
  socket.addEventListener("message", ({ data }: MessageEvent<ArrayBuffer | string>) => {
    if (typeof data === "string") take(messageOf(data))
    else player.play(data)
  })
  socket.addEventListener("close", () => end("The server stopped voice. Press the microphone to try again."))
  socket.addEventListener("open", () => {
    openMicrophone((pcm) => socket.readyState === WebSocket.OPEN && socket.send(pcm)).then(
      (opened) => {
        microphone = opened
        if (ended) opened.close()
      },
      (error: unknown) =>
        end(`The microphone cannot be used: ${error instanceof Error ? error.message : String(error)}`),
    )
  })
  return { close: () => end() }
}

/** No validation: the server has the same version as the page. */
function messageOf(text: string): VoiceMessage {
  const parsed = parseJson(text)
  return parsed.ok ? (parsed.value as unknown as VoiceMessage) : { type: "closed", because: parsed.problem }
}
